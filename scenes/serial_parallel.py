"""Station 6, serial vs parallel: one state after another, or all words at once.

Two boards fill from measured times, then by what must wait for what. The batch, the bill and
every length follow; at last both boards write, and both have to wait.
"""

from __future__ import annotations

from scenes.serial_parallel_charts import Charts


class SerialParallel(Charts):
    def construct(self) -> None:
        self.prepare()
        self.question()
        self.race()
        self.chain()
        self.batch()
        self.bill()
        self.by_length()
        self.clear_stage(self.machine)
        self.writing()
        self.name()
