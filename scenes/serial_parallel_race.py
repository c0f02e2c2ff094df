"""The race of the two boards: by the clock, by depth, and once more when each word is written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import FadeIn, FadeOut, LaggedStart, VGroup, VMobject

from engine.errors import InputError
from engine.traces import SerialParallelTrace
from scenes.base import GUESS_SECONDS, Station
from scenes.channels import AS_IT_IS, Linear
from scenes.mobjects.number_label import Format, NumberLabel, format_fixed, integer
from scenes.mobjects.readout import Readout
from scenes.mobjects.retune import Change, Retune
from scenes.mobjects.text import Label, label
from scenes.serial_parallel_boards import HALF, ChainBoard, GridBoard, grid_width
from scenes.serial_parallel_lanes import Block, Clockwork, Growing, Lanes, Lit, Ready

RACE_SECONDS, DEPTH_SECONDS, REST_SECONDS = 5.0, 2.4, 2.0
BETWEEN = 0.6  # manim units from board to board
NUMBER_ROOM = 1.0  # manim units at the right of lanes, for what is written at their ends


def ms_text(milliseconds: float) -> str:
    """As many digits as a reader can use."""
    return format_fixed(milliseconds, 2 if milliseconds < 10 else 1 if milliseconds < 100 else 0)


def slowed(seconds: float, milliseconds: float) -> str:
    """How many times slower than it was something is shown, to two digits."""
    factor = 1000 * seconds / milliseconds
    step = 10 ** max(0, int(np.floor(np.log10(max(factor, 1.0)))) - 1)
    return integer(round(factor / step) * step)


class Race(Station):
    """Boards above, lanes below: each block of a lane is the step that lights a tile."""

    trace: SerialParallelTrace

    def prepare(self) -> None:
        if self.grid.frame.width < self.grid.frame.height:
            raise InputError("station.frame", station="serial_parallel", frames="16:9, 4:3")
        boards, self.lane_band = self.grid.stage.rows(1.8, 1, gap=0.2)
        wide = grid_width(boards, self.grid.type.smallest)
        left, right = boards.columns(boards.width - wide - BETWEEN, wide, gap=BETWEEN)
        self.chain_board = ChainBoard(self.theme, left, self.trace.words, self.say)
        self.grid_board = GridBoard(self.theme, right, self.trace.words, self.say)
        self.cells = self.grid_board.rows()
        self.lanes = self.named_lanes("loop", "fused", "attention")
        self.machine = self.where_measured()

    def named_lanes(self, *tasks: str) -> Lanes:
        roles = {"loop": "HIDDEN", "fused": "HIDDEN", "attention": "HIGH"}
        names = [(self.say(f"labels.{task}_short"), roles[task]) for task in tasks]
        return Lanes(self.theme, self.lane_band, names, NUMBER_ROOM)

    def where_measured(self) -> Label:
        """Machine, type and repeats, beside the title in every beat."""
        seen, band = self.trace.measured, self.grid.title
        text = self.say("labels.machine", device=seen.device, threads=seen.threads,
                        dtype=seen.dtype, runs=seen.runs, torch=seen.torch, date=seen.date)
        room = band.width - self.title_label.width - 0.5
        name = label(self.theme, text, "MUTED", "smallest", width=room, align=1.0)
        return band.place(name, 1, 0.5)  # type: ignore[return-value]

    def number(
        self, value: float, field: str, *index: int, text: Format = integer, role: str = "TEXT"
    ) -> NumberLabel:
        """A number of the trace, written and bound."""
        number = NumberLabel(self.theme, value, format=text, role=role, size="label")
        self.bind(number, "value", value, AS_IT_IS, field=field, index=index)
        return number

    def question(self) -> None:
        with self.beat("question", guess=GUESS_SECONDS, words=self.trace.words):
            self.play(FadeIn(self.machine), FadeIn(self.chain_board), run_time=1.0)
            self.play(FadeIn(self.grid_board), run_time=1.0)
            self.add(self.cells)
            self.guesses = VGroup(*[
                self.lanes.beside(label(self.theme, self.say("labels.guess"), role, "label",
                                        weight=500), lane, self.lanes.right)
                for lane, role in enumerate(self.lanes.roles)
            ])
            self.play(FadeIn(self.lanes), FadeIn(self.guesses), run_time=0.6)

    # By the clock

    def race(self) -> None:
        trace, board = self.trace, self.trace.reading
        ends = [board.recurrent_ms[-1], trace.fused_ms, board.attention_ms[-1]]
        self.scale = self.lanes.scale(max(ends))
        self.axis = self.lanes.axis(max(ends), self.say("labels.milliseconds"))
        self.blocks = [self.lanes.blocks(i, n) for i, n in enumerate(self.block_counts())]
        self.clock = NumberLabel(self.theme, 0.0, format=ms_text)
        read = self.read_out(self.say("labels.clock"), self.clock, ms_text(max(ends)))
        with self.beat("race", slow=slowed(RACE_SECONDS, max(ends)), loop=ms_text(ends[0]),
                       fused=ms_text(ends[1]), attention=ms_text(ends[2])):
            self.play(FadeIn(self.axis), FadeIn(read), FadeOut(self.guesses), run_time=0.6)
            self.add(*[block for lane in self.blocks for block in lane])
            self.play(Clockwork(max(ends), self.lit_reading(board.recurrent_ms, trace.fused_ms,
                                                            board.attention_ms),
                                self.growing(board.recurrent_ms, trace.fused_ms,
                                             board.attention_ms),
                                self.scale, self.clock, run_time=RACE_SECONDS))
            self.bind_reading("ms", Ready(max(ends)), self.scale)
            self.bind(self.clock, "value", max(ends), AS_IT_IS, **self.latest(ends))
            self.ends = self.lane_numbers(
                (ends[0], "reading.recurrent_ms", (trace.words,)), (ends[1], "fused_ms", ()),
                (ends[2], "reading.attention_ms", (3,)), text=ms_text)
            self.play(FadeIn(self.ends))
        self.read = read

    def latest(self, ends: Sequence[float]) -> dict[str, object]:
        """Where the trace says how long the last of the three took."""
        places = [("reading.recurrent_ms", (self.trace.words,)), ("fused_ms", ()),
                  ("reading.attention_ms", (3,))]
        field, index = places[int(np.argmax(ends))]
        return {"field": field, "index": index}

    def block_counts(self) -> tuple[int, int, int]:
        board = self.trace.reading
        return len(board.recurrent_ms), 1, len(board.attention_ms)

    def read_out(self, name: str, number: NumberLabel, widest: str) -> Readout:
        return Readout(self.theme, self.grid.readout, [(name, number, widest)])

    def lit_reading(
        self, recurrent: np.ndarray, fused: float, attention: np.ndarray
    ) -> list[Lit]:
        """What is lit when, in milliseconds or in depths. # recurrent: [1 + word]"""
        chain, grid = self.chain_board, self.grid_board
        lit = [Lit(tile, recurrent[0]) for tile in chain.inputs]
        lit += [Lit(tile, recurrent[t + 1]) for t, tile in enumerate(chain.states)]
        lit += [Lit(tile, fused) for tile in chain.fused]
        lit += [Lit(tile, attention[0]) for tile in (*grid.queries, *grid.keys, *grid.values)]
        lit += [Lit(row, attention[1], HALF) for row in self.cells]
        lit += [Lit(row, attention[2]) for row in self.cells]
        return [*lit, *[Lit(tile, attention[3]) for tile in grid.contexts]]

    def growing(
        self, recurrent: np.ndarray, fused: float, attention: np.ndarray
    ) -> list[Growing]:
        """When each block starts and ends."""
        ends = [recurrent, np.array([fused]), attention]
        return [grows for lane, times in zip(self.blocks, ends, strict=True)
                for grows in successive(lane, times)]

    def bind_reading(self, unit: str, ready: Ready, scale: Linear) -> None:
        """Every tile that tells a step, and every block, stand for their entry of the trace."""
        chain, grid, board = self.chain_board, self.grid_board, self.trace.reading
        serial, parallel = f"reading.recurrent_{unit}", f"reading.attention_{unit}"
        times, stages = (getattr(board, f.split(".")[1]) for f in (serial, parallel))
        for t, tile in enumerate(chain.states):
            self.bind(tile, "fill_opacity", times[t + 1], ready, field=serial, index=(t + 1,))
        for tile in chain.inputs:
            self.bind(tile, "fill_opacity", times[0], ready, field=serial, index=(0,))
        for stage, group in ((0, (*grid.queries, *grid.keys, *grid.values)), (2, self.cells),
                             (3, grid.contexts)):
            for tile in group:
                self.bind(tile, "fill_opacity", stages[stage], ready, field=parallel,
                          index=(stage,))
        self.bind_tips(self.blocks[0], times, scale, serial)
        self.bind_tips(self.blocks[2], stages, scale, parallel)
        whole = ("fused_ms", (), self.trace.fused_ms) if unit == "ms" else (
            serial, (len(times) - 1,), times[-1])
        self.bind(self.blocks[1][0], "tip", whole[2], scale, field=whole[0], index=whole[1])

    def bind_tips(
        self, blocks: Sequence[Block], times: np.ndarray, scale: Linear, field: str
    ) -> None:
        for step, (block, time) in enumerate(zip(blocks, times, strict=True)):
            self.bind(block, "tip", time, scale, field=field, index=(step,))

    def lane_numbers(
        self, *told: tuple[float, str, tuple[int, ...]], text: Format
    ) -> VGroup:
        """What each lane ends with, written there."""
        numbers = VGroup()
        for lane, (value, field, index) in enumerate(told):
            number = self.number(value, field, *index, text=text)
            numbers.add(self.lanes.beside(number, lane, self.scale(value)))
        return numbers

    # By depth

    def chain(self) -> None:
        trace, board = self.trace, self.trace.reading
        deep, flat = int(board.recurrent_depths[-1]), int(board.attention_depths[-1])
        leaving = VGroup(self.axis, self.ends, self.read, *[VGroup(*lane) for lane in self.blocks])
        self.release(leaving)
        self.blocks = [self.lanes.blocks(i, n) for i, n in enumerate(self.block_counts())]
        self.scale = self.lanes.scale(deep)
        self.axis = self.lanes.axis(deep, self.say("labels.steps"))
        self.clock = NumberLabel(self.theme, 0.0, format=lambda depth: integer(int(depth)))
        read = self.read_out(self.say("labels.boards_after"), self.clock, integer(flat))
        depths = (board.recurrent_depths, float(deep), board.attention_depths)
        early = [each for each in self.lit_reading(*depths) if each.ready <= flat]
        growing = self.growing(*depths)
        with self.beat("chain", deep=deep, flat=flat, bill=integer(trace.bill_words),
                       bill_deep=integer(trace.bill_depths[0]),
                       bill_flat=integer(trace.bill_depths[1])):
            self.play(self.put_out(), FadeOut(leaving), run_time=0.8)
            self.play(FadeIn(self.axis), FadeIn(read), run_time=0.6)
            self.add(*[block for lane in self.blocks for block in lane])
            self.play(Clockwork(flat, early, growing, self.scale, self.clock,
                                run_time=DEPTH_SECONDS))
            self.bind(self.clock, "value", flat, AS_IT_IS, field="reading.attention_depths",
                      index=(3,))
            self.play(Clockwork(deep, [], growing, self.scale, start=flat, run_time=REST_SECONDS))
            self.bind_reading("depths", Ready(flat), self.scale)
            self.ends = self.lane_numbers(
                (deep, "reading.recurrent_depths", (trace.words,)),
                (deep, "reading.recurrent_depths", (trace.words,)),
                (flat, "reading.attention_depths", (3,)), text=integer)
            self.play(FadeIn(self.ends))
        self.read = read

    def put_out(self) -> Retune:
        """All tiles go dark again, all at once; no longer bound."""
        chain, grid = self.chain_board, self.grid_board
        tiles = [*chain.inputs, *chain.states, *chain.fused, *grid.queries, *grid.keys,
                 *grid.values, *grid.contexts, *self.cells]
        self.release(*tiles)
        return Retune([Change(tile, "fill_opacity", 1.0, 0.0) for tile in tiles])

    # When each word is written

    def writing(self) -> None:
        board, words = self.trace.writing, self.trace.words
        ends = [board.recurrent_ms[-1], board.attention_ms[-1]]
        self.lanes = self.named_lanes("loop", "attention")
        self.scale = self.lanes.scale(max(ends))
        axis = self.lanes.axis(max(ends), self.say("labels.milliseconds"))
        self.blocks = [self.lanes.blocks(lane, words) for lane in range(2)]
        self.cells = self.grid_board.rows(triangle=True)
        growing = [grows for lane, times in zip(
            self.blocks, (board.recurrent_ms, board.attention_ms), strict=True)
            for grows in successive(lane, times)]
        read = self.depth_readout()
        with self.beat("writing", words=words, recurrent=integer(board.recurrent_depths[-1]),
                       attention=integer(board.attention_depths[-1]),
                       cells=integer(board.cells)):
            self.play(FadeIn(self.chain_board.watched), FadeIn(self.grid_board), FadeIn(self.lanes),
                      FadeIn(axis), run_time=0.8)
            self.add(self.cells, *[block for lane in self.blocks for block in lane])
            self.play(Clockwork(max(ends), self.lit_writing(), growing, self.scale,
                                run_time=RACE_SECONDS))
            self.bind_writing(Ready(max(ends)))
            self.ends = self.lane_numbers(
                (ends[0], "writing.recurrent_ms", (words - 1,)),
                (ends[1], "writing.attention_ms", (words - 1,)), text=ms_text)
            self.play(FadeIn(self.ends), FadeIn(read))

    def depth_readout(self) -> Readout:
        """The steps in a row when writing, and the weights computed on the way."""
        board, last = self.trace.writing, self.trace.words - 1
        told = [("labels.in_a_row_rnn", board.recurrent_depths[-1], "writing.recurrent_depths",
                 (last,)),
                ("labels.in_a_row_attention", board.attention_depths[-1],
                 "writing.attention_depths", (last,)),
                ("labels.weights", board.cells, "writing.cells", ())]
        return Readout(self.theme, self.grid.readout, [
            (self.say(key), self.number(value, field, *index), "")
            for key, value, field, index in told
        ])

    def lit_writing(self) -> list[Lit]:
        """A word's tile is lit when the state before it is done; its row when it is."""
        chain, grid, board = self.chain_board, self.grid_board, self.trace.writing
        known = np.concatenate([[0.0], board.recurrent_ms[:-1]])  # [word]
        lit = [Lit(tile, known[t]) for t, tile in enumerate(chain.inputs)]
        lit += [Lit(tile, board.recurrent_ms[t]) for t, tile in enumerate(chain.states)]
        for group in (grid.queries, grid.keys, grid.values, self.cells, grid.contexts):
            lit += [Lit(tile, board.attention_ms[t]) for t, tile in enumerate(group)]
        return lit

    def bind_writing(self, ready: Ready) -> None:
        chain, grid, board = self.chain_board, self.grid_board, self.trace.writing
        serial, parallel = "writing.recurrent_ms", "writing.attention_ms"
        self.bind_each(chain.states, "fill_opacity", board.recurrent_ms, ready, field=serial)
        groups: list[Sequence[VMobject]] = [grid.queries, grid.keys, grid.values, self.cells,
                                            grid.contexts]
        for group in groups:
            self.bind_each(group, "fill_opacity", board.attention_ms, ready, field=parallel)
        self.bind_tips(self.blocks[0], board.recurrent_ms, self.scale, serial)
        self.bind_tips(self.blocks[1], board.attention_ms, self.scale, parallel)


def successive(blocks: Sequence[Block], ends: np.ndarray) -> list[Growing]:
    """Blocks one after another, each starting where the one before ends."""
    starts = np.concatenate([[0.0], ends[:-1]])
    return [Growing(*each) for each in zip(blocks, starts, ends, strict=True)]


def appear(parts: Sequence[VMobject], seconds: float = 1.0) -> LaggedStart:
    """One after another."""
    return LaggedStart(*map(FadeIn, parts), lag_ratio=0.3, run_time=seconds)
