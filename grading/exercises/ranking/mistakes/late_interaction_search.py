"""What goes wrong in late_interaction_search."""

from __future__ import annotations

from grading.exercises.ranking.checks import searching

NEAREST = "index.nearest(query_vectors,"
CANDIDATES = "np.unique(np.asarray(owners)[found])"
QUERY_MASK = "query_mask = np.ones((1, len(query_vectors)), bool)"
SCORES = "scores = ops.convert_to_numpy(max_sim(np.asarray(query_vectors)[None], vectors, query_mask, mask))[0]"
ORDER = 'np.argsort(-scores, kind="stable")[:k]'
RETURNED = "return candidates[order], scores[order]"
# Which words found which candidate, (candidates, words).
FOUND_BY = "(np.asarray(owners)[found] == candidates[:, None, None]).any(axis=2)"

searching.mistake(
    "repeated",
    "A document that several words find is there several times.",
    hint="Each result is a document. How often may it be in the list?",
    change={CANDIDATES: "np.sort(np.asarray(owners)[found], axis=None)"},
)
searching.mistake(
    "owners_forgotten",
    "The numbers of vectors are taken for those of documents.",
    hint="The index holds vectors. Who says which document a vector belongs to?",
    change={CANDIDATES: "np.unique(np.minimum(found, len(document_vectors) - 1))"},
)
searching.mistake(
    "k_for_tokens",
    "`k` counts vectors: each word of the query asks for `k` of them, whatever `per_token` says.",
    hint="`per_token` is for the index, and `k` for the results.",
    change={"min(per_token,": "min(k,"},
)
searching.mistake(
    "asked_together",
    "The words ask for `per_token` vectors all together, not each of them.",
    hint="Is a word's best match still found, if another word has many good ones?",
    change={"min(per_token,": "min(max(1, per_token // len(query_vectors)),"},
)
searching.mistake(
    "first_word_asks",
    "Only the first word of the query asks the index.",
    hint="A document that answers the second word has to be found, too.",
    change={NEAREST: "index.nearest(query_vectors[:1],"},
)
searching.mistake(
    "mean_asks",
    "The mean of the query's words asks the index, once.",
    hint="That is what two towers do. Here each word looks for its own match.",
    change={NEAREST: "index.nearest(np.mean(query_vectors, axis=0, keepdims=True),"},
)
searching.mistake(
    "scored_by_finders",
    "A document is scored only by the words that found it.",
    hint="What the index found are candidates. By which words is a candidate scored?",
    change={
        QUERY_MASK: f"""
            queries = np.repeat(np.asarray(query_vectors)[None], len(candidates), axis=0)
            query_mask = {FOUND_BY}
        """,
        SCORES: "scores = np.diagonal(ops.convert_to_numpy(max_sim(queries, vectors, query_mask, mask)))",
    },
)
searching.mistake(
    "counted",
    "The score is the number of words that found a document.",
    hint="The index says who may be good. What says how good?",
    change={SCORES: f'scores = {FOUND_BY}.sum(axis=1).astype("float32")'},
)
searching.mistake(
    "everything",
    "All documents are scored: the index might as well not be there.",
    hint="With a million documents, how many should be scored?",
    change={CANDIDATES: "np.arange(len(document_vectors))"},
)
searching.mistake(
    "unsorted",
    "The candidates are not sorted by their scores.",
    hint="In which order are results wanted?",
    change={RETURNED: "return candidates[:k], scores[:k]"},
)
searching.mistake(
    "ascending",
    "The worst candidates come first.",
    hint="np.argsort sorts from low to high.",
    change={ORDER: 'np.argsort(scores, kind="stable")[:k]'},
)
searching.mistake(
    "scores_left_behind",
    "The documents are sorted, and their scores are not.",
    hint="Score i belongs to document i of the answer.",
    change={RETURNED: "return candidates[order], scores[:k]"},
)
searching.mistake(
    "places",
    "Places among the candidates are returned, not the numbers of the documents.",
    hint="np.argsort gives places. In which list?",
    change={RETURNED: "return order, scores[order]"},
)
searching.mistake(
    "ties_turned",
    "Of equal documents the one of the higher number comes first.",
    hint="An order that is turned round turns ties round as well.",
    change={ORDER: 'np.argsort(scores, kind="stable")[::-1][:k]'},
)
searching.mistake(
    "k_forgotten",
    "All candidates are returned, not the best k.",
    hint="How many results were asked for?",
    change={ORDER: 'np.argsort(-scores, kind="stable")'},
)
searching.mistake(
    "best_match",
    "The best score of all words is taken, not their sum.",
    hint="`max_sim` is the score. What did it do with the maxima?",
    change={
        SCORES: """
            of_words = max_sim(np.asarray(query_vectors)[:, None], vectors, query_mask.T, mask)
            scores = ops.convert_to_numpy(of_words).max(axis=0)
        """
    },
)
searching.mistake(
    "padding_scored",
    "Padding of the stacked documents is scored as if it were words.",
    hint="Documents have different lengths. What does `stacked` give beside the vectors?",
    change={"query_mask, mask))": "query_mask, np.ones_like(mask)))"},
)
