"""What goes wrong in CedrRanker."""

from __future__ import annotations

from grading.exercises import classifier_mistakes as wrong
from grading.exercises.ranking.checks import cedr

MASKS = 'is_query, is_document = words_of_pairs(segment_ids, inputs["padding_mask"])'
READ = 'self.encoder(token_ids, segment_ids, inputs["padding_mask"])'
WORDS = "words = unit_vectors(tokens)"
CLS = "tokens[:, :1]"
OF_PAIR = f"of_pair = ops.broadcast_to({CLS}, ops.shape(tokens))"
FEATURES = "[histograms, of_pair]"
LOOKED_UP = "self.encoder.embedding.token_embedding(token_ids)"
WEIGHTS = f"weights = self.gate({LOOKED_UP}, is_query)"
WEIGHTED = 'weights * ops.cast(scores, "float32")'
SUMMED = f"ops.sum({WEIGHTED}, axis=-1)"

cedr.mistake(
    "ClsStopped",
    "No gradient flows through [CLS], so the blocks learn nothing.",
    hint="A histogram has no gradient. How can the encoder learn, then?",
    change={CLS: f"ops.stop_gradient({CLS})"},
)
cedr.mistake(
    "WordsOwnVector",
    "Each histogram is joined with the word's own vector instead of [CLS].",
    hint="Which token stands for the whole pair?",
    change={OF_PAIR: "of_pair = tokens"},
)
cedr.mistake(
    "Pooled",
    "Each histogram is joined with the pooled output instead of the last block's output for [CLS].",
    hint="The pooler is one more layer. Which of the encoder's outputs does not include it?",
    change={CLS: f'{READ}["pooled_output"][:, None]'},
)
cedr.mistake(
    "MeanOfTokens",
    "Each histogram is joined with the mean of all tokens instead of [CLS].",
    hint="[CLS] has seen the pair through attention. What does padding do to a plain mean?",
    change={CLS: "ops.mean(tokens, axis=1, keepdims=True)"},
)
cedr.mistake(
    "ClsOfQuery",
    "[CLS] sees only the query: it comes from a pass in which the document is hidden.",
    hint="For one query and two documents, how would [CLS] differ?",
    change={
        OF_PAIR: """
            shown = ops.logical_and(inputs["padding_mask"], ops.equal(segment_ids, 0))
            alone = self.encoder(token_ids, segment_ids, shown)["sequence_output"]
            of_pair = ops.broadcast_to(alone[:, :1], ops.shape(tokens))
        """
    },
)
cedr.mistake(
    "ClsAfterwards",
    "[CLS] is added only once, after the sum over the query, instead of being joined to each word's histogram.",
    hint="With 10 bins and 768 features, how many numbers does the projection get per word?",
    change={
        FEATURES: "[histograms, ops.zeros_like(of_pair)]",
        f"return {SUMMED}": f"""
            alone = ops.concatenate([ops.zeros_like(histograms[:, 0]), tokens[:, 0]], axis=-1)
            of_cls = ops.cast(self.score_dense(self.features_dense(alone))[:, 0], "float32")
            return {SUMMED} + of_cls
        """,
    },
)
cedr.mistake(
    "OtherOrder",
    "[CLS] comes before the histogram instead of after it, so published weights would meet other features.",
    hint="Weights trained on one order do not fit the other. Which order do the docstrings give?",
    change={FEATURES: "[of_pair, histograms]"},
)
cedr.mistake(
    "AmongAll",
    "The similarities cover all tokens of the row, so the query matches itself.",
    hint="Every word of the query matches itself exactly. Which words should be counted?",
    change={"(similarity, is_document": "(similarity, ops.logical_or(is_query, is_document)"},
)
cedr.mistake(
    "SepCounts",
    "The document's [SEP] counts as a word.",
    hint="`words_of_pairs` gives two masks. Which tokens do segments alone not exclude?",
    change={MASKS: f'{MASKS}\nis_document = ops.logical_and(inputs["padding_mask"], ops.equal(segment_ids, 1))'},
)
cedr.mistake(
    "ClsIsGated",
    "[CLS] and [SEP] are gated like words of the query.",
    hint="At which places of the row are the words of the query?",
    change={MASKS: f'{MASKS}\nis_query = ops.logical_and(inputs["padding_mask"], ops.equal(segment_ids, 0))'},
)
cedr.mistake(
    "PaddingIsQuery",
    "Padding counts as words of the query, because its segment is 0.",
    hint="The query and padding both have segment 0. Which mask separates them?",
    change={MASKS: f'{MASKS}\nis_query = ops.logical_or(is_query, ops.logical_not(inputs["padding_mask"]))'},
)
cedr.mistake(
    "Swapped",
    "Query and document are swapped: each document word has a histogram over the query.",
    hint="The gate weighs words of the query. Whose histograms should it sum?",
    change={"is_query, is_document =": "is_document, is_query ="},
)
cedr.mistake(
    "Products",
    "The similarities are dot products instead of cosines, so values above 1 count as exact matches.",
    hint="Bins go from -1 to 1. How long are the vectors?",
    change={WORDS: 'words = ops.cast(tokens, "float32")'},
)
cedr.mistake(
    "WithoutContext",
    "The similarities use the token table, which has no context.",
    hint="The C in CEDR stands for contextualized. Which vectors depend on their context?",
    change={WORDS: f"words = unit_vectors({LOOKED_UP})"},
)
cedr.mistake(
    "ContextualGate",
    "The gate reads the last block instead of the token table, so the weight of a word depends on the document.",
    hint="That would also send a gradient into the blocks. Where do you find a word's vector without context?",
    change={LOOKED_UP: "tokens"},
)
cedr.mistake(
    "NoGate",
    "The gate is missing: the scores of all words are averaged.",
    hint='A query "the best phone" has one word that counts. What are the weights for?',
    change={
        WEIGHTS: f"""
            {WEIGHTS}
            alike = ops.cast(is_query, "float32")
            weights = 0 * weights + alike / ops.maximum(ops.sum(alike, axis=-1, keepdims=True), 1.0)
        """
    },
)
cedr.mistake(
    "MeanOverRow",
    "The weighted scores are averaged over the row, so longer rows get lower scores.",
    hint="The weights already sum to 1. What does a mean divide by?",
    change={SUMMED: f"ops.mean({WEIGHTED}, axis=-1)"},
)
cedr.mistake(
    "NotSummed",
    "The result is one score per word instead of one per pair.",
    hint="The gate weighs the scores. What happens to them next?",
    change={SUMMED: WEIGHTED},
)
cedr.mistake(
    "Probability",
    "A sigmoid is applied, so all good documents get nearly the same score.",
    hint="A ranking needs an order, not probabilities. What is the largest value of a sigmoid in float32?",
    change={SUMMED: f"ops.sigmoid({SUMMED})"},
)
cedr.mistake(
    "Linear",
    "The first projection has no tanh, so the two projections collapse into one.",
    hint="What can two matrices do that one cannot?",
    change={' activation="tanh",': ""},
)
cedr.mistake(
    "SegmentsForgotten",
    "segment_ids do not reach the encoder.",
    hint="The inputs are three arrays, and the encoder takes all of them.",
    change={READ: 'self.encoder(token_ids, padding_mask=inputs["padding_mask"])'},
)
cedr.mistake(
    "MaskForgotten",
    "padding_mask does not reach the encoder, so words attend to padding.",
    hint="The ids at padding look like words here. Which argument tells the encoder?",
    change={READ: "self.encoder(token_ids, segment_ids)"},
)
cedr.mistake(**wrong.ENCODER_NOT_BUILT)
cedr.mistake(**wrong.ENCODER_BUILT_AGAIN)
cedr.mistake(
    "PartWithoutPolicy",
    "A part of the ranker does not get its dtype policy.",
    hint="Make a ranker in float64. In which dtype does each of its three parts keep its weights?",
    change={'activation="tanh", dtype=self.dtype_policy': 'activation="tanh"'},
)
cedr.mistake(
    "DividedByWeights",
    "The sum is divided by the sum of the weights, which is 0 for a query without words, so its score is NaN.",
    hint="What are the gate's weights of a query without words? What is their sum for any other query?",
    change={SUMMED: f"{SUMMED} / ops.sum(weights, axis=-1)"},
)
