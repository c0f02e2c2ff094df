"""What the command says of sentences that the model does not know."""

from __future__ import annotations

import io
from dataclasses import replace

from engine.traces import to_json
from engine.words import LANGUAGES
from studio.doubts import doubts
from studio.progress import Reporter
from tests.factories import closed_eyes_recital, looking_back, relay_game


def test_only_sentences_that_are_not_known_are_named_each_once():
    trace = looking_back()
    first, *others = trace.pairs
    evidence = replace(first.evidence, agreeing=2)
    unknown = replace(first, trust="unknown", evidence=evidence)
    found = doubts(to_json(replace(trace, pairs=(unknown, unknown, *others))))
    assert found == [{"source": "欢迎来杭州", "least": evidence.least_probability,
                      "agreeing": 2, "seeds": 3}]  # fmt: skip


def test_a_recital_is_asked_too_and_known_sentences_are_passed_over():
    trace = closed_eyes_recital()
    assert doubts(to_json(trace)) == []
    assert doubts(to_json(relay_game())) == []
    long = replace(trace.long, trust="unknown")
    assert [d["source"] for d in doubts(to_json(replace(trace, long=long)))] != []


def test_the_line_says_what_would_help_in_both_languages():
    for lang in LANGUAGES:
        err = io.StringIO()
        doubt = {"source": "我爱你", "least": 0.25, "agreeing": 1, "seeds": 3}
        Reporter(lang, err=err).say("not_known", station="looking_back", **doubt)
        line = err.getvalue()
        assert line.count("\n") == 1 and "我爱你" in line and "0.25" in line and "--target" in line
