"""What goes wrong in scaled_frequencies."""

from __future__ import annotations

from grading.exercises.positions.checks import scaling

FREQUENCIES = "frequencies = rotary_frequencies(head_dim, base)"
EXPONENT = "(head_dim / (head_dim - 2))"
LINEAR = "frequencies / factor, 1.0"
NTK = f"rotary_frequencies(head_dim, base * factor ** {EXPONENT}), 1.0"
PLAIN = "return frequencies, 1.0"
LOW = "max(math.floor(pair_that_turns(beta_fast)), 0)"
HIGH = "min(math.ceil(pair_that_turns(beta_slow)), head_dim - 1)"
RAMP = "ramp = np.clip((np.arange(head_dim // 2) - low) / max(high - low, 0.001), 0, 1)"
SLOWING = "1 - ramp + ramp / factor"
SHARPER = "0.1 * math.log(factor) + 1"

scaling.mistake(
    "linear_upside_down",
    '"linear" multiplies the frequencies by the factor instead of dividing.',
    hint="A text twice as long should rotate as far as one of the trained length. Do the steps grow or shrink?",
    change={LINEAR: "frequencies * factor, 1.0"},
)
scaling.mistake(
    "linear_without_the_first",
    '"linear" leaves the first frequency unchanged.',
    hint="Linear scaling moves all positions closer together by s, for every pair.",
    change={LINEAR: "np.where(np.arange(head_dim // 2) == 0, frequencies, frequencies / factor), 1.0"},
)
scaling.mistake(
    "ntk_without_exponent",
    '"ntk" multiplies the base by the factor without its exponent, so the slowest pair is too fast.',
    hint="The last pair's frequency should be exactly 1/s of what it was. Which power of s does that?",
    change={f"factor ** {EXPONENT}": "factor"},
)
scaling.mistake(
    "ntk_exponent_upside_down",
    '"ntk" inverts the exponent: (d - 2) / d instead of d / (d - 2).',
    hint="The last exponent is -(d - 2) / d. By which power of s must the base grow so that this gives 1/s?",
    change={EXPONENT: "((head_dim - 2) / head_dim)"},
)
scaling.mistake(
    "ntk_of_pairs",
    '"ntk" uses the number of pairs as d in the exponent.',
    hint="d is the width of the head. How many features are in a pair?",
    change={
        # Four features would divide by zero.
        'if method == "ntk":': 'if method == "ntk":\n    pairs = head_dim // 2 + 0.001',
        EXPONENT: "(pairs / (pairs - 2))",
    },
)
scaling.mistake(
    "ntk_divides_all",
    '"ntk" divides every frequency by s^(d / (d - 2)), even the fastest. Only the base should change.',
    hint="The first pair distinguishes neighbours. What happens to its frequency, and what should?",
    change={NTK: f"frequencies / factor ** {EXPONENT}, 1.0"},
)
scaling.mistake(
    "ntk_and_linear",
    '"ntk" stretches the base and divides by the factor as well.',
    hint="One of the two is enough: the stretched base already divides the last frequency by s.",
    change={NTK: NTK.replace(", 1.0", " / factor, 1.0")},
)
scaling.mistake(
    "ntk_smaller_base",
    '"ntk" divides the base instead of multiplying it, so all pairs rotate faster.',
    hint="Longer texts need slower pairs. Does a larger or a smaller base make them slower?",
    change={"base * factor": "base / factor"},
)
scaling.mistake(
    "yarn_upside_down",
    '"yarn" reverses the ramp: slow pairs are kept and fast pairs are divided.',
    hint="Which pairs completed full turns in training, and so met every angle?",
    change={SLOWING: "ramp + (1 - ramp) / factor"},
)
scaling.mistake(
    "yarn_of_the_paper",
    '"yarn" uses a ramp that is linear in the number of turns, as in the paper. The authors\' code and '
    "the models trained with it use a ramp that is linear in the pair's index.",
    hint="Both make sense. Published weights need the code's ramp, over i between low and high.",
    change={
        RAMP: """
            turns = trained_length * frequencies / (2 * math.pi)
            ramp = np.clip((beta_fast - turns) / (beta_fast - beta_slow), 0, 1)
        """
    },
)
scaling.mistake(
    "yarn_in_radians",
    '"yarn" omits 2π: it counts radians as turns.',
    hint="A pair has turned once when its angle has grown by 2π.",
    change={"(2 * math.pi * times)": "times"},
)
scaling.mistake(
    "yarn_of_the_longer_text",
    '"yarn" counts the turns in the extended text instead of the trained length.',
    hint="A pair has only met the angles of training. Which length is that?",
    change={"math.log(trained_length /": "math.log(trained_length * factor /"},
)
scaling.mistake(
    "yarn_not_rounded",
    '"yarn" does not round low down and high up.',
    hint="low and high are the indices of pairs.",
    change={
        "math.floor(pair_that_turns(beta_fast))": "pair_that_turns(beta_fast)",
        "math.ceil(pair_that_turns(beta_slow))": "pair_that_turns(beta_slow)",
    },
)
scaling.mistake(
    "yarn_not_clamped",
    '"yarn" lets low fall below 0, or high exceed d - 1.',
    hint="If no pair rotates often enough, low is the first pair.",
    change={LOW: "math.floor(pair_that_turns(beta_fast))", HIGH: "math.ceil(pair_that_turns(beta_slow))"},
)
scaling.mistake(
    "yarn_by_log_10",
    '"yarn" divides by log10 of the base instead of its natural logarithm.',
    hint="Both logarithms in the formula have the same base. What is the base of math.log, and of math.log10?",
    change={"math.log(base)": "math.log10(base)"},
)
scaling.mistake(
    "yarn_without_ramp",
    '"yarn" switches at low instead of mixing between low and high.',
    hint="Between low and high, γ rises evenly from 0 to 1.",
    change={RAMP: "ramp = np.arange(head_dim // 2) > low"},
)
scaling.mistake(
    "yarn_with_constant_bounds",
    '"yarn" ignores beta_fast and beta_slow: they are always 32 and 1.',
    hint="A model trained on short texts needs other bounds. Use the arguments.",
    change={
        "pair_that_turns(beta_fast)": "pair_that_turns(32.0)",
        "pair_that_turns(beta_slow)": "pair_that_turns(1.0)",
    },
)
scaling.mistake(
    "base_ignored",
    "The base is ignored: the frequencies are always those of base 10000.",
    hint="`base` is an argument, and rotary_frequencies takes it.",
    change={FREQUENCIES: f"base = 10000.0\n{FREQUENCIES}"},
)
scaling.mistake(
    "no_attention_factor",
    "YaRN's attention factor is missing: it is always 1.",
    hint="With more keys, a softmax becomes flatter. How does the docstring counter that?",
    change={SHARPER: "1.0"},
)
scaling.mistake(
    "attention_factor_of_log_10",
    "YaRN's attention factor uses log10 instead of the natural logarithm.",
    hint="ln 10 is 2.3, log10 10 is 1.",
    change={SHARPER: "0.1 * math.log10(factor) + 1"},
)
scaling.mistake(
    "attention_factor_squared",
    "YaRN's attention factor is squared. Queries and keys both get it, so the scores already contain its square.",
    hint="What is a query multiplied by, and what does that make of a score?",
    change={SHARPER: f"({SHARPER}) ** 2"},
)
scaling.mistake(
    "attention_factor_rooted",
    "YaRN's attention factor is the square root of the right value.",
    hint="The paper writes √(1/t) = 0.1 ln s + 1: the root is already in it.",
    change={SHARPER: f"math.sqrt({SHARPER})"},
)
scaling.mistake(
    "attention_factor_for_all",
    "Every method gets YaRN's attention factor instead of 1.",
    hint="Only YaRN makes attention sharper.",
    change={one: one.replace("1.0", SHARPER) for one in (LINEAR, NTK, PLAIN)},
)
scaling.mistake(
    "frequencies_only",
    "Only the frequencies are returned, without the attention factor.",
    hint="Return both: `return frequencies, 1.0`.",
    change={**{one: one.removesuffix(", 1.0") for one in (LINEAR, NTK, PLAIN)}, f", {SHARPER}": ""},
)
scaling.mistake(
    "none_is_linear",
    "The frequencies are divided even without a method.",
    hint='"none" means that nothing is scaled, whatever the factor is.',
    change={PLAIN: "return frequencies / max(factor, 2.0), 1.0"},
)
scaling.mistake(
    "yarn_of_pairs",
    "YaRN's ramp ends at the last pair, d/2 - 1, at most, instead of d - 1.",
    hint="`high` may lie beyond the last pair. What is the most that the docstring allows?",
    change={"head_dim - 1)": "head_dim // 2 - 1)"},
)
scaling.mistake(
    "yarn_mixes_divisors",
    "YaRN mixes the divisors 1 and s instead of the frequencies θ and θ / s.",
    hint="Put γ = ½ and s = 4 into the equation. What is multiplied by θ?",
    change={SLOWING: "1 / (1 - ramp + ramp * factor)"},
)
scaling.mistake(
    "yarn_backwards",
    "If high is below low, YaRN's ramp runs backwards; the distance counts as 0.001 only if both are equal.",
    hint="What is the sign of high - low if no pair turns as often as beta_slow?",
    change={"max(high - low, 0.001)": "(high - low or 0.001)"},
)
