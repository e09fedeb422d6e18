"""An EncoderBlock whose norm or path around stands at the wrong place: around one part, or around both alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from grading.exercises.encoder.checks import block
from grading.exercises.encoder.mistakes.block import Variant

Step = Callable[[Any], Any]
Join = Callable[[Any, Step, Step], Any]

HINT = "Put your line beside its equation: what stands in the brackets of norm, and what is added to what?"
POST_LN, PRE_LN = False, True
RIGHT: dict[bool, Join] = {
    POST_LN: lambda x, part, norm: norm(x + part(x)),
    PRE_LN: lambda x, part, norm: x + part(norm(x)),
}
ATTENTION, FEED_FORWARD = "attention", "the feed-forward network"
EACH, BOTH = ((ATTENTION,), (FEED_FORWARD,)), ((ATTENTION, FEED_FORWARD),)


def _norm_on_the_path(x: Any, part: Step, norm: Step) -> Any:
    normalized = norm(x)
    return normalized + part(normalized)


class Wiring(NamedTuple):
    """A wrong way to join a part, in one of the two orders. Where both parts have it, another mistake may name it."""

    norm_first: bool
    join: Join
    sentence: str
    parts: tuple[tuple[str, ...], ...]


WIRINGS = (
    Wiring(
        POST_LN,
        lambda x, part, norm: x + norm(part(x)),
        "In post-LN, what {part} gives is normalized before x is added, instead of the sum.",
        EACH,
    ),
    Wiring(
        POST_LN,
        lambda x, part, norm: norm(x + part(norm(x))),
        "In post-LN, what goes into {part} is normalized, too, and not the sum alone.",
        EACH + BOTH,
    ),
    Wiring(PRE_LN, _norm_on_the_path, "In pre-LN, the normalized x goes around {part}, and not x itself.", EACH),
    Wiring(
        PRE_LN,
        lambda x, part, norm: x + norm(part(x)),
        "In pre-LN, what {part} gives is normalized, and not what goes in.",
        EACH + BOTH,
    ),
    Wiring(
        PRE_LN,
        lambda x, part, norm: x + part(x),
        "In pre-LN, what goes into {part} is not normalized.",
        ((ATTENTION,),),
    ),
)


class Wired(Variant):
    """Joins its parts as a wiring says, and the others as is right."""

    wiring: Wiring
    parts: tuple[str, ...]

    def call(self, x: Any, attention_mask: Any = None) -> Any:
        def attend(y: Any) -> Any:
            return self.drop(self.attend(y, attention_mask))

        def feed(y: Any) -> Any:
            return self.drop(self.feed(y))

        x = self.join_of(ATTENTION)(x, attend, self.attention_norm)
        return self.join_of(FEED_FORWARD)(x, feed, self.feed_forward_norm)

    def join_of(self, part: str) -> Join:
        is_wrong = part in self.parts and self.wiring.norm_first == self.norm_first
        return self.wiring.join if is_wrong else RIGHT[self.norm_first]


def wired() -> Iterator[tuple[str, type[Wired]]]:
    """Every wiring, around each part that it is wrong for."""
    for number, wiring in enumerate(WIRINGS):
        for parts in wiring.parts:
            sentence = wiring.sentence.format(part=" and ".join(parts))
            name = f"Wired{number}{''.join(part.split()[-1].title() for part in parts)}"
            yield sentence, type(name, (Wired,), {"wiring": wiring, "parts": parts, "__module__": __name__})


for said, implementation in wired():
    block.whole_mistake(said, hint=HINT)(implementation)
