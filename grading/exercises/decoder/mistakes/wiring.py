"""A DecoderBlock whose norm or path around stands at the wrong place, around one of its three parts."""

from __future__ import annotations

from typing import Any

from grading.exercises.decoder.checks import block
from grading.exercises.decoder.mistakes.block import Variant
from grading.exercises.encoder.mistakes.wiring import FEED_FORWARD, HINT, RIGHT, WIRINGS, Wiring

WRITTEN, READ = "the attention to what was written", "the attention to what was read"


class Wired(Variant):
    """Joins one part as a wiring says, and the others as is right."""

    wiring: Wiring
    part: str

    def call(self, x: Any, context: Any = None, attention_mask: Any = None, context_mask: Any = None) -> Any:
        names = [WRITTEN, *([] if context is None else [READ]), FEED_FORWARD]
        for name, (part, norm) in zip(names, self.parts(context, attention_mask, context_mask), strict=True):

            def dropped(y: Any, part: Any = part) -> Any:
                return self.dropout_layer(part(y))

            is_wrong = name == self.part and self.wiring.norm_first == self.norm_first
            x = (self.wiring.join if is_wrong else RIGHT[self.norm_first])(x, dropped, norm)
        return x


for number, wiring in enumerate(WIRINGS):
    for part in (WRITTEN, READ, FEED_FORWARD):
        block.whole_mistake(wiring.sentence.format(part=part), hint=HINT)(
            type(
                f"Wired{number}{part.split()[-1].title()}",
                (Wired,),
                {"wiring": wiring, "part": part, "__module__": __name__},
            )
        )
