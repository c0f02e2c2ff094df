"""A MarianMT folder as Hugging Face's are, random and tiny: sentencepiece, vocabulary, weights."""

from __future__ import annotations

import io
import json
from pathlib import Path

LINES = (
    "the teacher reads an old book in the library .",
    "the children found a small bird in the garden yesterday .",
    "we sing a new song every evening .",
    "my neighbour bakes bread and sells it at the market .",
    "der Lehrer liest ein altes Buch in der Bibliothek .",
    "die Kinder haben gestern einen kleinen Vogel im Garten gefunden .",
    "wir singen jeden Abend ein neues Lied .",
    "mein Nachbar backt Brot und verkauft es auf dem Markt .",
)


def pieces(lines: tuple[str, ...], size: int = 90) -> bytes:
    """A sentencepiece model of a few lines."""
    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines * 4),
        model_writer=written,
        vocab_size=size,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return written.getvalue()


def make_marian(folder: Path, seed: int = 0, **changes: object) -> Path:
    """Writes the folder and returns it; `changes` go into the configuration."""
    import sentencepiece
    import torch
    from transformers import MarianConfig, MarianMTModel

    folder.mkdir(parents=True, exist_ok=True)
    models = {"source": pieces(LINES[:4]), "target": pieces(LINES[4:])}
    words = ["</s>", "<unk>"]
    for side, model in models.items():
        (folder / f"{side}.spm").write_bytes(model)
        reader = sentencepiece.SentencePieceProcessor(model_proto=model)
        found = (reader.id_to_piece(i) for i in range(reader.vocab_size()))
        words += [piece for piece in found if piece not in words and not piece.startswith("<")]
    words.append("<pad>")
    (folder / "vocab.json").write_text(
        json.dumps({word: i for i, word in enumerate(words)}, ensure_ascii=False)
    )
    pad = len(words) - 1
    values = {
        "vocab_size": len(words),
        "d_model": 16,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 32,
        "decoder_ffn_dim": 32,
        "max_position_embeddings": 64,
        "pad_token_id": pad,
        "decoder_start_token_id": pad,
        "eos_token_id": 0,
        "forced_eos_token_id": 0,
        "init_std": 0.6,
        "scale_embedding": True,
    } | changes
    torch.manual_seed(seed)
    MarianMTModel(MarianConfig(**values)).save_pretrained(folder)
    return folder
