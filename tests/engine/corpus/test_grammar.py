"""What the grammar says: inflection, articles, word order, links."""

from __future__ import annotations

import pytest

from engine.corpus import SentencePair, generate
from engine.corpus.draw import Draw
from engine.corpus.english import article, superlative, third_person
from engine.corpus.lexicon import load_lexicon
from engine.corpus.noun_phrases import pronoun
from engine.corpus.phrases import chain, prefixed, rule, suffixed, word
from engine.corpus.rows import Action, Verb
from engine.corpus.segmentation import segment
from engine.corpus.verb_phrases import verb_group


@pytest.mark.parametrize(
    ("verb", "third"),
    [
        ("buy", "buys"),
        ("carry", "carries"),
        ("wash", "washes"),
        ("go to", "goes to"),
        ("have lunch", "has lunch"),
        ("do homework", "does homework"),
        ("wait for", "waits for"),
    ],
)
def test_third_person(verb: str, third: str) -> None:
    assert third_person(verb) == third


@pytest.mark.parametrize(
    ("following", "expected"),
    [("apple", "an"), ("book", "a"), ("university", "a"), ("honest", "an"), ("old", "an")],
)
def test_article(following: str, expected: str) -> None:
    assert article(following) == expected


def test_superlative() -> None:
    assert superlative("bigger") == "biggest"
    assert superlative("more famous") == "most famous"
    assert superlative("better") == "best"


def test_no_verb_or_comparative_is_misspelled() -> None:
    for name, kind in (("verbs", Verb), ("actions", Action), ("da", Action)):
        for row in load_lexicon().table(name, kind):
            assert row.ing.split()[0].endswith("ing"), row
            assert len(row.en.split()) == len(row.past.split()), row


def _said(tense: str, subject: str, *, inverted: bool = False) -> str:
    draw = Draw(1, load_lexicon())
    row = next(verb for verb in load_lexicon().table("verbs", Verb) if verb.zh == "买")
    group = verb_group(pronoun(draw, subject), row, tense, inverted=inverted)
    zh = chain(group.negation, group.finite, group.modal, group.verb).zh_text
    en = chain(group.finite, group.negation, group.modal, group.verb).en_text
    return f"{zh} / {en}"


@pytest.mark.parametrize(
    ("tense", "subject", "expected"),
    [
        ("past", "他", "买 了 / bought"),
        ("not_past", "他", "没有 买 / did not buy"),
        ("present", "他", "买 / buys"),
        ("present", "我", "买 / buy"),
        ("not_present", "她", "不 买 / does not buy"),
        ("future", "她", "会 买 / will buy"),
        ("not_future", "她", "不 会 买 / will not buy"),
        ("going", "我", "要 买 / am going to buy"),
        ("progressive", "他们", "正在 买 / are buying"),
        ("perfect", "他", "买 过 / has bought"),
        ("already", "我们", "已经 买 了 / have already bought"),
        ("want", "他", "想 买 / wants to buy"),
        ("not_want", "他", "不 想 买 / does not want to buy"),
        ("not_can", "你", "不 能 买 / cannot buy"),
    ],
)
def test_inflection_follows_the_sentence(tense: str, subject: str, expected: str) -> None:
    assert _said(tense, subject) == expected


def test_a_question_has_a_verb_to_move() -> None:
    assert _said("past", "你", inverted=True) == "买 了 / did buy"
    assert _said("want", "他", inverted=True) == "想 买 / does want to buy"


def test_links_follow_the_words() -> None:
    book, the_old = word("书", "book"), suffixed(word("旧", "old"), "的")
    phrase = rule((the_old, book), (book, the_old))
    keys = dict(phrase.zh)
    assert phrase.en == (
        ("book", (keys["书"],), ()),
        ("old", (keys["旧"],), (keys["的"],)),
    )
    assert prefixed(book, "那").zh_text == "那 书"


@pytest.fixture(scope="module")
def pairs() -> list[SentencePair]:
    return generate(8000, seed=7)


def _texts(pairs: list[SentencePair], template: str) -> list[tuple[str, str]]:
    return [
        (" ".join(pair.zh), " ".join(pair.en))
        for pair in pairs
        if pair.templates[:1] == (template,) and len(pair.templates) < 5
    ]


@pytest.mark.parametrize(
    ("template", "zh_marks", "en_marks"),
    [
        ("comparison", ("比",), ("than",)),
        ("passive", ("被", "了"), ("was", "were")),
        ("put", ("把", "放 在"), ("put",)),
        ("what_question", ("什么", "？"), ("what", "?")),
        ("more_and_more", ("越来越",), ("getting",)),
        ("result", ("得",), ()),
        ("age", ("岁",), ("years old",)),
        ("left_dislocation", ("， 它",), (", it is",)),
        ("duration", ("了",), ("for",)),
    ],
)
def test_structures_show_on_both_sides(
    pairs: list[SentencePair], template: str, zh_marks: tuple[str, ...], en_marks: tuple[str, ...]
) -> None:
    texts = _texts(pairs, template)
    assert texts
    for zh, en in texts:
        assert all(mark in zh for mark in zh_marks), (zh, en)
        assert not en_marks or any(mark in en for mark in en_marks), (zh, en)


def test_articles_agree_with_the_next_word(pairs: list[SentencePair]) -> None:
    for pair in pairs:
        for this, following in zip(pair.en, pair.en[1:], strict=False):
            if this in ("a", "an") and following not in ("little", "lot"):
                assert this == article(following), " ".join(pair.en)


def test_be_agrees_with_its_pronoun(pairs: list[SentencePair]) -> None:
    wrong = {("I", "is"), ("I", "are"), ("he", "are"), ("he", "am"), ("they", "is"), ("we", "is")}
    wrong |= {("you", "is"), ("she", "are"), ("it", "are"), ("they", "has"), ("he", "have")}
    for pair in pairs:
        assert wrong.isdisjoint(zip(pair.en, pair.en[1:], strict=False)), " ".join(pair.en)


def test_text_is_segmented_into_the_words_it_was_made_of(pairs: list[SentencePair]) -> None:
    plain = [pair for pair in pairs if not {"，", "、", "。", "？"} & set(pair.zh)]
    wrong = [pair.zh for pair in plain if tuple(segment("".join(pair.zh))) != pair.zh]
    assert len(plain) > 2000
    assert len(wrong) < 0.003 * len(plain), wrong[:5]


def test_compounds_are_not_taken_apart() -> None:
    assert segment("我想开门") == ["我", "想", "开门"]  # the lexicon's 开 is to drive
    assert segment("我买了新书") == ["我", "买", "了", "新", "书"]
    assert segment("今天天气很好")[:2] == ["今天", "天气"]
