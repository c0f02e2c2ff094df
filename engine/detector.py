"""How well wrong translations are recognised: `python -m engine.training detector`.

A translation is flagged where trust says "unknown". Flags are right where the translation is
wrong: precision is the share of flags that are, recall the share of wrong ones that are flagged.
Half of the cases are there to choose thresholds by, the figures come from the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import torch

from engine.batching import pad
from engine.cards import command_line, read_card, write_card
from engine.checkpoints import WEIGHTS_DIR
from engine.decoding import greedy, teacher_forced
from engine.hard_cases import Case, held_out_cases, plain, spoiled_cases, written_cases
from engine.jury import SEEDS, Jury, invented, least_probability
from engine.matching import Matched, match
from engine.material import make_held_out
from engine.measuring import CHUNK
from engine.tokens import join
from engine.translators import (
    DIRECTIONS,
    FIXED_CONTEXT,
    Direction,
    Interpreter,
    load_interpreter,
    weights_path,
)
from engine.trust import ALONE, CARRIED, KNOWN, MOST_UNKNOWN, level

CASES_SEED = 7  # of the sentences that are spoiled
CPU = torch.device("cpu")


@dataclass(frozen=True)
class Judged:
    """One case, and what the models say to it."""

    case: Case
    translation: str
    right: bool
    agreeing: int  # models that say the same as the first
    least: float  # p of the least likely word under any model
    unknown: int  # words of the source
    length: int
    doubted: bool  # neighbours that the corpus never has, or unknown words out of nowhere

    def level(self, seeds: int) -> str:
        """What `trust` says of the same evidence."""
        if self.agreeing < seeds or self.doubted:
            return "unknown"
        return level(self.least, self.unknown, self.length, seeds)


def judge(jury: Jury, cases: Sequence[Case]) -> list[Judged]:
    """Every case through every model of a jury."""
    sources = [match(case.source, jury.first.source, case.kind) for case in cases]
    spoken = [_translated(member, sources) for member in jury.members]
    return [
        _judged(jury, case, source, [words[i] for words in spoken])
        for i, (case, source) in enumerate(zip(cases, sources, strict=True))
    ]


def _translated(member: Interpreter, sources: Sequence[Matched]) -> list[list[int]]:
    """Greedy translations of many sentences, in their order."""
    order = sorted(range(len(sources)), key=lambda i: len(sources[i].indices))
    said: list[list[int]] = [[] for _ in sources]
    for start in range(0, len(order), CHUNK):
        chunk = order[start : start + CHUNK]
        batch = pad([sources[i].indices for i in chunk])  # [batch, source]
        for i, words in zip(chunk, greedy(member.model, batch), strict=True):
            said[i] = words
    return said


def _judged(jury: Jury, case: Case, source: Matched, said: Sequence[list[int]]) -> Judged:
    least = min(
        least_probability(teacher_forced(member.model, source.indices, said[0]), said[0])
        for member in jury.members
    )
    text = join(tuple(jury.first.target.decode(said[0])))
    return Judged(
        case=case,
        translation=text,
        right=plain(text) in case.accepted,
        agreeing=sum(words == said[0] for words in said),
        least=least,
        unknown=len(source.unknown),
        length=len(source.words),
        doubted=bool(jury.unseen(source) or invented(source, said[0])),
    )


def figures(judged: Sequence[Judged], seeds: int) -> dict[str, float]:
    """Counts, and precision and recall of "unknown" as a flag for wrong translations."""
    wrong = [not each.right for each in judged]
    flagged = [each.level(seeds) == "unknown" for each in judged]
    hits = sum(w and f for w, f in zip(wrong, flagged, strict=True))
    right = len(judged) - sum(wrong)
    return {
        "sentences": len(judged),
        "wrong": sum(wrong),
        "flagged": sum(flagged),
        "wrong_flagged": hits,
        "wrong_passed": sum(wrong) - hits,
        "right_passed": right - (sum(flagged) - hits),
        "precision": round(hits / max(1, sum(flagged)), 4),
        "recall": round(hits / max(1, sum(wrong)), 4),
        "right_kept": round((right - sum(flagged) + hits) / max(1, right), 4),
    }


def cases_of(direction: Direction) -> list[Case]:
    """Everything that the detector is tried on, in one direction."""
    held_out = make_held_out(direction)
    spoiled = spoiled_cases(held_out, CASES_SEED)
    return [*held_out_cases(held_out), *spoiled, *written_cases(direction)]


def halves(judged: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    """Every other case: those that thresholds are chosen by, and those that figures come from."""
    return list(judged[::2]), list(judged[1::2])


def trust_table(judged: Sequence[Judged], seeds: int) -> dict[str, Any]:
    """What a card says of the thresholds and of what they achieve."""
    _, tried = halves(judged)
    kinds: dict[str, list[Judged]] = {}
    for each in tried:
        kinds.setdefault(each.case.kind, []).append(each)
    return {
        "known_from": KNOWN if seeds > 1 else ALONE,
        "carried_from": CARRIED,
        "most_unknown": MOST_UNKNOWN,
        "seeds": seeds,
        "command": command_line(),
        "all": figures(tried, seeds),
        "kinds": {kind: _counts(these, seeds) for kind, these in kinds.items()},
    }


def _counts(judged: Sequence[Judged], seeds: int) -> dict[str, float]:
    """The counts alone: of one kind there are too few for shares."""
    found = figures(judged, seeds)
    return {name: found[name] for name in ("sentences", "wrong", "wrong_passed", "right_passed")}


@click.command()
@click.option("--show", is_flag=True, help="Name every wrong translation that is not flagged.")
def detector(show: bool) -> None:
    """Try the detector of wrong translations and write its figures into the cards."""
    for direction in DIRECTIONS:
        paths = [weights_path(direction, "conditional", seed, FIXED_CONTEXT) for seed in SEEDS]
        if not paths[0].is_file():
            continue
        jury = Jury.around(load_interpreter(paths[0], CPU, torch.float32))
        judged = judge(jury, cases_of(direction))
        table = trust_table(judged, len(jury.members))
        for path in (WEIGHTS_DIR / f"{each.card.name}.safetensors" for each in jury.members):
            write_card(path, read_card(path) | {"trust": table})
        click.echo(f"{direction}: {table['all']}")
        for each in judged if show else ():
            if not each.right and each.level(len(jury.members)) != "unknown":
                click.echo(f"{each.case.kind}: {each.case.source} -> {each.translation}")
