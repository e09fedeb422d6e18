"""What goes wrong in CedrRanker."""

from __future__ import annotations

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
    "No gradient goes through [CLS]: nothing teaches the blocks.",
    hint="A histogram has no gradient. Through what does the encoder learn, then?",
    change={CLS: f"ops.stop_gradient({CLS})"},
)
cedr.mistake(
    "WordsOwnVector",
    "Beside each histogram stands the word's own vector, not [CLS].",
    hint="Which token stands for the pair as a whole?",
    change={OF_PAIR: "of_pair = tokens"},
)
cedr.mistake(
    "Pooled",
    "The pooled output stands beside the histogram, not what the last block says of [CLS].",
    hint="The pooler is one layer more. Which of the encoder's outputs has no pooler in it?",
    change={CLS: f'{READ}["pooled_output"][:, None]'},
)
cedr.mistake(
    "MeanOfTokens",
    "The mean of all tokens stands beside the histogram, not [CLS].",
    hint="[CLS] has seen the pair through attention. Padding has a part in a plain mean, too.",
    change={CLS: "ops.mean(tokens, axis=1, keepdims=True)"},
)
cedr.mistake(
    "ClsOfQuery",
    "[CLS] has seen the query alone: it is taken from a pass in which the document is hidden.",
    hint="What would [CLS] say of two documents for the same query?",
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
    "[CLS] is added to the features only once, after the sum over the query, not beside each word.",
    hint="With 10 bins and 768 features, how many go into the projection for each word?",
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
    "[CLS] stands before the histogram, not behind it: published weights would meet other features.",
    hint="A layer that was trained on one order is wrong about the other. Which one do the docstrings give?",
    change={FEATURES: "[of_pair, histograms]"},
)
cedr.mistake(
    "AmongAll",
    "The similarities are among all tokens of the row: the query is found in itself.",
    hint="Every word of the query is an exact match of itself. Which words are to be counted?",
    change={"(similarity, is_document": "(similarity, ops.logical_or(is_query, is_document)"},
)
cedr.mistake(
    "SepCounts",
    "The [SEP] of the document is counted as a word.",
    hint="`words_of_pairs` gives two masks. What do segments alone leave in?",
    change={MASKS: f'{MASKS}\nis_document = ops.logical_and(inputs["padding_mask"], ops.equal(segment_ids, 1))'},
)
cedr.mistake(
    "ClsIsGated",
    "[CLS] and [SEP] are gated like words of the query.",
    hint="Which places of the row does the query have its words at?",
    change={MASKS: f'{MASKS}\nis_query = ops.logical_and(inputs["padding_mask"], ops.equal(segment_ids, 0))'},
)
cedr.mistake(
    "PaddingIsQuery",
    "Padding of the row counts as words of the query: its segment is 0.",
    hint="Segment 0 is that of the query and of padding. Which mask tells them apart?",
    change={MASKS: f'{MASKS}\nis_query = ops.logical_or(is_query, ops.logical_not(inputs["padding_mask"]))'},
)
cedr.mistake(
    "Swapped",
    "Query and document are swapped: each word of the document has a histogram over the query.",
    hint="The gate weighs words of the query. Whose histograms does it sum?",
    change={"is_query, is_document =": "is_document, is_query ="},
)
cedr.mistake(
    "Products",
    "The similarities are products, not cosines: what goes beyond 1 counts as an exact match.",
    hint="Bins go from -1 to 1. How long are the vectors?",
    change={WORDS: 'words = ops.cast(tokens, "float32")'},
)
cedr.mistake(
    "WithoutContext",
    "The similarities are those of the token table, without context.",
    hint="The C in CEDR stands for contextualized. Which vectors know their context?",
    change={WORDS: f"words = unit_vectors({LOOKED_UP})"},
)
cedr.mistake(
    "ContextualGate",
    "The gate reads what the last block says, not the token table: what a word weighs depends on the document.",
    hint="A gradient would reach the blocks through it, too. Where does a word stand without its context?",
    change={LOOKED_UP: "tokens"},
)
cedr.mistake(
    "NoGate",
    "There is no gate: the scores of all words are averaged.",
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
    "The weighted scores are averaged over the row: longer rows have lower scores.",
    hint="The weights sum to 1 already. By what is a mean divided?",
    change={SUMMED: f"ops.mean({WEIGHTED}, axis=-1)"},
)
cedr.mistake(
    "NotSummed",
    "A score for each word is returned, not one for the pair.",
    hint="What does the gate weigh the scores for?",
    change={SUMMED: WEIGHTED},
)
cedr.mistake(
    "Probability",
    "A sigmoid is applied: all good documents have nearly the same score.",
    hint="A ranking needs an order, and no probability. In float32, where does a sigmoid end?",
    change={SUMMED: f"ops.sigmoid({SUMMED})"},
)
cedr.mistake(
    "Linear",
    "The first projection has no tanh: two projections in a row are one.",
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
    "padding_mask does not reach the encoder: words attend to padding.",
    hint="Here the ids at padding are those of words. Who tells the encoder?",
    change={READ: "self.encoder(token_ids, segment_ids)"},
)
