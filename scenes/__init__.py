"""Pictures: one file and one Scene class per station, drawn from a trace and nothing else.

How to write a station (scenes/<station>.py, class in CamelCase):

    class LookingBack(Station):                            # self.trace, lesson, theme, grid
        def construct(self):
            self.source = TokenRow(self.theme, self.trace.pairs[0].source, "SOURCE",
                                   width=self.grid.stage.width)
            upper, lower = self.grid.stage.rows(1, 2)      # cut a band; never type coordinates
            upper.place(self.source)                       # fraction (0.5, 0.5) by default
            with self.beat("question", guess=2):           # section + caption + reading pause
                self.play(FadeIn(self.source))
            with self.beat("weights", n=12):               # values fill the caption's {n}
                self.play(*[self.bind_animation(beam, "stroke_width", weight, Linear(0, 1, 0, 16),
                            field="pairs[0].weights", index=(i, j), label="α")
                            for j, (beam, weight) in enumerate(...)])
                self.play(self.count_to(number, total, field="sum(pairs[0].weights)", index=(i,)))
            with self.beat("next"):
                self.play(*self.dim(old))                  # recede to a third; channels end

Words    only `self.say("labels.x")` → [<station>.labels] of both tables, or [common]. Captions in
         [<station>.captions], one per beat; the title is `<station>.title`, and the optional
         `<station>.quantity` ends the footer. A caption has two lines: ~80 Han or ~150 Latin
         letters at most, 44 and 100 with `lang = "both"`. Write hₜ₋₁, 10⁻³: both are set small.
Bands    self.grid.{title,stage,readout,caption,footer}: .rows() .columns() .inset() .place() .fit()
         and self.grid.type.{title,body,label,number,smallest}.
Type     label / body / title (text.py), NumberLabel + ChangeNumber, Formula; roles by name.
Channels `bind` (now), `bind_animation` (when played), `bind_each…` (a row), `count_to` (numbers).
         `field` is looked up in the trace at once and must equal `value`; "mean(forget_gate)",
         "exp10(log10_x)", … stand in fields.py. A scale maps value to attribute (channels.py).
         `release(m)` ends a channel, `dim(m)` too; `let_overlap(a, b)` declares an overlap.
Parts    token_row state_strip bar_row stacked_bar beam valve heat_map curve_plot formula legend
         panel; each class says its channels. Names of a row: `.cells`, `.bars`, `.scale_to`.
Look     python -m studio.stills looking_back --lesson F --trace F --lang en --theme light --out DIR
         draws the end of every beat as PNG in seconds, with a contact sheet.
Test     tests/scenes/geometry.py: run_station(LookingBack, trace, lesson) → one state per beat with
         `.problems`; it draws nothing.
Plain manim works from the repository root: manim scenes/looking_back.py LookingBack -ql
(LOOKBACK_TRACE or LOOKBACK_LESSON name a trace or a lesson file).
"""
