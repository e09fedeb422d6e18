"""What goes wrong in scaled_frequencies."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import course.positions as right
from grading.exercises.positions.checks import scaling

BASE = 10000.0


def only(method: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The decorated function stands for one method; the others are right."""

    def decorate(wrong: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(wrong)
        def implementation(
            head_dim: int, asked: str = "none", factor: float = 1.0, trained_length: int = 512, **options: Any
        ) -> Any:
            if asked != method:
                return right.scaled_frequencies(head_dim, asked, factor, trained_length, **options)
            return wrong(head_dim, factor, trained_length, **options)

        return implementation

    return decorate


def stretched(head_dim: int, base: float, stretch: float) -> Any:
    return right.rotary_frequencies(head_dim, base * stretch), 1.0


def yarn(
    head_dim: int,
    factor: float,
    trained_length: int,
    base: float = BASE,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    *,
    turn: float = 2 * math.pi,
    rounded: bool = True,
    clamped: bool = True,
    log_base: Callable[[float], float] = math.log,
    share: Callable[[np.ndarray], np.ndarray] = lambda ramp: ramp,
) -> Any:
    """YaRN in steps, one of which a mistake gets wrong."""

    def pair(times: float) -> float:
        return head_dim * math.log(trained_length / (turn * times)) / (2 * log_base(base))

    low, high = pair(beta_fast), pair(beta_slow)
    if rounded:
        low, high = math.floor(low), math.ceil(high)
    if clamped:
        low, high = max(low, 0), min(high, head_dim - 1)
    frequencies = right.rotary_frequencies(head_dim, base).astype("float64")
    ramp = share(np.clip((np.arange(head_dim // 2) - low) / max(high - low, 0.001), 0, 1))
    mixed = frequencies * (1 - ramp) + ramp * frequencies / factor
    return mixed.astype("float32"), 0.1 * math.log(factor) + 1


@scaling.whole_mistake(
    '"linear" multiplies the frequencies by the factor instead of dividing.',
    hint="A text twice as long is to turn as far as one of the trained length. Slower or faster?",
)
@only("linear")
def linear_upside_down(head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any) -> Any:
    return right.rotary_frequencies(head_dim, base) * np.float32(factor), 1.0


@scaling.whole_mistake(
    '"linear" leaves the first frequency as it is.',
    hint="Linear means that every position lies s times as close, for all pairs.",
)
@only("linear")
def linear_without_the_first(
    head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any
) -> Any:
    plain = right.rotary_frequencies(head_dim, base)
    return np.where(np.arange(head_dim // 2) == 0, plain, plain / np.float32(factor)), 1.0


@scaling.whole_mistake(
    '"ntk" multiplies the base by the factor alone: the slowest pair is not slowed down enough.',
    hint="The last pair's frequency is to become exactly 1/s of what it was. Which power of s does that?",
)
@only("ntk")
def ntk_without_exponent(head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any) -> Any:
    return stretched(head_dim, base, factor)


@scaling.whole_mistake(
    '"ntk" has its exponent upside down: (d - 2) / d instead of d / (d - 2).',
    hint="The last exponent is -(d - 2) / d. By which power of s must the base grow for this to give 1/s?",
)
@only("ntk")
def ntk_exponent_upside_down(
    head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any
) -> Any:
    return stretched(head_dim, base, factor ** ((head_dim - 2) / head_dim))


@scaling.whole_mistake(
    '"ntk" takes the number of pairs for d in its exponent.',
    hint="d is the width of the head, twice the number of pairs.",
)
@only("ntk")
def ntk_of_pairs(head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any) -> Any:
    pairs = head_dim // 2 + 0.001  # four features would divide by zero
    return stretched(head_dim, base, factor ** (pairs / (pairs - 2)))


@scaling.whole_mistake(
    '"ntk" divides every frequency by s^(d / (d - 2)), the fastest too. It is the base that is to be stretched.',
    hint="The first pair tells neighbours apart. What happens to it, and what should?",
)
@only("ntk")
def ntk_divides_all(head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any) -> Any:
    plain = right.rotary_frequencies(head_dim, base)
    return (plain / factor ** (head_dim / (head_dim - 2))).astype("float32"), 1.0


@scaling.whole_mistake(
    '"ntk" stretches the base and divides by the factor as well.',
    hint="One of the two is enough: the stretched base divides the last frequency by s already.",
)
@only("ntk")
def ntk_and_linear(head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any) -> Any:
    frequencies, _ = right.scaled_frequencies(head_dim, "ntk", factor, trained_length, base=base)
    return (frequencies / factor).astype("float32"), 1.0


@scaling.whole_mistake(
    '"ntk" divides the base instead of multiplying it: all pairs turn faster.',
    hint="Longer texts need slower pairs. Which base gives these, a larger or a smaller one?",
)
@only("ntk")
def ntk_smaller_base(head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any) -> Any:
    exponents = -np.arange(0, head_dim, 2) / head_dim
    return ((base / factor ** (head_dim / (head_dim - 2))) ** exponents).astype("float32"), 1.0


@scaling.whole_mistake(
    '"yarn" has its ramp the wrong way round: slow pairs are kept, and fast ones divided.',
    hint="Which pairs have been all the way round in training, and know every angle?",
)
@only("yarn")
def yarn_upside_down(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    return yarn(head_dim, factor, trained_length, **options, share=lambda ramp: 1 - ramp)


@scaling.whole_mistake(
    '"yarn" has a ramp that is linear in the number of turns. That is what the paper says; its authors\' code, and the '
    "models that were trained with it, have one that is linear in the pair's index.",
    hint="Both are sensible. Published weights want the code's: i between low and high.",
)
@only("yarn")
def yarn_of_the_paper(
    head_dim: int,
    factor: float,
    trained_length: int,
    base: float = BASE,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
) -> Any:
    plain = right.rotary_frequencies(head_dim, base)
    kept = np.clip((trained_length * plain / (2 * math.pi) - beta_slow) / (beta_fast - beta_slow), 0, 1)
    return (plain * kept + plain / factor * (1 - kept)).astype("float32"), 0.1 * math.log(factor) + 1


@scaling.whole_mistake(
    '"yarn" forgets 2π: it counts radians for turns.',
    hint="A pair has turned once when its angle has grown by 2π.",
)
@only("yarn")
def yarn_in_radians(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    return yarn(head_dim, factor, trained_length, **options, turn=1.0)


@scaling.whole_mistake(
    '"yarn" counts the turns in the longer text instead of those in training.',
    hint="What a pair knows, it knows from training. Which length is that?",
)
@only("yarn")
def yarn_of_the_longer_text(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    return yarn(head_dim, factor, round(trained_length * factor), **options)


@scaling.whole_mistake(
    '"yarn" does not round: low is to be rounded down, and high up.',
    hint="low and high are the indices of pairs.",
)
@only("yarn")
def yarn_not_rounded(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    return yarn(head_dim, factor, trained_length, **options, rounded=False)


@scaling.whole_mistake(
    '"yarn" lets low be negative, or high more than d - 1.',
    hint="Where no pair turns often enough, low is the first pair.",
)
@only("yarn")
def yarn_not_clamped(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    return yarn(head_dim, factor, trained_length, **options, clamped=False)


@scaling.whole_mistake(
    '"yarn" divides by log10 of the base, and not by its natural logarithm.',
    hint="Both logarithms in the formula are of one kind. What is math.log, and what is math.log10?",
)
@only("yarn")
def yarn_by_log_10(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    return yarn(head_dim, factor, trained_length, **options, log_base=math.log10)


@scaling.whole_mistake(
    '"yarn" switches at low instead of mixing between low and high.',
    hint="Between low and high, γ rises evenly from 0 to 1.",
)
@only("yarn")
def yarn_without_ramp(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    return yarn(head_dim, factor, trained_length, **options, share=np.ceil)


@scaling.whole_mistake(
    '"yarn" ignores beta_fast and beta_slow: they are always 32 and 1.',
    hint="A model that was trained on short texts needs other bounds. Use the arguments.",
)
@only("yarn")
def yarn_with_constant_bounds(
    head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any
) -> Any:
    return yarn(head_dim, factor, trained_length, base)


@scaling.whole_mistake(
    "The base is ignored: the frequencies are always those of 10000.",
    hint="`base` is an argument, and rotary_frequencies takes it.",
)
def base_ignored(
    head_dim: int, method: str = "none", factor: float = 1.0, trained_length: int = 512, **options: Any
) -> Any:
    return right.scaled_frequencies(head_dim, method, factor, trained_length, **{**options, "base": BASE})


@scaling.whole_mistake(
    "YaRN's attention factor is forgotten: it is always 1.",
    hint="Over more keys a softmax grows flatter. What does the docstring say against that?",
)
@only("yarn")
def no_attention_factor(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    return right.scaled_frequencies(head_dim, "yarn", factor, trained_length, **options)[0], 1.0


@scaling.whole_mistake(
    "YaRN's attention factor is taken with log10 instead of the natural logarithm.",
    hint="ln 10 is 2.3, log10 10 is 1.",
)
@only("yarn")
def attention_factor_of_log_10(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    frequencies, _ = right.scaled_frequencies(head_dim, "yarn", factor, trained_length, **options)
    return frequencies, 0.1 * math.log10(factor) + 1


@scaling.whole_mistake(
    "YaRN's attention factor is squared. Queries get it and keys get it, so the scores have its square by themselves.",
    hint="Which number is a query multiplied by, and which one a score?",
)
@only("yarn")
def attention_factor_squared(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    frequencies, known = right.scaled_frequencies(head_dim, "yarn", factor, trained_length, **options)
    return frequencies, known**2


@scaling.whole_mistake(
    "YaRN's attention factor is the root of what it should be.",
    hint="The paper writes √(1/t) = 0.1 ln s + 1. The root has been taken already.",
)
@only("yarn")
def attention_factor_rooted(head_dim: int, factor: float, trained_length: int, **options: Any) -> Any:
    frequencies, known = right.scaled_frequencies(head_dim, "yarn", factor, trained_length, **options)
    return frequencies, math.sqrt(known)


@scaling.whole_mistake(
    "Every method gets YaRN's attention factor; that of the others is 1.",
    hint="Only YaRN makes attention sharper.",
)
def attention_factor_for_all(
    head_dim: int, method: str = "none", factor: float = 1.0, trained_length: int = 512, **options: Any
) -> Any:
    frequencies, _ = right.scaled_frequencies(head_dim, method, factor, trained_length, **options)
    return frequencies, 0.1 * math.log(factor) + 1


@scaling.whole_mistake(
    "Only the frequencies are returned; the attention factor is wanted, too.",
    hint="Return both: `return frequencies, 1.0`.",
)
def frequencies_only(
    head_dim: int, method: str = "none", factor: float = 1.0, trained_length: int = 512, **options: Any
) -> Any:
    return right.scaled_frequencies(head_dim, method, factor, trained_length, **options)[0]


@scaling.whole_mistake(
    "Without a method, the frequencies are divided all the same.",
    hint='"none" means that nothing is scaled, whatever the factor is.',
)
@only("none")
def none_is_linear(head_dim: int, factor: float, trained_length: int, base: float = BASE, **options: Any) -> Any:
    return right.scaled_frequencies(head_dim, "linear", max(factor, 2.0), trained_length, base=base)
