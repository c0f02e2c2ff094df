"""From a sentence to its tokens, and the sentence shown again from its tokens.

Chinese is segmented into words: by the user's own bars if there are any (`欢迎|来|杭州`), else
by jieba's dictionary with the corpus lexicon on top. Other scripts split at spaces; punctuation
stands alone, English contractions and numbers stay whole.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from engine.errors import InputError, Phrase
from engine.places import own_temporary_folder

if TYPE_CHECKING:
    import jieba

BAR = "|"
_JOINERS = "\u200c\u200d"
#: Letters and signs that Unicode gives no shape to: fillers, blanks, selectors of variants.
_BLANKS = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code) for code in range(0xFE00, 0xFE10)
}
_REPLACEMENT = "\ufffd"  # what a program writes for a letter that it could not read
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_IS_HAN = re.compile(f"[{_HAN}]")
_LATIN = rf"(?![{_HAN}])[\w\u0300-\u036f]"  # a letter, digit or mark that is no Han character
_UNIT = r"(?:%|‰|°[CF]?|[a-zA-Z]+)?"
_PIECE = re.compile(
    rf"""
      [{_HAN}]+                              # a run of Han characters, segmented further
    | https?://[^\s{_HAN}]+                   # addresses
    | [\w.+-]+@[\w-]+(?:\.[a-zA-Z]+)+
    | (?<![^\s(（“"{_HAN}])[-−]\d+(?:[.,:/]\d+)*{_UNIT}  # -5°C
    | \d+(?:[.,:/\-]\d+)*{_UNIT}             # 3.14, 1,000, 10:30, 90%, 5G, 1st
    | (?:[a-zA-Z]\.){{2,}}                    # U.S., p.m.
    | (?:Mrs?|Ms|Dr|Prof)\.
    | [a-zA-Z](?:\+\+|\#)(?![a-zA-Z\d])      # C++, C#
    | (?![{_HAN}_])\w(?:{_LATIN}|['’\-](?=(?![{_HAN}])[^\W\d_])|-(?=\d))*
                                             # words, don't, well-known, GPT-4
    | \S                                     # any other sign stands alone
    """,
    re.VERBOSE,
)
_NO_SPACE_BEFORE = set("，。！？；：、）》」』”’…,.!?;:)]}%")
_NO_SPACE_AFTER = set("（《「『“‘([{$€£¥￥#")
_PRONOUN = "[我你他她它]们?"
_PRONOUNS = re.compile(f"({_PRONOUN})?(.*?)({_PRONOUN})?")
_OPERATORS = set("=≈≠<>≤≥+−×·/")


def is_chinese(text: str) -> bool:
    """Whether the text holds at least one Han character."""
    return bool(_IS_HAN.search(text))


def tokenize(sentence: str, where: str = "sentence") -> tuple[str, ...]:
    """The tokens of a sentence, in order. `where` names the key or flag in errors.

    Raises InputError for a sentence that is empty or holds characters that are no text.
    """
    sentence = clean(sentence, where)
    if BAR in sentence:
        tokens = tuple(part.strip() for part in sentence.split(BAR) if part.strip())
    else:
        tokens = tuple(_pieces(sentence))
    tokens = tuple(token for token in tokens if token.strip(_JOINERS))
    if not tokens:
        raise InputError("sentence.empty", where=where)
    return tokens


def clean(sentence: str, where: str | Phrase = "sentence") -> str:
    """NFC-normalised text with single spaces and without invisible characters.

    Raises InputError for lone surrogates and control characters: they cannot be drawn.
    """
    text = " ".join(sentence.split())
    for sign in text:
        if unicodedata.category(sign) in ("Cc", "Cs", "Co") or sign == _REPLACEMENT:
            raise InputError("sentence.unprintable", where=where, code=f"U+{ord(sign):04X}")
    seen = "".join(sign for sign in text if not _invisible(sign))
    return unicodedata.normalize("NFC", " ".join(seen.split()).strip(_JOINERS + " "))


def has_words(text: str) -> bool:
    """Whether more than bars and joiners is left of a cleaned text."""
    return bool(text.strip(f"{BAR} {_JOINERS}"))


def _invisible(sign: str) -> bool:
    # The two joiners are format characters too, but they shape emoji and Indic letters.
    return sign in _BLANKS or (unicodedata.category(sign) == "Cf" and sign not in _JOINERS)


def join(tokens: tuple[str, ...]) -> str:
    """The tokens as a reader would write them: spaces between Latin words, none around Han."""
    text = ""
    for token in tokens:
        if text and _needs_space(text[-1], token[0]):
            text += " "
        text += token
    return text


def phrases(text: str) -> list[str]:
    """The text in pieces that a line should not be broken inside of; together they are the text.

    Chinese pieces are words, with the punctuation that belongs to them; others end at spaces.
    """
    found = _segmenter().cut(text) if is_chinese(text) else re.findall(r"\s*\S+\s*", text)
    pieces: list[str] = []
    for piece in found:
        if pieces and _holds(pieces[-1], piece):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def _holds(left: str, right: str) -> bool:
    """Whether two neighbouring pieces stay on one line: p = 0.93, and a word with its comma."""
    last, first = left[-1], right[0]
    if first.isspace() or first in _NO_SPACE_BEFORE or last in _NO_SPACE_AFTER:
        return True
    if (left.rstrip()[-1:].isdigit() and is_chinese(first)) or left.rstrip() == "第":
        return True  # 11 次, 第 100 个
    if last.isspace():
        return first in _OPERATORS or left.rstrip()[-1:] in tuple(_OPERATORS)
    return not any(unicodedata.east_asian_width(sign) in "WF" for sign in (last, first))


def _needs_space(left: str, right: str) -> bool:
    if right in _NO_SPACE_BEFORE or left in _NO_SPACE_AFTER:
        return False
    return not (_is_wide(left) or _is_wide(right))


def _is_wide(sign: str) -> bool:
    """Whether a sign needs no space beside it. 〈〉 hold words of either kind."""
    return sign not in "〈〉" and unicodedata.east_asian_width(sign) in "WF"


def _pieces(sentence: str) -> list[str]:
    pieces: list[str] = []
    for match in _PIECE.finditer(sentence):
        piece = match.group()
        pieces += _segmented(piece) if is_chinese(piece) else [piece]
    return pieces


def _segmented(run: str) -> list[str]:
    return [part for word in _segmenter().cut(run) for part in _without_pronouns(word)]


def _without_pronouns(word: str) -> list[str]:
    """我爱你 and 我用 are words to jieba (a song, a guess); a reader sees a pronoun and the rest.

    Words of the lexicon stay whole, and so do words of jieba's dictionary that are short
    (你好, 其他) or whose rest is no word we know (我国政府).
    """
    head, rest, tail = _PRONOUNS.fullmatch(word).groups()  # type: ignore[union-attr]
    if not rest or not (head or tail) or word in _known():
        return [word]
    if _segmenter().FREQ.get(word) and (len(word) < 3 or rest not in _known()):
        return [word]
    return [part for part in (head, rest, tail) if part]


@cache
def _segmenter() -> jieba.Tokenizer:
    """jieba with the corpus lexicon's words on top, so that 小明 and 量子力学 stay whole."""
    import logging

    import jieba

    jieba.setLogLevel(logging.CRITICAL)  # a full disk only costs it its own cache
    segmenter = jieba.Tokenizer()
    # jieba trusts a file of a fixed name among the temporary ones, whoever wrote it.
    segmenter.tmp_dir = str(own_temporary_folder())
    segmenter.cache_file = f"jieba-{jieba.__version__}.cache"
    for word in sorted(_known()):
        segmenter.add_word(word)
    return segmenter


@cache
def _known() -> frozenset[str]:
    from engine.corpus import known_words

    return known_words("zh")
