"""Every word that the grammar can say, by language."""

from __future__ import annotations

from functools import cache

from engine.corpus.lexicon import load_lexicon

_GRAMMAR_ZH = """我 你 他 她 它 我们 你们 他们 她们 咱们 的 了 过 着 地 得 们 一 一些 很多 几 这 那 些
    在 正在 和 一起 把 被 比 讲 关于 给 放 上 里 会 要 想 打算 能 可以 应该 必须 不 没有 已经 很 太
    点 前 天 年 个 月 星期 家 有 开会 欢迎 来 因为 所以 虽然 但是 如果 吗 ？ ， 、 早上 下午 晚上"""
_GRAMMAR_EN = """I you he she it we they me him her us them my your his its our their 's the a an
    this that these those some much many several and , ? in at on to with about of put will going
    want wants plan plans can cannot may should must not do does did is are am was were be has have
    already very too than there welcome yesterday tomorrow morning afternoon evening ago days years
    months weeks meeting give gave given giving home because although if going"""


@cache
def known_words(lang: str) -> frozenset[str]:
    """The tokens of one language ("zh" or "en") that the shipped grammar knows."""
    grammar = {"zh": _GRAMMAR_ZH, "en": _GRAMMAR_EN}[lang]
    return frozenset(grammar.split()) | load_lexicon().words[lang]
