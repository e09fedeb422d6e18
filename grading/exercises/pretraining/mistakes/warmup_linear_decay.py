"""Known mistakes in WarmupLinearDecay."""

from __future__ import annotations

from grading.exercises.pretraining.checks import schedule

RISE = "step / max(self.warmup_steps, 1)"
FALL = "(self.total_steps - step) / (self.total_steps - self.warmup_steps)"
FALL_TO_ZERO = "ops.maximum(fall, 0.0)"
SHARE = f"ops.where(step < self.warmup_steps, rise, {FALL_TO_ZERO})"

schedule.mistake(
    "StartsAtThePeak",
    "There is no warm-up: the rate starts at its peak.",
    hint="What should the learning rate be at step 0?",
    change={RISE: "1.0"},
)
schedule.mistake(
    "FallsFromTheStart",
    "There is no warm-up: the rate falls from the first step on.",
    hint="There are two lines. When does the second one begin?",
    change={FALL: "1.0 - step / self.total_steps", SHARE: FALL_TO_ZERO},
)
schedule.mistake(
    "RiseAStepAhead",
    "The rise is one step ahead: it counts steps from 1.",
    hint="The optimizer counts from 0. What should the rate of step 0 be?",
    change={"step / max": "(step + 1) / max"},
)
schedule.mistake(
    "RiseAStepTooLong",
    "The rise is one step too long: at step warmup_steps, the rate is still below its peak.",
    hint="What does your first line give for step = warmup_steps?",
    change={RISE: "step / (self.warmup_steps + 1)", "step < self": "step <= self"},
)
schedule.mistake(
    "FallFromStepZero",
    "The fall is divided by total_steps, so the rate jumps down from the peak when the rise ends.",
    hint="How many steps does the fall last? Fewer than the whole training.",
    change={"(self.total_steps - self.warmup_steps)": "self.total_steps"},
)
schedule.mistake(
    "FallTooSlow",
    "The fall is too slow: total_steps is counted from the end of the rise.",
    hint="The steps of the rise are among total_steps. How many are left for the fall?",
    change={FALL: "1.0 - (step - self.warmup_steps) / self.total_steps"},
)
schedule.mistake(
    "FallAStepAhead",
    "The fall is one step ahead: the rate is already 0 one step before total_steps.",
    hint="At which step should the rate first be 0? What does your second line give for it?",
    change={FALL: "(self.total_steps - 1 - step) / (self.total_steps - 1 - self.warmup_steps)"},
)
schedule.mistake(
    "NeverFalls",
    "The rate never falls: it stays at its peak after the rise.",
    hint="What should happen between warmup_steps and total_steps?",
    change={FALL_TO_ZERO: "1.0"},
)
schedule.mistake(
    "NegativeAfterwards",
    "After total_steps the rate is negative.",
    hint="A straight line never ends. What should the rate be after the training?",
    change={FALL_TO_ZERO: "fall"},
)
schedule.mistake(
    "ZeroByZero",
    "If warmup_steps is 0, the first step divides 0 by 0.",
    hint="What does your first line give if warmup_steps is 0, and is the result used?",
    change={
        RISE: 'step / ops.cast(self.warmup_steps, "float32")',
        SHARE: f"ops.minimum(rise, {FALL_TO_ZERO})",
    },
)
schedule.mistake(
    "Cosine",
    "The rate falls along a cosine instead of a straight line.",
    hint="BERT's rate falls by the same amount in each step.",
    change={FALL_TO_ZERO: f"0.5 * (1.0 - ops.cos(math.pi * {FALL_TO_ZERO}))"},
)
schedule.mistake(
    "InverseRoot",
    "The rate falls with 1 / √step, as in the first Transformer, instead of in a straight line.",
    hint="The rate must reach 0. Does one over a root?",
    change={FALL: "ops.sqrt(max(self.warmup_steps, 1) / ops.maximum(step, 1.0))"},
)
schedule.mistake(
    "PeakLeftOut",
    "The peak is ignored: the rate rises to 1.",
    hint="Both lines give a share from 0 to 1. A share of what?",
    change={"self.peak * ": ""},
)
schedule.mistake(
    "WholeNumbers",
    "The rate is computed with integers: it is 0 or the peak, and nothing in between.",
    hint="The step is an integer. Which division keeps the fraction?",
    change={'"float32"': '"int32"', "step / max": "step // max", "step) / ": "step) // "},
)
schedule.mistake(
    "PythonIf",
    "A Python `if` tests the step, which has no value yet in compiled training.",
    hint="Which operation of `keras.ops` chooses between two tensors?",
    change={
        f"return self.peak * {SHARE}": """
            if step < self.warmup_steps:
                return self.peak * rise
            return self.peak * ops.maximum(fall, 0.0)
        """
    },
)
schedule.mistake(
    "StepsOfInt32",
    "Steps of another integer type than int32 raise an error, but the optimizer counts in int64.",
    hint="TensorFlow subtracts no int64 from an int32. Which type has the step after your first line?",
    change={
        'step = ops.cast(step, "float32")': """
            left = ops.cast(self.total_steps, "int32") - step
            step = ops.cast(step, "float32")
        """,
        "(self.total_steps - step)": 'ops.cast(left, "float32")',
    },
)
