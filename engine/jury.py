"""The same translator trained from other seeds, asked about the same sentence.

One seed's picture is not the rule. Where models that differ only in their seed say the same and
look at the same words, that comes from the corpus; where they differ, it comes from chance: a
sentence of a kind that none of them has learnt (deep ensembles, Lakshminarayanan et al. 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine.checkpoints import checksum
from engine.decoding import Written, greedy, teacher_forced, word_log_probabilities
from engine.matching import Matched
from engine.neighbours import unseen
from engine.tokens import join
from engine.traces import Evidence
from engine.translators import FIXED_CONTEXT, Interpreter, load_interpreter, weights_path
from engine.vocabulary import END, UNKNOWN

SEEDS = (1, 2, 3)

#: Words that the grammar never links to a word of the other language for their own sake.
_FUNCTION = """
    a an the is am are was were be been being do does did done will would has have had it there of
    to for into at getting costs 's and that who which
    的 了 着 过 得 地 吗 呢 吧 把 被 正在 在 一起 都 就 最 越来越 们 些 个 位 只 张 辆 条 本 件 篇
    台 朵 根 棵 份 支 架 颗 扇 场 首 套 头 部 枚 幅 封
    道 项 间 顶 匹 副 座 列 管 口 节 双 面 出 盏 艘
"""
FUNCTION_WORDS = frozenset(_FUNCTION.split())


@dataclass(frozen=True)
class Jury:
    """The translator that is drawn, and the others of its kind; all know the same words."""

    first: Interpreter
    others: tuple[Interpreter, ...] = ()
    shipped: bool = False  # whether `first` comes with the project

    @classmethod
    def around(cls, first: Interpreter, others: Sequence[Interpreter] | None = None) -> Jury:
        """With `others`, or the shipped seeds where `first` is itself the shipped one."""
        if others is not None:
            return cls(first, tuple(others))
        kind, direction = first.model.sizes.decoder, first.direction
        paths = [weights_path(direction, kind, seed, FIXED_CONTEXT) for seed in SEEDS]
        ours = paths[0].is_file() and checksum(paths[0]) == first.card.sha256
        there = [path for path in paths[1:] if ours and path.is_file()]
        dtype = first.model.bias.dtype
        found = (load_interpreter(path, first.device, dtype) for path in there)
        words = (first.source, first.target)
        others = tuple(each for each in found if (each.source, each.target) == words)
        return cls(first, others, ours)

    @property
    def members(self) -> tuple[Interpreter, ...]:
        return (self.first, *self.others)

    def evidence(self, source: Matched, target: Matched, left_out: Tensor) -> Evidence:
        """left_out [target, source]: Δ log p under the first model without each source word."""
        row = torch.tensor([source.indices], device=self.first.device)  # [1, source]
        own = [greedy(each.model, row)[0] for each in self.members]
        written = [self._written(each, source, target) for each in self.members]
        aligned = torch.stack([w.weights[:-1].argmax(dim=-1) for w in written])  # [seed, target]
        costs = left_out.gather(-1, aligned[0].unsqueeze(-1)).squeeze(-1)  # [target]
        return Evidence(
            seeds=tuple(each.card.name for each in self.members),
            translations=tuple(join(tuple(self.first.target.decode(words))) for words in own),
            agreeing=sum(words == own[0] for words in own),
            seed_probabilities=np.array([least_probability(w, target.indices) for w in written]),
            content=self._content(target.words),
            aligned_alike=(aligned == aligned[0]).sum(dim=0).cpu().numpy(),
            aligned_costs=costs.cpu().numpy(),
            invented=invented(source, target.indices),
            unseen=tuple(" ".join(pair) for pair in self.unseen(source)),
        )

    def unseen(self, source: Matched) -> list[tuple[str, str]]:
        """Neighbours that the corpus never has; only the shipped translator's corpus is known."""
        words = self.first.source.decode(source.indices)
        return unseen(words, self.first.direction) if self.shipped else []

    def _content(self, words: Sequence[str]) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which words have a meaning of their own; in a language we know nothing of, all."""
        known = self.first.target.lexical
        return np.array([not known or is_content(word) for word in words])

    @staticmethod
    def _written(member: Interpreter, source: Matched, target: Matched) -> Written:
        return teacher_forced(member.model, source.indices, target.indices)


@torch.no_grad()
def left_out(interpreter: Interpreter, source: Matched, target: Matched, log_p: Tensor) -> Tensor:
    """Δ log p(y_i) when h_j cannot be looked at, at no step. [target, source]

    log_p [target]: of the target's words with every word to look at.
    """
    model, count = interpreter.model, len(source.indices)
    row = torch.tensor([source.indices], device=interpreter.device)  # [1, source]
    memory, state = model.prepare(model.read(row).expand(count))
    hidden = torch.eye(count, dtype=torch.bool, device=interpreter.device)  # [source, source]
    without = word_log_probabilities(model, memory.without(hidden), state, target.indices)
    return log_p.unsqueeze(1) - without.T


def invented(source: Matched, target: Sequence[int]) -> int:
    """Words that a translation leaves unknown though the source has none such."""
    return max(0, list(target).count(UNKNOWN) - len(source.unknown))


def is_content(word: str) -> bool:
    """Whether a word has a meaning of its own: neither a function word nor a sign."""
    return word.casefold() not in FUNCTION_WORDS and any(sign.isalnum() for sign in word)


def least_probability(written: Written, target: Sequence[int]) -> float:
    """The p of the least likely word of a target, END included."""
    log_p = written.log_probabilities  # [target + 1, word]
    words = torch.tensor([*target, END], device=log_p.device).unsqueeze(-1)
    return float(log_p.gather(-1, words).min().exp())
