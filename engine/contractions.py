"""English contractions written out, for a translator that was not trained on them."""

from __future__ import annotations

_WHOLE = {
    "can't": "cannot",
    "won't": "will not",
    "shan't": "shall not",
    "let's": "let us",
}
_ENDINGS = {"n't": "not", "'ll": "will", "'re": "are", "'ve": "have", "'m": "am", "'d": "would"}
_IS_AFTER = {"he", "she", "it", "that", "there", "here", "what", "who", "where", "when", "how"}


def written_out(word: str) -> list[str]:
    """don't → do not, it's → it is; a capital stays. Nothing for any other word."""
    plain = word.replace("’", "'")
    lower = plain.lower()
    if lower in _WHOLE:
        return _with_capital(_WHOLE[lower].split(), plain)
    for ending, full in _ENDINGS.items():
        if lower.endswith(ending) and len(lower) > len(ending):
            return [plain[: -len(ending)], full]
    if lower.endswith("'s") and lower[:-2] in _IS_AFTER:
        return [plain[:-2], "is"]
    return []


def _with_capital(parts: list[str], word: str) -> list[str]:
    return [parts[0].capitalize(), *parts[1:]] if word[0].isupper() else parts
