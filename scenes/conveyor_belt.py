"""Station 3, the conveyor belt: an LSTM carries a name to the end of a sentence.

c_t = f ⊙ c_{t-1} + i ⊙ g (Hochreiter and Schmidhuber 1997; Gers, Schmidhuber and Cummins 2000),
told valve by valve; then RNN, LSTM and GRU on the same words; then how far such a belt carries.
"""

from __future__ import annotations

from scenes.conveyor_belt_far import Far


class ConveyorBelt(Far):
    """Question, one cell at work, the way back, three cells compared, controls, names."""

    trailer = ("gradients",)

    def construct(self) -> None:
        self.prepare()
        self.question()
        self.belt_comes()
        self.write()
        self.keep()
        self.show()
        self.run()
        self.light()
        self.gru()
        self.answer()
        self.gradients()
        self.accuracy()
        self.taught()
        self.biases()
        self.names()
