"""Promises of docstrings that no check asked for once: answers that break one of them, and nothing else, lose points.

Each is a change of the library's own code, as a known mistake is. Most are rare, so they have no name.
"""

from __future__ import annotations

import pytest

from grading.exercises.registry import chapters
from grading.judging.audit import let_through
from grading.judging.changes import Change
from grading.judging.exercise import Exercise
from grading.judging.expectations import LiveExpectations

VISIBLE = 'visible = "".join(character for character in part if not is_control(character))'
BEST_PAIR = "best = min(pair for pair, count in pair_counts.items() if count == highest)"
SCORED = 'scores = ops.cast(scores, keras.backend.result_type(scores.dtype, "float32"))'
NEXT_SENTENCE = "for first, true_next in itertools.pairwise(document):"
MATRIX = "matrix = np.zeros((num_classes, num_classes), "
RANDOM_SPANS = "generator = np.random.default_rng(seed)"
WORDS = "words = np.flatnonzero(~np.isin(token_ids, list(special_ids)))"
NUMBER_OF_WORDS = "round(rate * len(words)), replace"
HITS = "np.cumsum(labels[order])"
ORDER = "order = np.argsort(-scores)"
TIES = "ranked[:-1] == ranked[1:]"
FOUND = "return kept, "
QUIET_ENCODER = {'inputs.get("padding_mask"))': 'inputs.get("padding_mask"), training=False)'}

