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
    hint="A text twice as long is to turn as far as one of the trained length. Slower or faster?",
    change={LINEAR: "frequencies * factor, 1.0"},
)
scaling.mistake(
    "linear_without_the_first",
    '"linear" leaves the first frequency as it is.',
    hint="Linear means that every position lies s times as close, for all pairs.",
    change={LINEAR: "np.where(np.arange(head_dim // 2) == 0, frequencies, frequencies / factor), 1.0"},
)
scaling.mistake(
    "ntk_without_exponent",
    '"ntk" multiplies the base by the factor alone: the slowest pair is not slowed down enough.',
    hint="The last pair's frequency is to become exactly 1/s of what it was. Which power of s does that?",
    change={f"factor ** {EXPONENT}": "factor"},
)
scaling.mistake(
    "ntk_exponent_upside_down",
    '"ntk" has its exponent upside down: (d - 2) / d instead of d / (d - 2).',
    hint="The last exponent is -(d - 2) / d. By which power of s must the base grow for this to give 1/s?",
    change={EXPONENT: "((head_dim - 2) / head_dim)"},
)
scaling.mistake(
    "ntk_of_pairs",
    '"ntk" takes the number of pairs for d in its exponent.',
    hint="d is the width of the head, twice the number of pairs.",
    change={
        # Four features would divide by zero.
        'if method == "ntk":': 'if method == "ntk":\n    pairs = head_dim // 2 + 0.001',
        EXPONENT: "(pairs / (pairs - 2))",
    },
)
scaling.mistake(
    "ntk_divides_all",
    '"ntk" divides every frequency by s^(d / (d - 2)), the fastest too. It is the base that is to be stretched.',
    hint="The first pair tells neighbours apart. What happens to it, and what should?",
    change={NTK: f"frequencies / factor ** {EXPONENT}, 1.0"},
)
scaling.mistake(
    "ntk_and_linear",
    '"ntk" stretches the base and divides by the factor as well.',
    hint="One of the two is enough: the stretched base divides the last frequency by s already.",
    change={NTK: NTK.replace(", 1.0", " / factor, 1.0")},
)
scaling.mistake(
    "ntk_smaller_base",
    '"ntk" divides the base instead of multiplying it: all pairs turn faster.',
    hint="Longer texts need slower pairs. Which base gives these, a larger or a smaller one?",
    change={"base * factor": "base / factor"},
)
scaling.mistake(
    "yarn_upside_down",
    '"yarn" has its ramp the wrong way round: slow pairs are kept, and fast ones divided.',
    hint="Which pairs have been all the way round in training, and know every angle?",
    change={SLOWING: "ramp + (1 - ramp) / factor"},
)
scaling.mistake(
    "yarn_of_the_paper",
    '"yarn" has a ramp that is linear in the number of turns. That is what the paper says; its authors\' code, and the '
    "models that were trained with it, have one that is linear in the pair's index.",
    hint="Both are sensible. Published weights want the code's: i between low and high.",
    change={
        RAMP: """
            turns = trained_length * frequencies / (2 * math.pi)
            ramp = np.clip((beta_fast - turns) / (beta_fast - beta_slow), 0, 1)
        """
    },
)
scaling.mistake(
    "yarn_in_radians",
    '"yarn" forgets 2π: it counts radians for turns.',
    hint="A pair has turned once when its angle has grown by 2π.",
    change={"(2 * math.pi * times)": "times"},
)
scaling.mistake(
    "yarn_of_the_longer_text",
    '"yarn" counts the turns in the longer text instead of those in training.',
    hint="What a pair knows, it knows from training. Which length is that?",
    change={"math.log(trained_length /": "math.log(trained_length * factor /"},
)
scaling.mistake(
    "yarn_not_rounded",
    '"yarn" does not round: low is to be rounded down, and high up.',
    hint="low and high are the indices of pairs.",
    change={
        "math.floor(pair_that_turns(beta_fast))": "pair_that_turns(beta_fast)",
        "math.ceil(pair_that_turns(beta_slow))": "pair_that_turns(beta_slow)",
    },
)
scaling.mistake(
    "yarn_not_clamped",
    '"yarn" lets low be negative, or high more than d - 1.',
    hint="Where no pair turns often enough, low is the first pair.",
    change={LOW: "math.floor(pair_that_turns(beta_fast))", HIGH: "math.ceil(pair_that_turns(beta_slow))"},
)
scaling.mistake(
    "yarn_by_log_10",
    '"yarn" divides by log10 of the base, and not by its natural logarithm.',
    hint="Both logarithms in the formula are of one kind. What is math.log, and what is math.log10?",
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
    hint="A model that was trained on short texts needs other bounds. Use the arguments.",
    change={
        "pair_that_turns(beta_fast)": "pair_that_turns(32.0)",
        "pair_that_turns(beta_slow)": "pair_that_turns(1.0)",
    },
)
scaling.mistake(
    "base_ignored",
    "The base is ignored: the frequencies are always those of 10000.",
    hint="`base` is an argument, and rotary_frequencies takes it.",
    change={FREQUENCIES: f"base = 10000.0\n{FREQUENCIES}"},
)
scaling.mistake(
    "no_attention_factor",
    "YaRN's attention factor is forgotten: it is always 1.",
    hint="Over more keys a softmax grows flatter. What does the docstring say against that?",
    change={SHARPER: "1.0"},
)
scaling.mistake(
    "attention_factor_of_log_10",
    "YaRN's attention factor is taken with log10 instead of the natural logarithm.",
    hint="ln 10 is 2.3, log10 10 is 1.",
    change={SHARPER: "0.1 * math.log10(factor) + 1"},
)
scaling.mistake(
    "attention_factor_squared",
    "YaRN's attention factor is squared. Queries get it and keys get it, so the scores have its square by themselves.",
    hint="Which number is a query multiplied by, and which one a score?",
    change={SHARPER: f"({SHARPER}) ** 2"},
)
scaling.mistake(
    "attention_factor_rooted",
    "YaRN's attention factor is the root of what it should be.",
    hint="The paper writes √(1/t) = 0.1 ln s + 1. The root has been taken already.",
    change={SHARPER: f"math.sqrt({SHARPER})"},
)
scaling.mistake(
    "attention_factor_for_all",
    "Every method gets YaRN's attention factor; that of the others is 1.",
    hint="Only YaRN makes attention sharper.",
    change={one: one.replace("1.0", SHARPER) for one in (LINEAR, NTK, PLAIN)},
)
scaling.mistake(
    "frequencies_only",
    "Only the frequencies are returned; the attention factor is wanted, too.",
    hint="Return both: `return frequencies, 1.0`.",
    change={**{one: one.removesuffix(", 1.0") for one in (LINEAR, NTK, PLAIN)}, f", {SHARPER}": ""},
)
scaling.mistake(
    "none_is_linear",
    "Without a method, the frequencies are divided all the same.",
    hint='"none" means that nothing is scaled, whatever the factor is.',
    change={PLAIN: "return frequencies / max(factor, 2.0), 1.0"},
)
