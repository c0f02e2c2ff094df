"""How far to trust a clip: a badge beside the title, and what it is decided by."""

from __future__ import annotations

import math

from manim import Mobject

from engine.traces import Evidence
from scenes.base import Station
from scenes.channels import AS_IT_IS
from scenes.grid import LINE
from scenes.mobjects.number_label import NumberLabel, format_fixed
from scenes.mobjects.text import Label, label

ROLES = {"known": "CORRECT", "carried": "MUTED", "unknown": "WRONG"}


def trust_badge(scene: Station, level: str) -> Label:
    """How far the model can be trusted on this sentence, at the right end of the title band."""
    band, beside = scene.grid.title, scene.title_label
    for key in (level, f"short_{level}"):
        badge = label(scene.theme, scene.say(f"trust.{key}"), ROLES[level], "label")
        if beside.width + badge.width + 0.3 <= band.width:
            break
    tall = band.height > 1.5 * scene.grid.type.title * LINE
    return band.place(badge, 1, 0 if tall else 0.5)  # type: ignore[return-value]


def trust_items(scene: Station, evidence: Evidence, field: str) -> list[Mobject]:
    """For a read-out band: least p, how many seeds agree, what leaving words out costs."""
    return [least(scene, evidence, field), *_labels(scene, evidence)]


def least(scene: Station, evidence: Evidence, field: str) -> NumberLabel:
    """The least p of any word under any of the seeds, bound to the trace."""
    prefix = scene.say("trust.least")
    number = NumberLabel(scene.theme, 0.0, role="MUTED", size="label", prefix=prefix,
                         format=at_least)
    scene.bind(number, "value", evidence.least_probability, AS_IT_IS,
               field=f"{field}.least_probability", label="min p")
    return number


def _labels(scene: Station, evidence: Evidence) -> list[Label]:
    seeds = len(evidence.seeds)
    agree = scene.say("trust.seeds", agreeing=evidence.agreeing, seeds=seeds)
    texts = [agree if seeds > 1 else scene.say("trust.alone")]
    if evidence.content_words:
        texts.append(needed_text(scene, evidence))
    return [label(scene.theme, text, "MUTED", "label") for text in texts]


def at_least(p: float) -> str:
    """Three decimals, rounded down: 0.9996 does not read as certainty."""
    return format_fixed(math.floor(1000 * p) / 1000, 3)


def percent_at_least(share: float) -> str:
    """One decimal, rounded down: 99.96% does not read as all."""
    return f"{format_fixed(math.floor(1000 * share) / 10, 1)}%"


def needed_text(scene: Station, evidence: Evidence) -> str:
    """Whether leaving the word looked at most out really hurts."""
    key = "trust.needed_all" if evidence.content.all() else "trust.needed"
    return scene.say(key, needed=evidence.needed, content=evidence.content_words)
