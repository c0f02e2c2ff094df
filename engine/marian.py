"""A local MarianMT folder (Junczys-Dowmunt et al. 2018, as Hugging Face keeps such models).

Nothing is fetched and nothing unpickled: `local_files_only`, safetensors only. Attention is the
"eager" kind: transformers' default computes none that could be shown.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from engine.errors import InputError, Phrase
from engine.lesson import MOST_LAYERS, Translation
from engine.marian_pieces import Side, open_side
from engine.traces import Model

WEIGHTS = "model.safetensors"
MOST_UNITS, MOST_PIECES = 8192, 1_000_000  # of a configuration that is believed
LONGEST = 200  # pieces that the model may say


@dataclass(frozen=True)
class Marian:
    """A MarianMT model and which of its cross-attentions is looked at."""

    model: Any  # transformers.MarianMTModel
    source: Side
    target: Side
    card: Model
    layer: int  # of the decoder, from 1
    head: int  # of that layer, from 1; 0 for the mean of all

    @property
    def heads(self) -> int:
        return int(self.model.config.decoder_attention_heads)

    @property
    def most_pieces(self) -> int:
        """Of a sentence, beside its END or its start."""
        return int(self.model.config.max_position_embeddings) - 1

    @property
    def device(self) -> torch.device:
        device: torch.device = self.model.device
        return device


@dataclass(frozen=True)
class Passed:
    """One teacher-forced pass; the last position says END."""

    log_probabilities: Tensor  # [batch, target + 1, piece]
    attention: Tensor  # [batch, head, target + 1, source + 1], of the chosen layer, with </s>
    asking: Tensor  # [batch, target + 1, unit], the states that ask in that layer


def open_marian(folder: Path, spec: Translation, device: torch.device) -> Marian:
    """The model of a folder, in float64.

    Raises InputError for a folder that is damaged, holds only a pickle, or has no such layer or
    head, and where the optional package is missing.
    """
    transformers = _transformers()
    config = _configuration(folder, transformers)
    _check_weights(folder, config, transformers)
    layer = spec.layer or config.decoder_layers
    head = 0 if spec.head == "mean" else int(spec.head)
    for name, value, most in (
        ("layer", layer, config.decoder_layers), ("head", head, config.decoder_attention_heads),
    ):
        if value > most:
            raise InputError(f"model.no_{name}", folder=folder, value=value, most=most)
    model = transformers.MarianMTModel.from_pretrained(
        folder, config=config, local_files_only=True, use_safetensors=True,
        attn_implementation="eager", dtype=torch.float64,
    )
    with (folder / WEIGHTS).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    card = Model(f"{folder.name} (MarianMT)", digest, trained=True)
    source, target = (open_side(folder, side) for side in ("source", "target"))
    found = Marian(model.to(device).eval(), source, target, card, layer, head)
    _check_pieces(folder, found)
    return found


def untrained_twin(marian: Marian, seed: int) -> Marian:
    """The same configuration with weights drawn from a seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = type(marian.model)(copy.deepcopy(marian.model.config))
    model.to(marian.device, torch.float64).eval()
    return replace(marian, model=model, card=Model("untrained twin", "", trained=False))


def uniform_twin(marian: Marian) -> Marian:
    """The same weights, but no cross-attention asks anything: every score is 0 in every layer."""
    model = copy.deepcopy(marian.model)
    for layer in model.model.decoder.layers:
        torch.nn.init.zeros_(layer.encoder_attn.q_proj.weight)
        torch.nn.init.zeros_(layer.encoder_attn.q_proj.bias)
    return replace(marian, model=model)


@torch.no_grad()
def encode(marian: Marian, source: tuple[int, ...]) -> Tensor:
    """Annotations of a source and its END. [1, source + 1, unit]"""
    row = torch.tensor([[*source, marian.source.end]], device=marian.device)
    states: Tensor = marian.model.get_encoder()(input_ids=row).last_hidden_state
    return states


@torch.no_grad()
def passed(marian: Marian, states: Tensor, target: tuple[int, ...], seen: Tensor) -> Passed:
    """The model writes exactly `target`. states [batch, source + 1, unit]; seen [batch,
    source + 1], 0 where cross-attention may not look."""
    start = marian.model.config.decoder_start_token_id
    rows = torch.tensor([[start, *target]], device=marian.device).expand(len(states), -1)
    asked: list[Tensor] = []
    attention = marian.model.model.decoder.layers[marian.layer - 1].encoder_attn
    hook = attention.register_forward_pre_hook(
        lambda _, args, kwargs: asked.append(args[0] if args else kwargs["hidden_states"]),
        with_kwargs=True,
    )
    try:
        out = marian.model(
            encoder_outputs=(states,), attention_mask=seen, decoder_input_ids=rows,
            output_attentions=True, use_cache=False,
        )
    finally:
        hook.remove()
    if not out.cross_attentions or out.cross_attentions[marian.layer - 1] is None:
        raise RuntimeError("transformers returned no attention weights")
    return Passed(
        out.logits.log_softmax(dim=-1), out.cross_attentions[marian.layer - 1], asked[0]
    )


