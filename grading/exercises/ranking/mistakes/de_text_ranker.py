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
    "The vectors stand before their products: trained weights would meet other features.",
    hint="A projection has a row for each feature, in one order. Which one does the docstring give?",
    change={ORDER: f"[cosines, query, in_a_row, products, {RESCALED}]"},
)
detext.mistake(
    "NumbersFirst",
    "The numbers stand first, not last.",
    hint="A projection has a row for each feature, in one order. What does the docstring end with?",
    change={ORDER: f"[{RESCALED}, cosines, products, query, in_a_row]"},
)
detext.mistake(
    "NoCosines",
    "The similarities are products of vectors of any length, not cosines.",
    hint="Make a vector twice as long. Does what it says become twice as similar?",
    change={COSINES: f"ops.sum({PRODUCTS}, axis=-1)"},
)
detext.mistake(
    "ZeroByZero",
    "An empty field has a vector of zeros, and its cosine is 0 / 0.",
    hint="How long is a vector of zeros, and what is divided by that?",
    change={
        f"cosines = {COSINES}": """
            lengths = [ops.sqrt(ops.sum(ops.square(vectors), axis=-1)) for vectors in (query[:, None], fields)]
            cosines = ops.sum(query[:, None] * fields, axis=-1) / (lengths[0] * lengths[1])
        """
    },
)
detext.mistake(
    "UnitProducts",
    "The products are those of vectors of length 1. They should be of the vectors as they came.",
    hint="Which of the features forget how long a vector is, and which do not?",
    change={PRODUCTS: "unit_vectors(query)[:, None] * unit_vectors(fields)"},
)
detext.mistake(
    "UnitVectors",
    "The vectors were made as long as 1 before they are put beside the others.",
    hint="The cosines forget how long a vector is. Should the vectors themselves?",
    change={IN_A_ROW: "ops.reshape(unit_vectors(fields),", "products, query,": "products, unit_vectors(query),"},
)
detext.mistake(
    "FeatureByFeature",
    "The vectors of the fields are mixed: first one feature of all fields, then the next one.",
    hint="Which axis of (batch, n, width) comes first in a row: that of the fields, or that of the features?",
    change={
        PRODUCTS: f"ops.transpose({PRODUCTS}, (0, 2, 1))",
        IN_A_ROW: "ops.reshape(ops.transpose(fields, (0, 2, 1)),",
    },
)
detext.mistake(
    "AsTheyCame",
    "The numbers are not standardized: whatever is counted in hundreds drowns the others.",
    hint="What does tanh make of 200?",
    change={RESCALED: "self.rescale(numbers)"},
)
detext.mistake(
    "ByTheBatch",
    "The numbers are standardized by the batch, not by training: a document's score depends on its neighbours.",
    hint="What would become of a batch of one pair?",
    change={
        STANDARDIZED: "(numbers - ops.mean(numbers, axis=0)) / ops.maximum(ops.std(numbers, axis=0), 1e-7)",
    },
)
detext.mistake(
    "ByVariance",
    "The numbers are divided by their variance, not by their deviation.",
    hint="Of a number that deviates by 80, how much should be left of 80?",
    change={DIVIDED: f"{DIVIDED} ** 2"},
)
detext.mistake(
    "AlmostZero",
    "A number that was always the same in training is divided by 0, or by almost 0.",
    hint="Its deviation is 0. What becomes of it today, when it is a little different?",
    change={STANDARDIZED: "(numbers - self.means) / (self.deviations + 1e-7)"},
)
detext.mistake(
    "ByOne",
    "A number that was always the same in training is divided by 1, and not taken for 0.",
    hint="Nothing was learned from such a number. What may it say today?",
    change={STANDARDIZED: DIVIDED},
)
detext.mistake(
    "NotRescaled",
    "The standardized numbers do not go through `rescale`.",
    hint="One click in a thousand may say more than all the rest. Which layer learns how much a number says?",
    change={RESCALED: "standardized"},
)
detext.mistake(
    "InHalves",
    "The vectors are multiplied in the precision that they came in.",
    hint="Three digits are left of a product in half precision. What should be computed in float32?",
    change={WHOLE: ""},
)
detext.mistake(
    "VectorsStopped",
    "No gradient reaches the vectors: an encoder below could not learn.",
    hint="What the network gets may be learned, too. What stops a gradient?",
    change={WHOLE: f"{WHOLE}\nquery, fields = ops.stop_gradient(query), ops.stop_gradient(fields)"},
)
