"""Every word that the grammar can say, by language."""

from __future__ import annotations

from functools import lru_cache

from engine.corpus.lexicon import Lexicon, load_lexicon
from engine.corpus.rows import Variant

_GRAMMAR_ZH = """
我 你 他 她 它 我们 你们 他们 她们 咱们 的 了 过 着 地 得 们 一 一些 很多 几 这 那 些 在 正在 和
跟 一起 把 被 比 讲 关于 给 放 穿 让 请 帮 教 鼓励 告诉 提醒 要 会 想 打算 能 可以 应该 必须 不
没 没有 不要 已经 很 太 还 最 越来越 一样 一点儿 多 点 半 钱 块 岁 前 天 年 个 月 星期 家 有 是 来
开会 考试 上课 比赛 停电 欢迎 因为 所以 虽然 但是 如果 一边 就 时候 以前 以后 吗 什么 谁 哪里
什么时候 为什么 怎么 多少 ？ ， 、 。 当时 都 每 次 从来 来自 离 远 近 对 感兴趣 又 先 再 叫
小时 分钟 早上 下午 晚上 昨天 前天 上周五 明天 后天 下周一 现在 今天 今年 热 冷 凉快 暖和 潮湿
下雨 下雪
"""
_GRAMMAR_EN = """
I you he she it we they me him her us them my your his its our their 's the a an this that these
those some much many several and , . ? in at on to with about of as by than will going want
wants plan plans can cannot may should must not do does did is are am was were be has have
already very too even most more little getting there here welcome yesterday today tomorrow
morning afternoon evening now half past o'clock year ago days years months weeks old yuan costs
meeting exam class match power cut give gives gave given giving put wearing lying home who what
where when why how whose because although if while after before soon please let lets ask asks
help helps tell tells remind reminds last comes come from far close interested every all both
first then never times been for hours minutes name next Friday Monday hot cold cool warm humid
raining snowing day
"""


def known_words(lang: str, lexicon: Lexicon | None = None) -> frozenset[str]:
    """The tokens of one language ("zh" or "en") that the grammar knows with a lexicon, the
    shipped one without."""
    return _known_words(lang, lexicon or load_lexicon())


@lru_cache(maxsize=8)
def _known_words(lang: str, lexicon: Lexicon) -> frozenset[str]:
    grammar = {"zh": _GRAMMAR_ZH, "en": _GRAMMAR_EN}[lang]
    variants = lexicon.table(f"{lang}_variants", Variant)
    reworded = {token for row in variants for token in row.also.split()}
    return frozenset(grammar.split()) | lexicon.words[lang] | reworded


def corpus_tokens(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """English tokens as the corpus writes them: Welcome → welcome, Mary's → Mary 's.

    The first word of a sentence loses its capital where only the small form is known; names, I
    and months keep theirs. A possessive 's stands alone, it's and don't stay whole.
    """
    known = known_words("en")
    split = [part for token in tokens for part in _possessive(token.replace("’", "'"), known)]
    if split and split[0] not in known and split[0].lower() in known:
        split[0] = split[0].lower()
    return tuple(split)


def _possessive(token: str, known: frozenset[str]) -> tuple[str, ...]:
    owner = token.removesuffix("'s")
    if owner and owner != token and token.lower() not in known:
        return owner, "'s"
    return (token,)