@torch.no_grad()
def next_piece(marian: Marian, states: Tensor, said: Sequence[int]) -> int:
    """The most likely piece after those said; padding only ever starts a sentence."""
    seen = torch.ones(states.shape[:2], device=marian.device)
    scores = passed(marian, states, tuple(said), seen).log_probabilities[0, -1]
    scores[marian.model.config.pad_token_id] = -torch.inf
    return int(scores.argmax())


def greedy(marian: Marian, states: Tensor) -> list[int]:
    """The most likely piece at each step, without END."""
    said: list[int] = []
    while len(said) < min(LONGEST, marian.most_pieces):
        piece = next_piece(marian, states, said)
        if piece == marian.target.end:
            break
        said.append(piece)
    return said


def _transformers() -> Any:
    """The optional package, kept from the network and from its own opinions on standard error."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    try:
        import sentencepiece  # noqa: F401
        import transformers
    except ModuleNotFoundError as error:
        raise InputError("model.no_transformers", package=error.name) from None
    talk: Any = transformers.utils.logging
    talk.set_verbosity_error()
    talk.disable_progress_bar()
    return transformers


def _configuration(folder: Path, transformers: Any) -> Any:
    """The folder's configuration, with sizes that a machine can hold."""
    file = folder / "config.json"
    try:
        table = json.loads(file.read_text(encoding="utf-8"))
        kind = table["model_type"]
        if kind != "marian":
            raise InputError("model.not_marian", folder=folder, kind=kind)
        config = transformers.MarianConfig(**table)
        sizes = (config.d_model, config.decoder_ffn_dim, config.encoder_ffn_dim,
                 config.max_position_embeddings)
        layers = (config.encoder_layers, config.decoder_layers, config.decoder_attention_heads,
                  config.encoder_attention_heads)
        fits = all(0 < n <= MOST_UNITS for n in sizes) and all(0 < n <= MOST_LAYERS for n in layers)
        pieces = (config.vocab_size, config.decoder_vocab_size)
        marks = (config.decoder_start_token_id, config.pad_token_id)
        if not fits or not all(0 < n <= MOST_PIECES for n in pieces):
            raise ValueError("sizes")
        if not all(0 <= mark < min(pieces) for mark in marks):
            raise ValueError("marks")
        if "quantization_config" in table or (folder / "adapter_config.json").exists():
            raise ValueError("more than one file of weights")  # of other places, maybe
    except InputError:
        raise
    except Exception as error:  # whatever a damaged file makes of a configuration
        raise InputError("model.file", file=file, reason=type(error).__name__) from None
    return config


def _check_weights(folder: Path, config: Any, transformers: Any) -> None:
    """Raises InputError unless every tensor is there, of the right shape, and finite."""
    path = folder / WEIGHTS
    if not path.is_file():
        key = "model.pickle" if any(folder.glob("*.bin")) else "model.no_weights"
        raise InputError(key, folder=folder, file=WEIGHTS)
    wanted = _shapes(folder, config, transformers)
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            there = set(file.keys())
            for name in there & wanted.keys():
                have, want = tuple(file.get_slice(name).get_shape()), tuple(wanted[name].shape)
                if have != want:
                    raise InputError("weights.shape", path=path, tensor=name, have=have, want=want)
            for name in sorted(there):
                if not bool(torch.isfinite(file.get_tensor(name).float()).all()):
                    raise InputError("weights.not_finite", path=path, tensor=name)
    except (SafetensorError, OSError) as error:
        raise InputError("weights.unreadable", path=path, why=error) from error
    missing = sorted(name for name in wanted if name not in there and not _made_up(name, config))
    if missing:
        want = tuple(wanted[missing[0]].shape)
        raise InputError("weights.shape", path=path, tensor=missing[0], have=None, want=want)


def _shapes(folder: Path, config: Any, transformers: Any) -> dict[str, Tensor]:
    """Tensors without memory. Raises InputError where nothing can be built so."""
    try:
        with torch.device("meta"):
            tensors: dict[str, Tensor] = transformers.MarianMTModel(config).state_dict()
    except Exception as error:  # an activation that is none, heads that share no unit …
        reason = type(error).__name__
        raise InputError("model.file", file=folder / "config.json", reason=reason) from None
    return tensors


def _made_up(name: str, config: Any) -> bool:
    """Tensors that a file may leave out: copies of others, fixed positions, and a bias of 0."""
    if name.endswith(("embed_positions.weight", "lm_head.weight", "final_logits_bias")):
        return True
    return bool(config.share_encoder_decoder_embeddings) and name.endswith("embed_tokens.weight")


def _check_pieces(folder: Path, marian: Marian) -> None:
    """Raises InputError where the vocabulary has more pieces than the model."""
    config = marian.model.config
    for side, most in ((marian.source, config.vocab_size),
                       (marian.target, config.decoder_vocab_size)):
        if max(side.indices.values()) >= most or min(side.indices.values()) < 0:
            reason = Phrase("model.too_many", count=len(side.indices), most=most)
            raise InputError("model.file", file=folder / "vocab.json", reason=reason)
