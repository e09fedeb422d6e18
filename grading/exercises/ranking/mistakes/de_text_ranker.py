"""What goes wrong in DeTextRanker."""

from __future__ import annotations

from grading.exercises.ranking.checks import detext

WHOLE = 'query, fields = ops.cast(query, "float32"), ops.cast(fields, "float32")'
COSINES = "ops.sum(unit_vectors(query)[:, None] * unit_vectors(fields), axis=-1)"
PRODUCTS = "query[:, None] * fields"
IN_A_ROW = "ops.reshape(fields,"
DIVIDED = "(numbers - self.means) / np.where(varied, self.deviations, 1)"
STANDARDIZED = f"ops.where(varied, {DIVIDED}, 0.0)"
RESCALED = "self.rescale(standardized)"
ORDER = f"[cosines, products, query, in_a_row, {RESCALED}]"

detext.mistake(
    "VectorsFirst",
    "The vectors come before their products, so trained weights would meet other features.",
    hint="A projection has one row per feature, in a fixed order. Which order does the docstring give?",
    change={ORDER: f"[cosines, query, in_a_row, products, {RESCALED}]"},
)
detext.mistake(
    "NumbersFirst",
    "The numbers come first instead of last.",
    hint="A projection has one row per feature, in a fixed order. What comes last in the docstring?",
    change={ORDER: f"[{RESCALED}, cosines, products, query, in_a_row]"},
)
detext.mistake(
    "NoCosines",
    "The similarities are dot products of vectors of any length instead of cosines.",
    hint="Double the length of a vector. Does its text become twice as similar?",
    change={COSINES: f"ops.sum({PRODUCTS}, axis=-1)"},
)
detext.mistake(
    "ZeroByZero",
    "The cosine of an empty field, a vector of zeros, is 0 / 0.",
    hint="What is the length of a vector of zeros, and what do you divide by it?",
    change={
        f"cosines = {COSINES}": """
            lengths = [ops.sqrt(ops.sum(ops.square(vectors), axis=-1)) for vectors in (query[:, None], fields)]
            cosines = ops.sum(query[:, None] * fields, axis=-1) / (lengths[0] * lengths[1])
        """
    },
)
detext.mistake(
    "UnitProducts",
    "The products use vectors of length 1 instead of the original vectors.",
    hint="Which features ignore the length of a vector, and which do not?",
    change={PRODUCTS: "unit_vectors(query)[:, None] * unit_vectors(fields)"},
)
detext.mistake(
    "UnitVectors",
    "The vectors are normalised to length 1 before they are joined with the other features.",
    hint="The cosines ignore the length of a vector. Should the vectors themselves?",
    change={IN_A_ROW: "ops.reshape(unit_vectors(fields),", "products, query,": "products, unit_vectors(query),"},
)
detext.mistake(
    "FeatureByFeature",
    "The vectors of the fields are interleaved: the first feature of all fields, then the second one.",
    hint="Which axis of (batch, n, width) varies fastest in a row: fields or features?",
    change={
        PRODUCTS: f"ops.transpose({PRODUCTS}, (0, 2, 1))",
        IN_A_ROW: "ops.reshape(ops.transpose(fields, (0, 2, 1)),",
    },
)
detext.mistake(
    "AsTheyCame",
    "The numbers are not standardized, so one counted in hundreds drowns out the others.",
    hint="What does tanh make of 200?",
    change={RESCALED: "self.rescale(numbers)"},
)
detext.mistake(
    "ByTheBatch",
    "The numbers are standardized over the batch, not over training, so a score depends on the other pairs.",
    hint="What would happen in a batch of one pair?",
    change={
        STANDARDIZED: "(numbers - ops.mean(numbers, axis=0)) / ops.maximum(ops.std(numbers, axis=0), 1e-7)",
    },
)
detext.mistake(
    "ByVariance",
    "The numbers are divided by their variance instead of their standard deviation.",
    hint="If a number's deviation is 80, what should a difference of 80 become?",
    change={DIVIDED: f"{DIVIDED} ** 2"},
)
detext.mistake(
    "AlmostZero",
    "A number that was constant in training is divided by 0, or almost 0.",
    hint="Its deviation is 0. What happens if the number differs a little today?",
    change={STANDARDIZED: "(numbers - self.means) / (self.deviations + 1e-7)"},
)
detext.mistake(
    "ByOne",
    "A number that was constant in training is divided by 1 instead of becoming 0.",
    hint="Nothing was learned from such a number. What effect may it have today?",
    change={STANDARDIZED: DIVIDED},
)
detext.mistake(
    "NotRescaled",
    "The standardized numbers do not go through `rescale`.",
    hint="One click in a thousand views may matter more than all else. Which layer learns how much a number matters?",
    change={RESCALED: "standardized"},
)
detext.mistake(
    "InHalves",
    "The vectors are multiplied in their own precision.",
    hint="In half precision, a product keeps three digits. What should be computed in float32?",
    change={WHOLE: ""},
)
detext.mistake(
    "VectorsStopped",
    "No gradient reaches the vectors, so an encoder below could not learn.",
    hint="The network's inputs may be trainable, too. What stops a gradient?",
    change={WHOLE: f"{WHOLE}\nquery, fields = ops.stop_gradient(query), ops.stop_gradient(fields)"},
)
detext.mistake(
    "InOwnPolicy",
    "The vectors are cast to the dtype that the ranker computes in, which is float16 in mixed precision.",
    hint="What is `self.compute_dtype` in mixed precision? Which dtype does the docstring name?",
    change={WHOLE: "query, fields = ops.cast(query, self.compute_dtype), ops.cast(fields, self.compute_dtype)"},
)
detext.mistake(
    "ByABillion",
    "A number that was constant in training is divided by a huge number, which is not enough for a huge value.",
    hint="What does `rescale` get if the number is as huge as your divisor?",
    change={STANDARDIZED: "(numbers - self.means) / np.where(varied, self.deviations, np.float32(1e9))"},
)
detext.mistake(
    "TinyIsConstant",
    "A number with a tiny deviation becomes 0, as if it had been constant in training.",
    hint="A share of a million may deviate by 1e-7, and still say much. Which deviation means that it never changed?",
    change={"self.deviations > 0\n": "self.deviations > 1e-6\n"},
)
detext.mistake(
    "TimesZero",
    "A number that was constant is multiplied by 0 instead of replaced by it: infinity times 0 is not a number.",
    hint="`rescale` gets 0 for it, whatever its value is now. Which values times 0 are not 0?",
    change={STANDARDIZED: f"{DIVIDED} * ops.cast(varied, 'float32')"},
)
