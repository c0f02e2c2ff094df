"""Station 5: before each word the decoder looks back at every source word.

The lesson's pairs go through one trained translator per direction. Three controls go beside it:
the same architecture untrained, its attention frozen uniform, and each source word left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from engine.carrying import as_said, carried_right
from engine.chosen import chosen, others, pretrained, translator_of
from engine.decoding import Written, teacher_forced
from engine.device import choose_device
from engine.jury import Jury, left_out
from engine.lesson import Lesson, Pair
from engine.matching import Matched, match_pair
from engine.provenance import provenance
from engine.quality import crossings
from engine.traces import Evidence, Lookback, LookingBackTrace
from engine.traces.base import Array
from engine.translators import (
    Interpreter,
    own_words,
    uniform_twin,
    untrained_twin,
)
from engine.trust import Level, trust
from engine.vocabulary import UNKNOWN


@dataclass(frozen=True)
class Ensemble:
    """A trained translator and its two controls."""

    trained: Interpreter
    untrained: Interpreter
    uniform: Interpreter
    jury: Jury  # the trained one with its other seeds

    @classmethod
    def of(cls, lesson: Lesson, source: str, device: torch.device) -> Ensemble:
        trained = chosen(lesson, source, "conditional", device)
        untrained = untrained_twin(trained, lesson.seed)
        jury = Jury.around(trained, others(lesson, trained))
        return cls(trained, untrained, uniform_twin(trained), jury)


def build(lesson: Lesson, device: str = "auto") -> LookingBackTrace:
    """Every pair of the lesson. Raises InputError for words that the translator does not know."""
    place = choose_device(device)
    if pretrained(lesson):
        from engine.marian_lookback import build_marian

        return build_marian(lesson, place)
    pairs = lesson.looking_back.pairs
    directions = [translator_of(lesson, pair.source) for pair in pairs]
    sources = {translator_of(lesson, pair.source): pair.source for pair in pairs}
    ensembles = {d: Ensemble.of(lesson, source, place) for d, source in sources.items()}
    models = [m.card for e in ensembles.values() for m in (e.trained, e.untrained, *e.jury.others)]
    sizes = ensembles[directions[0]].trained.model.sizes
    allowed = lesson.translation.allow_unknown
    return LookingBackTrace(
        provenance=provenance(
            tuple(models),
            lesson.seed,
            place,
            tuple(e.trained.learned for e in ensembles.values() if e.trained.learned),
        ),
        pairs=tuple(
            look_back(ensembles[direction], pair, f"looking_back.pairs[{index}]", allowed)
            for index, (direction, pair) in enumerate(zip(directions, pairs, strict=True))
        ),
        decoder=sizes.decoder,
        attention_size=sizes.attention,
    )


def look_back(ensemble: Ensemble, pair: Pair, where: str, allow_unknown: bool = False) -> Lookback:
    """All numbers of one sentence pair. `where` names its place in the lesson."""
    trained = ensemble.trained
    source, given = match_pair(pair, trained.source, trained.target, where, allow_unknown)
    target = given or own_words(trained, source, where)
    written = _written(trained, source, target)
    steps = len(target.indices)
    log_p = written.log_probabilities  # [target + 1, word]
    chosen = _chosen(written, target)  # [target]
    best = log_p[:steps].argmax(dim=-1)  # [target]
    weights, contexts = written.weights[:steps], written.contexts[:steps]
    annotations = trained.model.read(_row(trained, source)).annotations[0].detach()
    untrained = _written(ensemble.untrained, source, target)
    uniform = _written(ensemble.uniform, source, target)
    costs = left_out(trained, source, target, chosen)  # [target, source]
    evidence = ensemble.jury.evidence(source, target, costs)
    alignment = weights.argmax(dim=-1).tolist()
    return Lookback(
        source=source.words,
        target=target.words,
        target_given=given is not None,
        unknown=np.array([index == UNKNOWN for index in source.indices]),
        annotations=_array(annotations),
        queries=_array(written.queries[:steps]),
        scores=_array(written.scores[:steps]),
        weights=_array(weights),
        contexts=_array(contexts),
        context_error=float((contexts - weights @ annotations).norm(dim=-1).max()),
        probabilities=_array(chosen.exp()),
        said=_as_written(trained, source, target, best.tolist(), weights),
        said_probabilities=_array(log_p[:steps].max(dim=-1).values.exp()),
        untrained_weights=_array(untrained.weights[:steps]),
        untrained_probabilities=_array(_chosen(untrained, target).exp()),
        uniform_probabilities=_array(_chosen(uniform, target).exp()),
        leave_one_out=_array(costs),
        crossings=crossings(alignment),
        trust=_trust(evidence, source, target, alignment),
        min_probability=float(evidence.seed_probabilities[0]),
        evidence=evidence,
    )


def _trust(evidence: Evidence, source: Matched, target: Matched, alignment: Sequence[int]) -> Level:
    """A word that is carried from a wrong place, or not at all, is no word to trust."""
    if not carried_right(source, target, alignment):
        return "unknown"
    return trust(evidence, len(source.unknown), len(source.words))


def _as_written(
    interpreter: Interpreter, source: Matched, target: Matched, said: Sequence[int], weights: Tensor
) -> tuple[str, ...]:
    """The model's words; where it says the target's own word, as the user wrote that."""
    words = as_said(interpreter.target, said, source, weights)
    trios = zip(words, said, target.indices, target.words, strict=True)
    return tuple(mine if i == wanted else word for word, i, wanted, mine in trios)


def _written(interpreter: Interpreter, source: Matched, target: Matched) -> Written:
    return teacher_forced(interpreter.model, source.indices, target.indices)


def _chosen(written: Written, target: Matched) -> Tensor:
    """log p(y_i) of each target word. [target]"""
    words = torch.tensor(target.indices, device=written.weights.device)
    return written.log_probabilities[:-1].gather(-1, words.unsqueeze(-1)).squeeze(-1)


def _row(interpreter: Interpreter, words: Matched) -> Tensor:
    return torch.tensor([words.indices], device=interpreter.device)  # [1, source]


def _array(tensor: Tensor) -> Array:
    return tensor.detach().cpu().numpy()