BROKEN: dict[tuple[int, str], dict[str, Change]] = {
    (1, "basic_tokenize"): {
        "special tokens are found after control characters are gone": {
            "for part in SPECIAL_TOKEN_PATTERN.split(text):": """
                text = "".join(character for character in text if not is_control(character))
                for part in SPECIAL_TOKEN_PATTERN.split(text):
            """
        },
        "control characters are removed after lowercasing": {
            VISIBLE: f"part = part.lower() if lowercase else part\n{VISIBLE}",
            "visible.lower()": "visible",
        },
        "only marks with a combining class are accents": {"is_accent(character)": "unicodedata.combining(character)"},
    },
    (1, "wordpiece_tokenize"): {
        "the vocabulary must be a dictionary": {
            "if piece in vocabulary:": "if vocabulary.get(piece) is not None:",
        },
        "the vocabulary must have an order": {"if piece in vocabulary:": "if piece in list(vocabulary):"},
    },
    (1, "learn_bpe"): {
        "the end of a word comes last in the order": {
            BEST_PAIR: """
                ties = (pair for pair, count in pair_counts.items() if count == highest)
                best = min(ties, key=lambda pair: tuple(symbol.replace("</w>", "~") for symbol in pair))
            """
        },
    },
    (1, "pack_pair"): {
        "an empty first text has no [SEP]": {
            "token_ids = [cls_id, *kept_first, sep_id]": (
                "token_ids = [cls_id, *kept_first, sep_id] if kept_first else [cls_id]"
            ),
        },
    },
    (3, "scaled_dot_product_attention"): {
        "float64 becomes float32": {
            "head_dim = query.shape[-1]": """
                head_dim = query.shape[-1]
                query, key, value = (
                    ops.cast(each, "float32") if each.dtype == "float64" else each for each in (query, key, value)
                )
            """
        },
        "scores end at 50": {SCORED: f"scores = ops.clip(scores, -50.0, 50.0)\n{SCORED}"},
        "a forbidden key has a score of -10,000": {"-1e9)": "-1e4)"},
    },
    (3, "padding_mask"): {
        "a text of padding alone may be attended to": {
            "return ops.not_equal(token_ids, padding_id)[:, None, None, :]": """
                mask = ops.not_equal(token_ids, padding_id)
                return ops.logical_or(mask, ~ops.any(mask, axis=-1, keepdims=True))[:, None, None, :]
            """
        },
    },
    (3, "split_heads"): {
        "a single head has no axis": {
            "return ops.transpose(x, (0, 2, 1, 3))": """
                x = ops.transpose(x, (0, 2, 1, 3))
                return x[:, 0] if num_heads == 1 else x
            """
        },
        "the result is float32": {"x = ops.convert_to_tensor(x)": 'x = ops.cast(x, "float32")'},
    },
    (3, "merge_heads"): {"the result is float32": {"x = ops.convert_to_tensor(x)": 'x = ops.cast(x, "float32")'}},
    (3, "MultiHeadAttention"): {
        "all heads have the mask of the first": {
            "mask = self.with_four_axes(attention_mask)": """
                mask = self.with_four_axes(attention_mask)
                mask = mask if mask is None else mask[:, :1]
            """
        },
        "there are at least two heads": {
            "query = split_heads(self.query_dense(inputs), self.num_heads)": (
                "query = split_heads(self.query_dense(inputs), max(self.num_heads, 2))"
            ),
        },
    },
    (4, "gelu"): {
        "the approximation is float32": {"if approximate:": 'if approximate:\n    x = ops.cast(x, "float32")'},
        "float64 becomes float32": {
            'require_floats(x, "x")': 'x = ops.cast(x, "float32") if x.dtype == "float64" else x'
        },
    },
    (4, "layer_normalization"): {
        "float64 becomes float32": {
            "return ops.cast(gamma * normalized + beta, x.dtype)": (
                'return ops.cast(gamma * normalized + beta, "float32" if x.dtype == "float64" else x.dtype)'
            ),
        },
    },
    (5, "unigram_probabilities"): {
        "words are counted in float16": {'.astype("float64")': '.astype("float16").astype("float64")'},
        "of three axes, only the first table counts": {
            "np.ravel(token_ids)": "np.ravel(token_ids[0] if np.ndim(token_ids) == 3 else token_ids)",
        },
    },
    (5, "mask_tokens"): {
        "a word with the id 0 is never put in": {
            "selected = corrupted >= 0": """
                selected = corrupted >= 0
                corrupted = ops.where(corrupted > 0, corrupted, token_ids)
            """
        },
        "not all words can be selected": {
            "most = _most_selected(length, rate)": "most = _most_selected(length, min(rate, 0.95))"
        },
    },
    (5, "MaskedLMHead"): {
        "a single position has no axis": {
            "hidden = self.norm(gelu(self.dense(sequence_output)))": """
                hidden = self.norm(gelu(self.dense(sequence_output)))
                hidden = hidden[:, 0] if hidden.shape[1] == 1 else hidden
            """
        },
    },
    (5, "masked_lm_loss"): {
        "no more than 2,048 words count": {"ops.sum(weights))": "ops.minimum(ops.sum(weights), 2048.0))"},
    },
    (6, "sentence_pairs"): {
        "the next sentence is searched for by its text": {
            NEXT_SENTENCE: """
                for first, _ in itertools.pairwise(document):
                    true_next = document[document.index(first) + 1]
            """
        },
        "the last sentence is found by its text": {
            NEXT_SENTENCE: f"{NEXT_SENTENCE}\n    if first == document[-1]:\n        continue",
        },
        "each sentence of a document comes once": {
            NEXT_SENTENCE: "for first, true_next in itertools.pairwise(dict.fromkeys(document)):",
        },
    },
    (7, "WarmupLinearDecay"): {
        "steps are counted in float16": {
            'step = ops.cast(step, "float32")': 'step = ops.cast(ops.cast(step, "float16"), "float32")'
        },
        "the step must be a tensor": {
            'step = ops.cast(step, "float32")': 'step = ops.cast(step, step.dtype and "float32")'
        },
    },
    (8, "TextClassifier"): {"the encoder drops nothing in training": QUIET_ENCODER},
    (8, "fine_tune"): {
        "a loss as low as the lowest counts as a new lowest": {
            'history["held_out_loss"][-1] < lowest': 'history["held_out_loss"][-1] <= lowest'
        },
        "a rise of 0 counts as none": {"int(warmup * total_steps)": "int((warmup or 0.1) * total_steps)"},
    },
    (8, "accuracy"): {
        "a logit close to the highest counts as the highest": {
            "np.argmax(logits, axis=-1) == labels": (
                "np.isclose(np.max(logits, axis=-1), logits[np.arange(len(labels)), labels])"
            ),
        },
        "right texts are counted in float16": {
            "return float(np.mean(np.argmax(logits, axis=-1) == labels))": (
                'return float(np.sum(np.argmax(logits, axis=-1) == labels, dtype="float16") / len(labels))'
            ),
        },
    },
    (8, "confusion_matrix"): {
        dtype: {f'{MATRIX}"int64")': f'{MATRIX}"{dtype}")'} for dtype in ("uint8", "int16", "uint16")
    },
    (9, "rotary_angles"): {
        "positions are rounded": {
            'ops.cast(positions, "float32")': 'ops.cast(ops.cast(positions, "int32"), "float32")'
        },
    },
    (9, "rotate"): {
        "float64 becomes float32": {
            "return ops.cast(turned, x.dtype)": (
                'return ops.cast(turned, "float32" if x.dtype == "float64" else x.dtype)'
            ),
        },
        "bfloat16 is not widened": {
            'keras.backend.result_type(x.dtype, "float32")': (
                '"bfloat16" if x.dtype == "bfloat16" else keras.backend.result_type(x.dtype, "float32")'
            ),
        },
    },
    (9, "alibi_slopes"): {
        "those of other numbers are float64": {
            'return np.concatenate([slopes(power), missing]).astype("float32")': """
                found = np.concatenate([slopes(power), missing])
                return found if len(missing) else found.astype("float32")
            """
        },
    },
    (10, "AdditiveAttention"): {
        "a single key has no weight": {
            "weights = ops.cast(ops.softmax(scores, axis=-1), self.compute_dtype)": """
                weights = ops.cast(ops.softmax(scores, axis=-1), self.compute_dtype)
                weights = 0 * weights if keys.shape[1] == 1 else weights
            """
        },
    },
    (10, "teacher_forcing"): {
        "words are counted in float16": {
            'ops.cast(ops.not_equal(targets, padding_id), "int32"), axis=1, keepdims=True)': (
                'ops.cast(ops.not_equal(targets, padding_id), "float16"), axis=1, keepdims=True)'
            ),
            "places == lengths": 'places == ops.cast(lengths, "int32")',
            "places <= lengths": 'places <= ops.cast(lengths, "int32")',
        },
    },
    (10, "DecoderBlock"): {
        "all heads have the mask of the first": {
            "MultiHeadAttention.with_four_axes(attention_mask)": (
                "MultiHeadAttention.with_four_axes(attention_mask)[:, :1]"
            ),
        },
        "a mask of two axes is not accepted": {
            "MultiHeadAttention.with_four_axes(attention_mask)": (
                "(attention_mask if len(attention_mask.shape) == 4 else attention_mask[:, None, :])"
            ),
        },
    },
    (10, "CachedAttention"): {
        "a call must not fill the cache": {
            "places = ops.arange(ops.shape(cache)[3])": """
                places = ops.arange(ops.shape(cache)[3])
                assert inputs.shape[1] is None or inputs.shape[1] != cache.shape[3]
            """
        },
    },
    (10, "greedy"): {"an end of 0 counts as none": {"words == end_id": "words == (end_id or 2)"}},
    (10, "beam_search"): {
        "impossible words are certain": {
            "sums[:, None] + log_probabilities(step, live, start_id=start_id, end_id=end_id)": (
                "sums[:, None] + np.nan_to_num("
                "log_probabilities(step, live, start_id=start_id, end_id=end_id), neginf=0.0)"
            ),
        },
    },
    (11, "pack_documents"): {
        "an id of 0 becomes padding": {
            "return _filled_up(rows, length, padding_id), _filled_up(owners, length, 0)": """
                filled = _filled_up(rows, length, 0)
                return np.where(filled == 0, padding_id, filled), _filled_up(owners, length, 0)
            """
        },
        "documents are counted in int8": {
            "_filled_up(owners, length, 0)": '_filled_up(owners, length, 0).astype("int8")'
        },
    },
    (11, "span_mask"): {
        "a seed of 0 counts as none": {RANDOM_SPANS: "generator = np.random.default_rng(seed or None)"},
        "the id 0 is always special": {
            "np.isin(token_ids, list(special_ids))": "np.isin(token_ids, [*special_ids, 0])"
        },
        "some spans are longer than p = 1 allows": {
            "shares = p * (1 - p) ** np.arange(longest)": """
                p = min(p, 0.9)
                shares = p * (1 - p) ** np.arange(longest)
            """
        },
    },
    (11, "corrupt"): {
        "a text must not be empty": {WORDS: f"{WORDS}\nassert len(token_ids)"},
        "a text must have a word": {WORDS: f"{WORDS}\nassert len(words)"},
        "at least one word changes": {
            NUMBER_OF_WORDS: "max(round(rate * len(words)), min(rate > 0, len(words))), replace"
        },
        "the number of hidden words is rounded down": {
            "_infill(texts, words, round(rate * len(words)), mask_id, random)": (
                "_infill(texts, words, int(rate * len(words)), mask_id, random)"
            ),
        },
        "halves are rounded up": {NUMBER_OF_WORDS: "int(rate * len(words) + 0.5), replace"},
    },
    (11, "replaced_tokens"): {
        "a seed of 0 counts as none": {"seed=seed": "seed=seed or None"},
        "the word with the id 0 is never put in": {
            "return corrupted, ops.not_equal(corrupted, token_ids)": """
                corrupted = ops.where(corrupted == 0, token_ids, corrupted)
                return corrupted, ops.not_equal(corrupted, token_ids)
            """
        },
    },
    (11, "Electra"): {
        "a seed of 0 counts as none": {
            "else (self.seed, self.seed + 1)": "else (self.seed or self.seed_generator, self.seed + 1)"
        },
    },
    (11, "language_probabilities"): {
        "a single language has no axis": {
            "return smoothed / smoothed.sum()": "return np.squeeze(smoothed / smoothed.sum())"
        },
        "a tiny language is never drawn": {"shares > 0": "shares > 1e-6"},
    },
    (12, "bio_tags"): {"there must be a word": {"return tags": "assert tags\nreturn tags"}},
    (12, "align_labels"): {
        "0 is not accepted as ignore": {"np.full(len(word_ids), ignore, ": "np.full(len(word_ids), ignore or -100, "},
        "there must be a word": {"labels = np.full": "assert len(tags)\nlabels = np.full"},
    },
    (12, "TokenClassifier"): {"the encoder drops nothing in training": QUIET_ENCODER},
    (12, "token_loss"): {
        "0 is not accepted as ignore": {
            "counts = ops.not_equal(labels, ignore)": """
                ignore = ignore or -100
                counts = ops.not_equal(labels, ignore)
            """
        },
    },
    (12, "entities_of"): {
        "kinds are lowercased": {"place, kind = tag_parts(tag)": "place, kind = tag_parts(tag)\nkind = kind.lower()"}
    },
    (12, "entity_scores"): {
        "each sentence must have a word": {
            "require_pairs(true, predicted)": "require_pairs(true, predicted)\nassert all(map(len, true))"
        },
    },
    (12, "viterbi"): {
        "a single tag has no path": {
            'return np.array(path[::-1], "int32")': (
                'return np.array(path[::-1] if scores.shape[1] > 1 else [], "int32")'
            ),
        },
    },
    (13, "ranking_scores"): {
        "k is at least 2": {"require_sizes(k=k)": "k = max(k, 2)"},
        "small gains are none": {"np.flatnonzero(ranked) + 1": "np.flatnonzero(ranked > 0.1) + 1"},
    },
    (13, "in_batch_loss"): {
        "other right documents get -30": {"-1e9, scores": "-30.0, scores"},
        "very short vectors are not of length 1": {"1e-12)": "1e-3)"},
    },
    (13, "pack_texts"): {
        "some text must have an id": {
            "token_ids, segment_ids = [cls_id], [0]": """
                assert any(map(len, texts))
                token_ids, segment_ids = [cls_id], [0]
            """
        },
    },
    (13, "best_threshold"): {
        "labels must be numbers": {
            'scores, labels = require_same_pairs(scores, labels, "scores")': """
                assert np.asarray(labels).dtype != bool
                scores, labels = require_same_pairs(scores, labels, "scores")
            """
        },
        "matches are counted in int8": {HITS: 'np.cumsum(labels[order], dtype="int8")'},
        "scores are rounded": {ORDER: f"scores = np.round(scores, 4)\n{ORDER}"},
        "close scores count as equal": {TIES: "np.isclose(ranked[:-1], ranked[1:])"},
    },
    (13, "calibration_error"): {
        "labels must be numbers": {
            "probabilities, labels = require_probabilities(probabilities, labels)": """
                assert np.asarray(labels).dtype != bool
                probabilities, labels = require_probabilities(probabilities, labels)
            """
        },
        "there are at least two bins": {"require_sizes(bins=bins)": "bins = max(bins, 2)"},
        "a probability of 0 is in no bin": {
            "np.bincount(places, probabilities - labels, minlength=bins)": (
                "np.bincount(places, (probabilities - labels) * (probabilities > 0), minlength=bins)"
            ),
        },
        "probabilities are rounded": {"(probabilities * bins)": "(np.round(probabilities, 2) * bins)"},
    },
    (14, "kernel_pooling"): {
        "a single kernel has no axis": {
            "return ops.sum(ops.where(query_mask[..., None], logs, 0.0), axis=1)": """
                counts = ops.sum(ops.where(query_mask[..., None], logs, 0.0), axis=1)
                return counts[:, 0] if counts.shape[1] == 1 else counts
            """
        },
    },
    (14, "TermGating"): {
        "a query of one token has no weight": {
            "return ops.where(query_mask, weights, 0.0)": (
                "return ops.where(query_mask, weights, 0.0) * (vectors.shape[1] != 1)"
            ),
        },
    },
    (14, "matching_histogram"): {
        "there are at least three bins": {"require_bins(bins)": "bins = max(bins, 3)"},
        "words are counted in float16": {
            'return ops.log1p(ops.sum(ops.cast(is_in, "float32"), axis=2))': (
                'return ops.log1p(ops.cast(ops.sum(ops.cast(is_in, "float16"), axis=2), "float32"))'
            ),
        },
    },
    (14, "duo_rank"): {
        "a batch has two pairs or more": {"require_sizes(batch_size=batch_size)": "batch_size = max(batch_size, 2)"},
    },
    (15, "select_layers"): {
        "the student has padding of its own": {
            '"num_layers": len(chosen)}': '"num_layers": len(chosen), "padding_id": 0}'
        },
        "a list of one block is not followed": {
            "chosen = list(layers)": "chosen = list(layers) if layers[1:] else [0]"
        },
    },
    (15, "quantize"): {
        "all negative axes are the last": {
            "axis % len(weights.shape)": "(len(weights.shape) - 1 if axis < 0 else axis)"
        },
        "symmetric levels have at least 3 bits": {
            'require_finite(weights, "weights")': "bits = max(bits, 3) if symmetric else bits"
        },
        "a zero point that is a tie is rounded up": {
            "zero_point = ops.round(lowest - low / scale)": "zero_point = ops.floor(lowest - low / scale + 0.5)"
        },
    },
    (15, "dequantize"): {
        "there must be two axes": {
            'require_integers(levels, "levels")': 'require_integers(levels, "levels")\nassert len(levels.shape) == 2'
        },
    },
    (15, "QuantizedDense"): {
        "four axes are not accepted": {"shape = ops.shape(x)": "shape = ops.shape(x)\nassert len(shape) < 4"},
    },
    (15, "pseudo_labels"): {
        "some text must be kept": {FOUND: f"assert len(kept)\n{FOUND}"},
    },
}


@pytest.mark.parametrize(("number", "name"), BROKEN, ids=str)
def test_a_broken_promise_loses_points(number: int, name: str) -> None:
    chapter = chapters()[number]
    exercise = chapter.exercises[name]
    broken = Exercise(name, exercise.module, checks=exercise.checks)
    for promise, change in BROKEN[number, name].items():
        broken.mistake(promise, promise, hint="", change=change)
    through = let_through(broken, LiveExpectations(chapter, secret=b"tests"))
    assert [mistake.name for mistake in through] == []
