"""What speaks for or against trusting a translator on one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from engine.traces.base import Array, check_length, check_shape

HURTS = 0.6931471805599453  # nats: log 2, p of the word is at least halved


@dataclass(frozen=True)
class Evidence:
    """One sentence pair under the translator that is drawn and under its other seeds."""

    seeds: tuple[str, ...]  # [seed] names of the models, the drawn one first
    translations: tuple[str, ...]  # [seed] each model's own translation
    agreeing: int  # models whose own translation is that of the drawn one, itself included
    seed_probabilities: Array  # [seed] least p of the target's words and of stopping after them
    content: Array  # [target] bool: a word with a meaning of its own, no article or auxiliary
    aligned_alike: Array  # [target] models that look most at the same source word, with the drawn
    aligned_costs: Array  # [target] Δ log p when the source word looked at most is left out
    invented: int = 0  # words that the translation holds as unknown though the source has none such
    unseen: tuple[str, ...] = ()  # neighbours in the source of kinds the corpus never has together

    @property
    def least_probability(self) -> float:
        """The least p of any word under any of the models."""
        return float(self.seed_probabilities.min())

    @property
    def content_words(self) -> int:
        return int(self.content.sum())

    @property
    def needed(self) -> int:
        """Content words whose p is at least halved without the source word looked at most."""
        return int((self.content & (self.aligned_costs >= HURTS)).sum())

    @property
    def alike(self) -> int:
        """Content words that every model aligns with the same source word."""
        return int((self.content & (self.aligned_alike == len(self.seeds))).sum())

    def check(self, target: int) -> None:
        """Raises ValueError unless the parts belong to a target of so many words."""
        check_length("translations", self.translations, len(self.seeds))
        check_shape("seed_probabilities", self.seed_probabilities, len(self.seeds))
        for name in ("content", "aligned_alike", "aligned_costs"):
            check_shape(name, getattr(self, name), target)
