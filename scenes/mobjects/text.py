"""Words on screen: one VMobject per piece of text, set in the project's own font.

    label(theme, "源句", role="SOURCE")            # one line, the label size
    body(theme, text, width=grid.caption.width)     # wrapped to a width

User text is drawn as it is: there is no markup to escape.
"""

from __future__ import annotations

import numpy as np
from manim import VMobject, config

from scenes.fonts import OPTICAL_CENTRE, is_han, line_outline
from scenes.grid import LINE, type_sizes
from scenes.theme import Theme

WEIGHTS = {"title": 600, "body": 400, "label": 400, "number": 500, "smallest": 400}
NO_LINE_START = set("，。、；：？！…—”’）》」』】〉％·,.;:?!)]}%'\"")
PHRASE_ENDS = set("，。、；：？！,.;:?!")
PHRASE_SHARE = 0.62  # longest share of the text that a line may take to end with a phrase
FULL_WIDTH_STOPS = set("，。、；：？！…—”’）》」』】〉")
NO_LINE_END = set("“‘（《「『【〈([{")


class Label(VMobject):
    """Text as outlines in one VMobject.

    `em` is its size now, in manim units; `baseline` the height of its last line's baseline.
    """

    def __init__(
        self, text: str, em: float, color: object, weight: int = 400, align: float = 0.0
    ) -> None:
        """`text` may hold line breaks; `align` is 0 for flush left, .5 centred, 1 right."""
        super().__init__(fill_color=color, fill_opacity=1.0, stroke_width=0.0)
        self.text = text
        self.weight = weight
        self.lines = text.split("\n")
        self.set_points(set_lines(self.lines, weight, align) * em)
        self._remember(em)
        self.center()

    def _remember(self, em: float) -> None:
        """Keeps size and baseline against the outline, so that they follow any move."""
        self._span = outline_span(self.points, em)
        depth = -self.get_bottom()[1] - (len(self.lines) - 1) * LINE * em
        self._depth_per_height = depth / self.height if self.height else 0.0

    @property
    def em(self) -> float:
        """Size of the type now (what 1/40 of the frame height is asked of)."""
        return span_em(self.points, self._span)

    @property
    def baseline(self) -> float:
        """y of the last line's baseline (of text that is not turned)."""
        return float(self.get_bottom()[1]) + self.height * self._depth_per_height

    def stand_on(self, y: float) -> Label:
        """Puts the last baseline at height y: words side by side share one line."""
        return self.shift([0.0, y - self.baseline, 0.0])

    def centre_on(self, point: np.ndarray) -> Label:
        """Centres the text on a point by its capitals, so that no tail moves it up or down."""
        middle = self.baseline + OPTICAL_CENTRE * self.em
        middle += (len(self.lines) - 1) * LINE * self.em / 2
        dx = float(point[0]) - self.get_center()[0]
        return self.shift([dx, float(point[1]) - middle, 0.0])

    def restate(self, text: str, align: float = 0.0) -> Label:
        """Other words at the same place, size and colour (left edge and baseline kept)."""
        em, left, baseline = self.em, self.get_left()[0], self.baseline
        self.text, self.lines = text, text.split("\n")
        self.set_points(set_lines(self.lines, self.weight, align) * em)
        self._remember(em)
        return self.shift([left - self.get_left()[0], 0.0, 0.0]).stand_on(baseline)


Span = tuple[int, int, float]  # two points of an outline and the em per their distance


def outline_span(points: np.ndarray, em: float) -> Span:
    """Two far points of an outline, which tell its size whatever way it is turned."""
    if not len(points):
        return (0, 0, 0.0)
    across = points[:, 0] - points[:, 1]
    low, high = int(across.argmin()), int(across.argmax())
    return low, high, em / float(np.linalg.norm(points[high] - points[low]))


def span_em(points: np.ndarray, span: Span) -> float:
    """Size of the type that `span` was taken from, as it is now."""
    low, high, em_per_distance = span
    if not len(points):
        return 0.0
    return float(np.linalg.norm(points[high] - points[low])) * em_per_distance


def set_lines(lines: list[str], weight: int, align: float) -> np.ndarray:
    """Points of a paragraph in em, first baseline at y = 0, [4 * curve, xyz]."""
    outlines = [line_outline(line, weight) for line in lines]
    widest = max(outline.advance for outline in outlines)
    corners = [
        np.array([align * (widest - outline.advance), -LINE * row, 0.0])
        for row, outline in enumerate(outlines)
    ]
    return np.concatenate([o.points + at for o, at in zip(outlines, corners, strict=True)])


