"""Station 4: listen to the end, keep one vector of fixed size, recite with closed eyes.

A short and a long sentence go through the same fixed-context translator; a translator with
attention and as many parameters says the same sentences beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from engine.chosen import chosen, measured, others, translator_of
from engine.decoding import teacher_forced
from engine.device import choose_device
from engine.errors import InputError
from engine.jury import Jury, left_out
from engine.lesson import Lesson, Pair
from engine.matching import Matched, match_pair
from engine.probes import ContentProbe, load_probe
from engine.provenance import provenance
from engine.quality import in_order
from engine.tables import LengthRow, ProbeRow, read_table
from engine.traces import ClosedEyesRecitalTrace, LengthCurve, Model, Recital
from engine.traces.base import Array
from engine.translators import Interpreter, own_words
from engine.trust import trust
from engine.vocabulary import UNKNOWN

STATION = ClosedEyesRecitalTrace.station


@dataclass(frozen=True)
class Reciters:
    """The same corpus learnt twice, and the probe that reads the first one's vector."""

    fixed: Interpreter
    attentive: Interpreter
    probe: ContentProbe
    jury: Jury  # the attentive one with its other seeds
    models: tuple[Model, ...]  # what a trace says of them

    @classmethod
    def of(cls, lesson: Lesson, source: str, device: torch.device) -> Reciters:
        fixed = chosen(lesson, source, "fixed", device)
        attentive = chosen(lesson, source, "conditional", device)
        if (fixed.source, fixed.target) != (attentive.source, attentive.target):
            raise InputError("weights.other_words", one=fixed.card.name, other=attentive.card.name)
        probe, card = load_probe(measured(lesson, source).probe, fixed)
        jury = Jury.around(attentive, others(lesson, attentive))
        cards = (fixed.card, attentive.card, card, *(each.card for each in jury.others))
        return cls(fixed, attentive, probe, jury, cards)


def build(lesson: Lesson, device: str = "auto") -> ClosedEyesRecitalTrace:
    """The lesson's short and long sentence. Raises InputError for words that are not known."""
    place, spec = choose_device(device), lesson.closed_eyes_recital
    sources = {translator_of(lesson, p.source): p.source for p in (spec.short, spec.long)}
    reciters = {d: Reciters.of(lesson, source, place) for d, source in sources.items()}
    allowed = lesson.translation.allow_unknown
    short, long = (
        recite(reciters[translator_of(lesson, pair.source)], pair, f"{STATION}.{name}", allowed)
        for name, pair in (("short", spec.short), ("long", spec.long))
    )
    found = measured(lesson, spec.short.source)
    probed = read_table(found.positions, ProbeRow)
    models = tuple(card for each in reciters.values() for card in each.models)
    pairs = [(each.fixed, each.attentive) for each in reciters.values()]
    learned = tuple(each.learned for pair in pairs for each in pair if each.learned)
    return ClosedEyesRecitalTrace(
        provenance=provenance(models, lesson.seed, place, learned),
        short=short,
        long=long,
        curves=curves(read_table(found.lengths, LengthRow)),
        probe_accuracy=_by_fifth([row.accuracy for row in probed]),
        probe_chance=_by_fifth([row.chance for row in probed]),
        probe_counts=_by_fifth([row.count for row in probed]),
        probe_lengths=tuple(dict.fromkeys(f"{row.shortest}-{row.longest}" for row in probed)),
    )


def recite(reciters: Reciters, pair: Pair, where: str, allow_unknown: bool = False) -> Recital:
    """One sentence through both translators. `where` names its place in the lesson."""
    fixed, attentive = reciters.fixed, reciters.attentive
    source, given = match_pair(pair, fixed.source, fixed.target, where, allow_unknown)
    said, attended = (own_words(each, source, where) for each in (fixed, attentive))
    reference = given or attended
    memory, _ = fixed.model.prepare(fixed.model.read(_row(fixed, source)))
    context = memory.context[0].detach()  # [unit]
    log_p = _log_probabilities(attentive, source, reference)  # [reference]
    costs = left_out(attentive, source, reference, log_p)  # [reference, source]
    evidence = reciters.jury.evidence(source, reference, costs)
    return Recital(
        source=source.words,
        reference=reference.words,
        reference_given=given is not None,
        output=said.words,
        probabilities=_probabilities(fixed, source, said),
        correct=_correct(said, reference),
        context=context.cpu().numpy(),
        kept=reciters.probe.kept(context, source.indices).cpu().numpy(),
        attended_output=attended.words,
        attended_probabilities=_probabilities(attentive, source, attended),
        attended_correct=_correct(attended, reference),
        trust=trust(evidence, len(source.unknown), len(source.words)),
        evidence=evidence,
    )


def curves(rows: Sequence[LengthRow]) -> tuple[LengthCurve, ...]:
    """One curve per translator, in the order of the table."""
    models = dict.fromkeys((row.model, row.context, row.parameters) for row in rows)
    return tuple(_curve(key, [row for row in rows if _key(row) == key]) for key in models)


def _key(row: LengthRow) -> tuple[str, int, int]:
    return row.model, row.context, row.parameters


def _curve(key: tuple[str, int, int], rows: Sequence[LengthRow]) -> LengthCurve:
    model, context, parameters = key
    return LengthCurve(
        model=model,
        context=context,
        parameters=parameters,
        lengths=np.array([(row.shortest + row.longest) / 2 for row in rows]),
        bleu=np.array([row.bleu for row in rows]),
        token_recall=np.array([row.token_recall for row in rows]),
        counts=np.array([row.count for row in rows]),
    )


def _probabilities(interpreter: Interpreter, source: Matched, said: Matched) -> Array:
    """p of each word said. [target]"""
    return _log_probabilities(interpreter, source, said).exp().cpu().numpy()


def _log_probabilities(interpreter: Interpreter, source: Matched, said: Matched) -> torch.Tensor:
    """log p of each word of a target. [target]"""
    written = teacher_forced(interpreter.model, source.indices, said.indices)
    words = torch.tensor(said.indices, device=interpreter.device).unsqueeze(-1)
    return written.log_probabilities[:-1].gather(-1, words).squeeze(-1)


def _correct(said: Matched, reference: Matched) -> Array:
    """bool [output]; compared as the model's words, so that capitals make no difference.

    An unknown word is right only where it is the same word: 〈?〉 recites nothing.
    """
    return np.array(in_order(_compared(said), _compared(reference)))


def _compared(matched: Matched) -> list[str]:
    pairs = zip(matched.words, matched.indices, strict=True)
    return [word if index == UNKNOWN else str(index) for word, index in pairs]


def _row(interpreter: Interpreter, words: Matched) -> torch.Tensor:
    return torch.tensor([words.indices], device=interpreter.device)  # [1, source]


def _by_fifth(values: Sequence[float]) -> Array:
    """[length, fifth]"""
    return np.array(values).reshape(-1, 5)
