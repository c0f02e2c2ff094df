"""How good translations and alignments are, in the field's own measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

Words = Sequence[str]
Links = Collection[tuple[int, int]]  # (target position, source position)


def exact_match(outputs: Sequence[Words], references: Sequence[Words]) -> float:
    """Share of sentences that equal their reference word for word."""
    same = [list(o) == list(r) for o, r in zip(outputs, references, strict=True)]
    return sum(same) / len(same)


def bleu(outputs: Sequence[Words], references: Sequence[Words]) -> float:
    """Corpus BLEU of 0 … 100 on our own words (Papineni et al. 2002, by sacrebleu)."""
    import sacrebleu  # only training and measuring need it

    hypotheses, truths = ([" ".join(words) for words in side] for side in (outputs, references))
    score = sacrebleu.corpus_bleu(hypotheses, [truths], tokenize="none", force=True)
    return float(score.score)


def token_recall(outputs: Sequence[Words], references: Sequence[Words]) -> float:
    """Share of reference words, counted with multiplicity, that the output holds anywhere."""
    found = total = 0
    for output, reference in zip(outputs, references, strict=True):
        found += (Counter(output) & Counter(reference)).total()
        total += len(reference)
    return found / total


@dataclass(frozen=True)
class AlignmentCounts:
    """Counts behind an alignment error rate; sums of sentences add up."""

    links: int = 0
    sure: int = 0
    links_sure: int = 0
    links_possible: int = 0
    content: int = 0  # target words with a sure link
    content_right: int = 0  # of those, words whose link is possible

    def __add__(self, other: AlignmentCounts) -> AlignmentCounts:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return AlignmentCounts(*(a + b for a, b in pairs))

    @property
    def error_rate(self) -> float:
        """AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|) (Och and Ney 2003, eq. 28); 0 is best."""
        return 1 - (self.links_sure + self.links_possible) / (self.links + self.sure)

    @property
    def content_accuracy(self) -> float:
        """Share of content words that look at one of their own source words."""
        return self.content_right / self.content


def count_alignment(alignment: Sequence[int], sure: Links, possible: Links) -> AlignmentCounts:
    """Counts of one sentence. alignment [target]: the source position each word looks at."""
    links, certain = set(enumerate(alignment)), set(sure)
    allowed = certain | set(possible)
    content = {target for target, _ in certain}
    right = sum((target, alignment[target]) in allowed for target in content)
    return AlignmentCounts(
        links=len(links),
        sure=len(certain),
        links_sure=len(links & certain),
        links_possible=len(links & allowed),
        content=len(content),
        content_right=right,
    )


def total(counts: Iterable[AlignmentCounts]) -> AlignmentCounts:
    """The counts of many sentences together."""
    return sum(counts, AlignmentCounts())


def crossings(alignment: Sequence[int]) -> int:
    """Pairs of links that cross: i before k in the target, the other way round in the source."""
    positions = list(alignment)
    return sum(a > b for i, a in enumerate(positions) for b in positions[i + 1 :])


def in_order(output: Words, reference: Words) -> list[bool]:
    """For each output word whether it belongs to a longest common subsequence with the reference.

    So one word too many or too few does not make all that follow wrong.
    """
    longest = [[0] * (len(reference) + 1) for _ in range(len(output) + 1)]
    for i in reversed(range(len(output))):
        for j in reversed(range(len(reference))):
            if output[i] == reference[j]:
                longest[i][j] = longest[i + 1][j + 1] + 1
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    kept, j = [], 0
    for i, word in enumerate(output):
        while j < len(reference) and longest[i][j + 1] == longest[i][j]:
            j += 1  # this reference word is not needed for the rest
        kept.append(j < len(reference) and word == reference[j])
        j += kept[-1]
    return kept
