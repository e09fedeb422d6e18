"""What goes wrong in WarmupLinearDecay."""

from __future__ import annotations

from grading.exercises.pretraining.checks import schedule

RISE = "step / max(self.warmup_steps, 1)"
FALL = "(self.total_steps - step) / (self.total_steps - self.warmup_steps)"
FALL_TO_ZERO = "ops.maximum(fall, 0.0)"
SHARE = f"ops.where(step < self.warmup_steps, rise, {FALL_TO_ZERO})"

schedule.mistake(
    "StartsAtThePeak",
    "There is no warm-up: the rate stands at its peak from the first step.",
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
    "The rise is a step ahead: it counts the first step as 1.",
    hint="The optimizer counts from 0, and the rate of step 0 is 0.",
    change={"step / max": "(step + 1) / max"},
)
schedule.mistake(
    "RiseAStepTooLong",
    "The rise takes a step too long: at step warmup_steps the rate is still below its peak.",
    hint="Put step = warmup_steps into your first line. What comes out?",
    change={RISE: "step / (self.warmup_steps + 1)", "step < self": "step <= self"},
)
schedule.mistake(
    "FallFromStepZero",
    "The fall does not begin at the peak: it is reckoned from step 0, so the rate jumps down where the rise ends.",
    hint="How many steps does the fall last? It is not the whole training.",
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
    "The fall is a step ahead: the rate is 0 one step before total_steps already.",
    hint="At which step is the rate 0 for the first time? Put it into your second line.",
    change={FALL: "(self.total_steps - 1 - step) / (self.total_steps - 1 - self.warmup_steps)"},
)
schedule.mistake(
    "NeverFalls",
    "The rate never falls: it stays at its peak after the rise.",
    hint="Linear decay comes after the warm-up.",
    change={FALL_TO_ZERO: "1.0"},
)
schedule.mistake(
    "NegativeAfterwards",
    "After total_steps the rate is negative.",
    hint="A line goes on for ever. What should the rate be after the training?",
    change={FALL_TO_ZERO: "fall"},
)
schedule.mistake(
    "ZeroByZero",
    "Without a rise, the first step divides 0 by 0.",
    hint="warmup_steps may be 0. What does your first line give then, and is it ever used?",
    change={
        RISE: 'step / ops.cast(self.warmup_steps, "float32")',
        SHARE: f"ops.minimum(rise, {FALL_TO_ZERO})",
    },
)
schedule.mistake(
    "Cosine",
    "The rate falls along a cosine instead of a straight line.",
    hint="BERT's rate loses the same amount in each step.",
    change={FALL_TO_ZERO: f"0.5 * (1.0 - ops.cos(math.pi * {FALL_TO_ZERO}))"},
)
schedule.mistake(
    "InverseRoot",
    "The rate falls with the root of the step, as in the first Transformer, instead of in a straight line.",
    hint="The rate must reach 0, and one over a root never does.",
    change={FALL: "ops.sqrt(max(self.warmup_steps, 1) / ops.maximum(step, 1.0))"},
)
schedule.mistake(
    "PeakLeftOut",
    "The peak is left out: the rate rises to 1.",
    hint="Both lines give a share, from 0 to 1. A share of what?",
    change={"self.peak * ": ""},
)
schedule.mistake(
    "WholeNumbers",
    "The rate is computed in whole numbers: it is 0 or the peak, and nothing in between.",
    hint="The step is an integer. Which division keeps the fraction?",
    change={'"float32"': '"int32"', "step / max": "step // max", "step) / ": "step) // "},
)
schedule.mistake(
    "PythonIf",
    "A Python `if` looks at the step, which in a compiled training has no value yet.",
    hint="Compiled code needs an operation that chooses between two tensors.",
    change={
        f"return self.peak * {SHARE}": """
            if step < self.warmup_steps:
                return self.peak * rise
            return self.peak * ops.maximum(fall, 0.0)
        """
    },
)