def text_width(text: str, weight: int = 400) -> float:
    """Width of one line in em."""
    return line_outline(text, weight).advance


def sizes() -> dict[str, float]:
    """The frame's type sizes in manim units: title, body, label, number, smallest."""
    return dict(vars(type_sizes(config.frame_width, config.frame_height)))


def label(
    theme: Theme,
    text: str,
    role: str = "TEXT",
    size: str = "label",
    width: float | None = None,
    weight: int | None = None,
    align: float = 0.0,
) -> Label:
    """A piece of text in a role's colour; wrapped where `width` (manim units) is given."""
    em, heft = sizes()[size], weight or WEIGHTS[size]
    if width is not None:
        text = "\n".join(wrap(text, width / em, heft))
    return Label(text, em, theme.color(role), heft, align)


def title(theme: Theme, text: str, role: str = "TEXT", width: float | None = None) -> Label:
    """The station's name."""
    return label(theme, text, role, "title", width)


def body(theme: Theme, text: str, role: str = "TEXT", width: float | None = None) -> Label:
    """A sentence of explanation, centred lines."""
    return label(theme, text, role, "body", width, align=0.5)


def stand_together(*labels: Label) -> None:
    """Puts labels on the first one's baseline."""
    for other in labels[1:]:
        other.stand_on(labels[0].baseline)


def wrap(text: str, width: float, weight: int = 400) -> list[str]:
    """Lines no wider than `width` em, as few as will do, and of even length.

    Chinese breaks anywhere but before closing and after opening punctuation; Latin at spaces.
    A word longer than the line stays whole: the caller sees that it does not fit.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        greedy = _fill(paragraph, width, weight)
        even = _evened(paragraph, greedy, width, weight)
        lines += (_by_phrase(paragraph, width, weight) or even) if len(even) == 2 else even
    return lines


def _by_phrase(paragraph: str, width: float, weight: int) -> list[str]:
    """Two lines that part after a stop, if one stands near enough to the middle."""
    best: list[str] = []
    least = PHRASE_SHARE
    for place in range(1, len(paragraph)):
        if paragraph[place - 1] not in PHRASE_ENDS or not _may_break_at(paragraph, place):
            continue
        lines = [paragraph[:place].rstrip(), paragraph[place:].lstrip()]
        long = max(text_width(line, weight) for line in lines)
        share = long / sum(text_width(line, weight) for line in lines)
        if long <= width and share < least:
            best, least = lines, share
    return best


def _may_break_at(text: str, place: int) -> bool:
    left, right = text[place - 1], text[place]
    return _may_break(left, right) or (right.isspace() and place + 1 < len(text))


def _evened(paragraph: str, greedy: list[str], width: float, weight: int) -> list[str]:
    """The same number of lines with the narrowest measure that allows it."""
    if len(greedy) == 1:
        return greedy
    low, high, best = width / len(greedy), width, greedy
    for _ in range(12):
        middle = (low + high) / 2
        lines = _fill(paragraph, middle, weight)
        if len(lines) <= len(greedy) and max(text_width(line, weight) for line in lines) <= middle:
            high, best = middle, lines
        else:
            low = middle
    return best


def _fill(paragraph: str, width: float, weight: int) -> list[str]:
    lines, line = [], ""
    for piece in _unbreakable(paragraph):
        if line and text_width((line + piece).rstrip(), weight) > width:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()]


def _unbreakable(text: str) -> list[str]:
    """Pieces that a line never divides, each with the space that follows it."""
    pieces: list[str] = []
    for sign in text:
        if pieces and (_counts(pieces[-1], sign) or not _may_break(pieces[-1][-1], sign)):
            pieces[-1] += sign
        else:
            pieces.append(sign)
    return pieces


def _counts(piece: str, sign: str) -> bool:
    """A number and what it counts: 8 个 stays together."""
    return piece.rstrip().isdecimal() and is_han(sign)


def _may_break(left: str, right: str) -> bool:
    if right.isspace() or right in NO_LINE_START or left in NO_LINE_END:
        return False
    return left.isspace() or is_han(left) or is_han(right) or left in FULL_WIDTH_STOPS


