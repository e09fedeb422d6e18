"""What goes wrong in late_interaction_search."""

from __future__ import annotations

from grading.exercises.ranking.checks import searching

NEAREST = "index.nearest(query_vectors,"
CANDIDATES = "np.unique(np.asarray(owners)[found])"
QUERY_MASK = "query_mask = np.ones((1, len(query_vectors)), bool)"
SCORES = "scores = ops.convert_to_numpy(max_sim(np.asarray(query_vectors)[None], vectors, query_mask, mask))[0]"
ORDER = 'np.argsort(-scores, kind="stable")[:k]'
RETURNED = "return candidates[order], scores[order]"
# (candidates, words): whether the word found the candidate.
FOUND_BY = "(np.asarray(owners)[found] == candidates[:, None, None]).any(axis=2)"

searching.mistake(
    "repeated",
    "A document found by several words appears several times.",
    hint="Each result is a document. How often may one appear in the list?",
    change={CANDIDATES: "np.sort(np.asarray(owners)[found], axis=None)"},
)
searching.mistake(
    "owners_forgotten",
    "The numbers of vectors are used as numbers of documents.",
    hint="The index holds vectors. What maps a vector to its document?",
    change={CANDIDATES: "np.unique(np.minimum(found, len(document_vectors) - 1))"},
)
searching.mistake(
    "k_for_tokens",
    "Each word of the query asks for `k` vectors, whatever `per_token` is.",
    hint="`per_token` is for the index, and `k` for the results.",
    change={"min(per_token,": "min(k,"},
)
searching.mistake(
    "asked_together",
    "All words together ask for `per_token` vectors instead of each of them.",
    hint="If another word has many good matches, is this word's best match still found?",
    change={"min(per_token,": "min(max(1, per_token // len(query_vectors)),"},
)
searching.mistake(
    "first_word_asks",
    "Only the first word of the query searches the index.",
    hint="A document that matches only the second word must be found, too.",
    change={NEAREST: "index.nearest(query_vectors[:1],"},
)
searching.mistake(
    "mean_asks",
    "The mean of the query's words searches the index, once.",
    hint="Two-tower models do that. Here each word looks for its own match.",
    change={NEAREST: "index.nearest(np.mean(query_vectors, axis=0, keepdims=True),"},
)
searching.mistake(
    "scored_by_finders",
    "A document is scored only with the words that found it.",
    hint="The index only finds candidates. Which words should score a candidate?",
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
    "The score counts the words that found a document.",
    hint="The index says which documents may be good. What says how good they are?",
    change={SCORES: f'scores = {FOUND_BY}.sum(axis=1).astype("float32")'},
)
searching.mistake(
    "everything",
    "All documents are scored, so the index has no effect.",
    hint="With a million documents, how many should be scored?",
    change={CANDIDATES: "np.arange(len(document_vectors))"},
)
searching.mistake(
    "unsorted",
    "The candidates are not sorted by score.",
    hint="In which order should the results come?",
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
    "The documents are sorted, but their scores are not.",
    hint="Score i belongs to document i of the result.",
    change={RETURNED: "return candidates[order], scores[:k]"},
)
searching.mistake(
    "places",
    "Indices into the candidates are returned instead of document numbers.",
    hint="np.argsort returns indices. Into which list?",
    change={RETURNED: "return order, scores[order]"},
)
searching.mistake(
    "ties_turned",
    "Of documents with equal scores, the one with the higher number comes first.",
    hint="Reversing a sorted order also reverses ties.",
    change={ORDER: 'np.argsort(scores, kind="stable")[::-1][:k]'},
)
searching.mistake(
    "parted_at_k",
    "The best k are picked with np.argpartition, which may take any of several equally good documents.",
    hint="Two of three equally good documents are wanted. Does np.argpartition take those with the lowest numbers?",
    change={
        f"order = {ORDER}": """
            order = np.argpartition(-scores, min(k, len(scores)) - 1)[:k]
            order = order[np.lexsort((order, -scores[order]))]
        """
    },
)
searching.mistake(
    "k_forgotten",
    "All candidates are returned instead of the best k.",
    hint="How many results were asked for?",
    change={ORDER: 'np.argsort(-scores, kind="stable")'},
)
searching.mistake(
    "best_match",
    "The score is the best match of any word instead of the sum over all words.",
    hint="`max_sim` is the score. What does it do with the maxima?",
    change={
        SCORES: """
            of_words = max_sim(np.asarray(query_vectors)[:, None], vectors, query_mask.T, mask)
            scores = ops.convert_to_numpy(of_words).max(axis=0)
        """
    },
)
searching.mistake(
    "padding_scored",
    "Padding of the stacked documents is scored like words.",
    hint="Documents have different lengths. What does `stacked` return besides the vectors?",
    change={"query_mask, mask))": "query_mask, np.ones_like(mask)))"},
)
searching.mistake(
    "ties_as_found",
    "Of documents with equal scores, the one that the index finds first comes first, whatever its number.",
    hint="In which order are your candidates before they are sorted by score?",
    change={CANDIDATES: "np.array(list(dict.fromkeys(np.asarray(owners)[found].reshape(-1).tolist())))"},
)
searching.mistake(
    "found_vectors_alone",
    "A candidate is scored only with those of its vectors that the index found, not with all of its own.",
    hint="The index finds candidates. Which vectors of a candidate can a word of the query match best?",
    change={
        "np.asarray(document_vectors[number]) for number in candidates": """
            np.asarray(document_vectors[number])[
                [int(np.sum(owners[:vector] == number)) for vector in np.unique(found) if owners[vector] == number]
            ]
            for number in candidates
        """,
        CANDIDATES: f"{CANDIDATES}\nowners = np.asarray(owners)",
    },
)
searching.mistake(
    "owners_made_anew",
    "`owners` is not used: vectors are assigned to documents as if the index held them in the documents' order.",
    hint="The example has an index of that order. What tells you the order of any other index?",
    change={
        f"candidates = {CANDIDATES}": f"""
            owners = np.repeat(np.arange(len(document_vectors)), [len(vectors) for vectors in document_vectors])
            candidates = {CANDIDATES}
        """
    },
)
searching.mistake(
    "index_not_asked",
    "The nearest vectors are looked for among `document_vectors`, one by one, and the index is not asked.",
    hint="With a million documents, how many vectors would you compare? What was the index made for?",
    change={
        f"found = {NEAREST} min(per_token, len(owners)))": """
            every = np.concatenate([np.asarray(vectors) for vectors in document_vectors])
            owners = np.repeat(np.arange(len(document_vectors)), [len(vectors) for vectors in document_vectors])
            cosines = ops.convert_to_numpy(ops.matmul(unit_vectors(query_vectors), ops.transpose(unit_vectors(every))))
            found = np.argsort(-cosines, axis=1, kind="stable")[:, :per_token]
        """
    },
)
searching.mistake(
    "scores_in_double",
    "The scores are float64.",
    hint="Which dtype do the scores of `max_sim` have? What did your code do with them?",
    change={RETURNED: "return candidates[order], scores[order].astype(float)"},
)
searching.mistake(
    "zeros_are_padding",
    "Vectors of zeros count as padding, so a word whose vector is zero is not scored.",
    hint="What says how many words a document has: its numbers, or its length?",
    change={SCORES: f"mask = mask & (vectors != 0).any(axis=-1)\n{SCORES}"},
)
