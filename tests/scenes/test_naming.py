"""Names of models in a footer."""

from __future__ import annotations

import pytest

from scenes.naming import together


@pytest.mark.parametrize(("names", "said"), [
    (["a"], "a"),
    (["untrained twin", "untrained twin"], "untrained twin"),
    (["recall_lstm", "order_rnn"], "recall_lstm, order_rnn"),
    (["recall_rnn", "recall_lstm"], "recall_rnn, lstm"),
    (["t_zh-en_seed1", "t_zh-en_seed2", "t_en-zh_seed1"], "t_zh-en_seed1/2, en-zh_seed1"),
])  # fmt: skip
def test_what_is_common_is_said_once(names: list[str], said: str) -> None:
    assert together(names) == said
