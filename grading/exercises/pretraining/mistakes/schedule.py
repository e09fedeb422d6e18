"""What goes wrong in WarmupLinearDecay."""

from __future__ import annotations

import math
from typing import Any

from keras import ops

import course.pretraining as right
from grading.exercises.pretraining.checks import schedule


class Variant(right.WarmupLinearDecay):
    """The schedule in two lines, one of which a mistake gets wrong."""

    def rise(self, step: Any) -> Any:
        return step / max(self.warmup_steps, 1)

    def fall(self, step: Any) -> Any:
        return ops.maximum((self.total_steps - step) / (self.total_steps - self.warmup_steps), 0.0)

    def share(self, step: Any) -> Any:
        return ops.where(step < self.warmup_steps, self.rise(step), self.fall(step))

    def __call__(self, step: Any) -> Any:
        return self.peak * self.share(ops.cast(step, "float32"))


@schedule.whole_mistake(
    "There is no warm-up: the rate stands at its peak from the first step.",
    hint="What should the learning rate be at step 0?",
)
class StartsAtThePeak(Variant):
    def rise(self, step: Any) -> Any:
        return ops.ones_like(step)


@schedule.whole_mistake(
    "There is no warm-up: the rate falls from the first step on.",
    hint="There are two lines. When does the second one begin?",
)
class FallsFromTheStart(Variant):
    def share(self, step: Any) -> Any:
        return ops.maximum(1.0 - step / self.total_steps, 0.0)


@schedule.whole_mistake(
    "The rise is a step ahead: it counts the first step as 1.",
    hint="The optimizer counts from 0, and the rate of step 0 is 0.",
)
class RiseAStepAhead(Variant):
    def rise(self, step: Any) -> Any:
        return (step + 1) / max(self.warmup_steps, 1)


@schedule.whole_mistake(
    "The rise takes a step too long: at step warmup_steps the rate is still below its peak.",
    hint="Put step = warmup_steps into your first line. What comes out?",
)
class RiseAStepTooLong(Variant):
    def rise(self, step: Any) -> Any:
        return step / (self.warmup_steps + 1)

    def share(self, step: Any) -> Any:
        return ops.where(step <= self.warmup_steps, self.rise(step), self.fall(step))


@schedule.whole_mistake(
    "The fall does not begin at the peak: it is reckoned from step 0, so the rate jumps down where the rise ends.",
    hint="How many steps does the fall last? It is not the whole training.",
)
class FallFromStepZero(Variant):
    def fall(self, step: Any) -> Any:
        return ops.maximum((self.total_steps - step) / self.total_steps, 0.0)


@schedule.whole_mistake(
    "The fall is too slow: total_steps is counted from the end of the rise.",
    hint="The steps of the rise are among total_steps. How many are left for the fall?",
)
class FallTooSlow(Variant):
    def fall(self, step: Any) -> Any:
        return ops.maximum(1.0 - (step - self.warmup_steps) / self.total_steps, 0.0)


@schedule.whole_mistake(
    "The fall is a step ahead: the rate is 0 one step before total_steps already.",
    hint="At which step is the rate 0 for the first time? Put it into your second line.",
)
class FallAStepAhead(Variant):
    def fall(self, step: Any) -> Any:
        return ops.maximum((self.total_steps - 1 - step) / (self.total_steps - 1 - self.warmup_steps), 0.0)


@schedule.whole_mistake(
    "The rate never falls: it stays at its peak after the rise.",
    hint="Linear decay comes after the warm-up.",
)
class NeverFalls(Variant):
    def fall(self, step: Any) -> Any:
        return ops.ones_like(step)


@schedule.whole_mistake(
    "After total_steps the rate is negative.",
    hint="A line goes on for ever. What should the rate be after the training?",
)
class NegativeAfterwards(Variant):
    def fall(self, step: Any) -> Any:
        return (self.total_steps - step) / (self.total_steps - self.warmup_steps)


@schedule.whole_mistake(
    "Without a rise, the first step divides 0 by 0.",
    hint="warmup_steps may be 0. What does your first line give then, and is it ever used?",
)
class ZeroByZero(Variant):
    def share(self, step: Any) -> Any:
        return ops.minimum(step / ops.cast(self.warmup_steps, "float32"), self.fall(step))


@schedule.whole_mistake(
    "The rate falls along a cosine instead of a straight line.",
    hint="BERT's rate loses the same amount in each step.",
)
class Cosine(Variant):
    def fall(self, step: Any) -> Any:
        return 0.5 * (1.0 - ops.cos(math.pi * super().fall(step)))


@schedule.whole_mistake(
    "The rate falls with the root of the step, as in the first Transformer, instead of in a straight line.",
    hint="The rate must reach 0, and one over a root never does.",
)
class InverseRoot(Variant):
    def fall(self, step: Any) -> Any:
        return ops.sqrt(max(self.warmup_steps, 1) / ops.maximum(step, 1.0))


@schedule.whole_mistake(
    "The peak is left out: the rate rises to 1.",
    hint="Both lines give a share, from 0 to 1. A share of what?",
)
class PeakLeftOut(Variant):
    def __call__(self, step: Any) -> Any:
        return self.share(ops.cast(step, "float32"))


@schedule.whole_mistake(
    "The rate is computed in whole numbers: it is 0 or the peak, and nothing in between.",
    hint="The step is an integer. Which division keeps the fraction?",
)
class WholeNumbers(Variant):
    def __call__(self, step: Any) -> Any:
        step = ops.cast(step, "int32")
        rise = step // max(self.warmup_steps, 1)
        fall = ops.maximum((self.total_steps - step) // (self.total_steps - self.warmup_steps), 0)
        return self.peak * ops.cast(ops.where(step < self.warmup_steps, rise, fall), "float32")


@schedule.whole_mistake(
    "A Python `if` looks at the step, which in a compiled training has no value yet.",
    hint="Compiled code needs an operation that chooses between two tensors.",
)
class PythonIf(Variant):
    def share(self, step: Any) -> Any:
        if step < self.warmup_steps:
            return self.rise(step)
        return self.fall(step)
