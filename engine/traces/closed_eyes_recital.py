"""The numbers of station 4: one vector of fixed size between listening and reciting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.traces.base import Array, Trace, check_length, check_shape
from engine.traces.evidence import Evidence


@dataclass(frozen=True)
class Recital:
    """One sentence heard once and recited from the context vector alone."""

    source: tuple[str, ...]  # [source]
    reference: tuple[str, ...]  # [reference]
    reference_given: bool  # whether the lesson gave it; else the attention model's translation
    output: tuple[str, ...]  # [output] what the fixed-context model says
    probabilities: Array  # [output] p of each word said
    correct: Array  # [output] bool: in a longest common subsequence with the reference
    context: Array  # [unit] the one vector handed over
    kept: Array  # [source] p that the probe finds this word in the context vector; 0.5 = no idea
    attended_output: tuple[str, ...]  # [attended] what the attention model says
    attended_probabilities: Array  # [attended]
    attended_correct: Array  # [attended] bool
    trust: str  # "known", "carried" or "unknown": the translator with attention, on the reference
    evidence: Evidence  # what that trust is decided by; its target is the reference

    @property
    def share_correct(self) -> float:
        """Words recited in the reference's order, divided by the longer of both lengths."""
        return float(self.correct.sum()) / max(len(self.output), len(self.reference))

    @property
    def attended_share_correct(self) -> float:
        """The same for the translator with attention."""
        said = max(len(self.attended_output), len(self.reference))
        return float(self.attended_correct.sum()) / said


@dataclass(frozen=True)
class LengthCurve:
    """Held-out quality of one model against the length of the source."""

    model: str  # "fixed" or "attention"
    context: int  # size of the fixed vector; 0 where there is attention
    parameters: int
    lengths: Array  # [bucket] middle of each bucket, in words
    bleu: Array  # [bucket] 0 … 100
    token_recall: Array  # [bucket] 0 … 1
    counts: Array  # [bucket] held-out sentences


@dataclass(frozen=True)
class ClosedEyesRecitalTrace(Trace):
    """A bidirectional GRU reads; a GRU writes from c alone (Cho et al. 2014)."""

    station: ClassVar[str] = "closed_eyes_recital"

    short: Recital
    long: Recital
    curves: tuple[LengthCurve, ...]
    probe_accuracy: Array  # [length, fifth] held-out: a word heard is found likelier than another
    probe_chance: Array  # [length, fifth] the same asked of another sentence's context
    probe_counts: Array  # [length, fifth]
    probe_lengths: tuple[str, ...]  # [length] names of the buckets, such as "3-10"

    def validate(self) -> None:
        check_shape("long.context", self.long.context, *self.short.context.shape)
        for recital in (self.short, self.long):
            check_length("output", recital.output, len(recital.probabilities))
            check_shape("correct", recital.correct, len(recital.output))
            check_shape("kept", recital.kept, len(recital.source))
            recital.evidence.check(len(recital.reference))
            check_shape("attended_correct", recital.attended_correct, len(recital.attended_output))
        shape = (len(self.probe_lengths), self.probe_accuracy.shape[1])
        for name in ("probe_accuracy", "probe_chance", "probe_counts"):
            check_shape(name, getattr(self, name), *shape)
