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
        "symbols that are not ASCII are punctuation": {
            "elif is_punctuation(character) or": (
                'elif unicodedata.category(character)[0] == "S" or is_punctuation(character) or'
            ),
        },
        "a connector that is not ASCII is no punctuation": {
            "elif is_punctuation(character) or": 'elif is_punctuation(character) and character != "\\u203f" or',
        },
        "extension A is not Chinese": {
            "or is_cjk(character)": "or is_cjk(character) and not 0x3400 <= ord(character) <= 0x4DBF",
        },
        "compatibility characters are not Chinese": {
            "or is_cjk(character)": "or is_cjk(character) and not 0xF900 <= ord(character) <= 0xFAFF",
        },
        "special tokens side by side are split": {
            "for part in SPECIAL_TOKEN_PATTERN.split(text):": (
                'for part in re.split(SPECIAL_TOKEN_PATTERN.pattern + r"(?!\\[)", text):'
            ),
        },
        "joiners stay": {
            "if not is_control(character))": 'if not is_control(character) or character == "\\u200d")',
        },
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
        "no more than 200 characters": {
            "len(word) > max_chars": "len(word) > min(max_chars, 200)",
        },
        "max_chars=0 counts as none": {
            "len(word) > max_chars": "len(word) > (max_chars or 100)",
        },
        "capitals are lowercased": {
            "pieces = []": """
                pieces = []
                word = word.lower()
            """,
        },
        "the vocabulary must be a dictionary": {
            "if piece in vocabulary:": "if vocabulary.get(piece) is not None:",
        },
        "the vocabulary must have an order": {"if piece in vocabulary:": "if piece in list(vocabulary):"},
    },
    (1, "learn_bpe"): {
        "close counts are equal": {
            "if count == highest)": "if count >= highest * (1 - 1e-6))",
        },
        "capitals are lowercased": {
            "([*word, END_OF_WORD]": "([*word.lower(), END_OF_WORD]",
        },
        "no more than 20 merges": {
            "len(merges) < num_merges": "len(merges) < min(num_merges, 20)",
        },
        "the end of a word comes last in the order": {
            BEST_PAIR: """
                ties = (pair for pair, count in pair_counts.items() if count == highest)
                best = min(ties, key=lambda pair: tuple(symbol.replace("</w>", "~") for symbol in pair))
            """
        },
    },
    (1, "pack_pair"): {
        "ids have 16 bits": {
            '[padding_id] * padding, "int32")': '[padding_id] * padding, "int32").astype("uint16").astype("int32")',
        },
        "there must be room for an id": {
            "longer.pop()": """
                longer.pop()
                assert room
            """,
        },
        "an empty first text has no [SEP]": {
            "token_ids = [cls_id, *kept_first, sep_id]": (
                "token_ids = [cls_id, *kept_first, sep_id] if kept_first else [cls_id]"
            ),
        },
    },
    (2, "sinusoidal_positions"): {
        "wavelengths repeat after 512 features": {
            "even = np.arange(0, hidden_dim, 2)": "even = np.arange(0, hidden_dim, 2) % 512",
        },
        "there are no more than 4,096 positions": {
            "position = np.arange(length)[:, np.newaxis]": (
                "position = np.minimum(np.arange(length), 4095)[:, np.newaxis]"
            ),
        },
    },
    (3, "scaled_dot_product_attention"): {
        "a mask has two axes or more": {
            "require_mask(mask, scores.shape)": "assert len(mask.shape) > 1",
        },
        "two axes are not accepted": {
            "head_dim = query.shape[-1]": """
                head_dim = query.shape[-1]
                assert len(query.shape) > 2
            """,
        },
        "five axes are not accepted": {
            "head_dim = query.shape[-1]": """
                head_dim = query.shape[-1]
                assert len(query.shape) < 5
            """,
        },
        "a single key has no weight": {
            "weights = ops.softmax(scores, axis=-1)": (
                "weights = ops.softmax(scores, axis=-1) * (scores.shape[-1] != 1)"
            ),
        },
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
        "ids have 16 bits": {
            "ops.not_equal(token_ids, padding_id)": 'ops.not_equal(ops.cast(token_ids, "int16"), padding_id)',
        },
        "ids are compared in float16": {
            "ops.not_equal(token_ids, padding_id)": 'ops.not_equal(ops.cast(token_ids, "float16"), padding_id)',
        },
        "a text of padding alone may be attended to": {
            "return ops.not_equal(token_ids, padding_id)[:, None, None, :]": """
                mask = ops.not_equal(token_ids, padding_id)
                return ops.logical_or(mask, ~ops.any(mask, axis=-1, keepdims=True))[:, None, None, :]
            """
        },
    },
    (3, "split_heads"): {
        "whole numbers become floats": {
            "x = ops.convert_to_tensor(x)": """
                x = ops.convert_to_tensor(x)
                x = ops.cast(x, "float32") if "int" in x.dtype.name else x
            """,
        },
        "heads of one feature have no axis": {
            "return ops.transpose(x, (0, 2, 1, 3))": """
                x = ops.transpose(x, (0, 2, 1, 3))
                return x[..., 0] if x.shape[-1] == 1 else x
            """,
        },
        "a single head has no axis": {
            "return ops.transpose(x, (0, 2, 1, 3))": """
                x = ops.transpose(x, (0, 2, 1, 3))
                return x[:, 0] if num_heads == 1 else x
            """
        },
        "the result is float32": {"x = ops.convert_to_tensor(x)": 'x = ops.cast(x, "float32")'},
    },
    (3, "merge_heads"): {
        "whole numbers become floats": {
            "x = ops.convert_to_tensor(x)": """
                x = ops.convert_to_tensor(x)
                x = ops.cast(x, "float32") if "int" in x.dtype.name else x
            """,
        },
        "the result is float32": {"x = ops.convert_to_tensor(x)": 'x = ops.cast(x, "float32")'},
    },
    (3, "MultiHeadAttention"): {
        "dropout ignores the mask": {
            "self.dropout_layer(weights, training=True)": (
                "self.dropout_layer(scaled_dot_product_attention(query, key, value)[1], training=True)"
            ),
        },
        "dropout is not applied under a mask": {
            "if self.dropout and training:": "if self.dropout and training and mask is None:",
        },
        "all heads have the mask of the first": {
            "mask = self.with_four_axes(attention_mask)": """
                mask = self.with_four_axes(attention_mask)
                mask = mask if mask is None else mask[:, :1]
            """
        },
    },
    (4, "gelu"): {
        "the approximation of large numbers is NaN": {
            "ops.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x))": (
                "(lambda e: (e - 1) / (e + 1))(ops.exp(2 * math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))"
            ),
        },
        "the approximation is float32": {"if approximate:": 'if approximate:\n    x = ops.cast(x, "float32")'},
        "float64 becomes float32": {
            'require_floats(x, "x")': 'x = ops.cast(x, "float32") if x.dtype == "float64" else x'
        },
    },
    (4, "layer_normalization"): {
        "a single feature is NaN": {
            "normalized = (features - mean) * ops.rsqrt(variance + epsilon)": (
                "normalized = (features - mean) * ops.rsqrt(variance + epsilon) / (x.shape[-1] > 1 or math.nan)"
            ),
        },
        "the dtype is that of gamma": {
            "return ops.cast(gamma * normalized + beta, x.dtype)": (
                "return ops.cast(gamma * normalized + beta, dtype)"
            ),
            "precise = ": "dtype = gamma.dtype\nprecise = ",
        },
        "float64 becomes float32": {
            "return ops.cast(gamma * normalized + beta, x.dtype)": (
                'return ops.cast(gamma * normalized + beta, "float32" if x.dtype == "float64" else x.dtype)'
            ),
        },
    },
    (4, "EncoderBlock"): {
        "the norms of pre-LN are built late": {
            ("for part in (self.attention, self.feed_forward, self.attention_norm, self.feed_forward_norm):"): """
                norms = () if self.norm_first else (self.attention_norm, self.feed_forward_norm)
                for part in (self.attention, self.feed_forward, *norms):
            """,
        },
        "pre-LN returns float32": {
            "return x + self.dropout_layer(self.feed_forward(self.feed_forward_norm(x)))": (
                'return ops.cast(x + self.dropout_layer(self.feed_forward(self.feed_forward_norm(x))), "float32")'
            ),
        },
        "pre-LN has BERT's epsilon": {
            'LayerNorm(self.epsilon, name="attention_norm"': (
                'LayerNorm(1e-12 if self.norm_first else self.epsilon, name="attention_norm"'
            ),
        },
        "pre-LN has the exact GELU": {
            "self.intermediate_dim, self.approximate_gelu, name": (
                "self.intermediate_dim, self.approximate_gelu and not self.norm_first, name"
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
        "the embeddings learn at given positions alone": {
            "ops.transpose(embeddings))": (
                "ops.transpose(embeddings if positions is not None else ops.stop_gradient(embeddings)))"
            ),
        },
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
    (6, "next_sentence_loss"): {
        "labels must be of both kinds": {
            "_require_two_scores_each(labels, logits)": (
                "labels = ops.where(ops.min(labels) == ops.max(labels), ops.zeros_like(labels), labels)"
            ),
        },
    },
    (7, "WarmupLinearDecay"): {
        "the peak is at most 1": {
            "return self.peak *": "return min(self.peak, 1.0) *",
        },
        "there are no more than 100,000 steps": {
            'step = ops.cast(step, "float32")': 'step = ops.minimum(ops.cast(step, "float32"), 100000.0)',
        },
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
        "there are no more than 128 classes": {
            "np.argmax(logits, axis=-1)": 'np.argmax(logits, axis=-1).astype("int8")',
        },
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
        "there are no more than 256 classes": {
            "(labels, predictions), 1)": '(labels.astype("uint8"), predictions), 1)',
        },
        **{dtype: {f'{MATRIX}"int64")': f'{MATRIX}"{dtype}")'} for dtype in ("uint8", "int16", "uint16")},
    },
    (9, "rotary_angles"): {
        "NumPy computes the angles": {
            'ops.cast(positions, "float32")[..., None]': 'np.asarray(positions).astype("float32")[..., None]',
        },
        "positions are rounded": {
            'ops.cast(positions, "float32")': 'ops.cast(ops.cast(positions, "int32"), "float32")'
        },
    },
    (9, "rotate"): {
        "two axes are not accepted": {
            "require_rotation(x, cos, sin)": "assert len(x.shape) > 2",
        },
        "five axes are not accepted": {
            "require_rotation(x, cos, sin)": "assert len(x.shape) < 5",
        },
        "a single pair is not turned": {
            "return ops.cast(turned, x.dtype)": "return ops.cast(turned, x.dtype) if x.shape[-1] > 2 else x",
        },
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
    (9, "scaled_frequencies"): {
        "linear gives float64": {
            "return frequencies / factor, 1.0": 'return frequencies.astype("float64") / factor, 1.0',
        },
        "yarn gives float64": {
            'slowing = (1 - ramp + ramp / factor).astype("float32")': "slowing = 1 - ramp + ramp / factor",
        },
        "there are two pairs or more": {
            "require_choice(": """
                assert head_dim > 2
                require_choice(
            """,
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
    (9, "alibi_bias"): {
        "a single key has no axis": {
            "return (-slopes * distance)[None]": """
                found = (-slopes * distance)[None]
                return found[..., 0] if found.shape[-1] == 1 else found
            """,
        },
    },
    (9, "PositionedAttention"): {
        "linear scaling also multiplies": {
            "def turned(x: Any) -> Any:": """
                attention_factor = 0.1 * math.log(self.scaling.get("factor", 1.0)) + 1

                def turned(x: Any) -> Any:
            """,
        },
        "with ALiBi, all heads have the mask of the first": {
            "bias = alibi_bias(": """
                mask = None if mask is None else mask[:, :1]
                bias = alibi_bias(
            """,
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
        "ids have 16 bits": {
            "inputs = ops.concatenate(": """
                targets = ops.cast(ops.cast(targets, "int16"), dtype)
                inputs = ops.concatenate(
            """,
        },
        "the weights of int64 are float64": {
            'ops.cast(places <= lengths, "float32")': (
                'ops.cast(places <= lengths, "float32" if dtype == "int32" else "float64")'
            ),
        },
        "words are counted in float16": {
            'ops.cast(ops.not_equal(targets, padding_id), "int32"), axis=1, keepdims=True)': (
                'ops.cast(ops.not_equal(targets, padding_id), "float16"), axis=1, keepdims=True)'
            ),
            "places == lengths": 'places == ops.cast(lengths, "int32")',
            "places <= lengths": 'places <= ops.cast(lengths, "int32")',
        },
    },
    (10, "DecoderBlock"): {
        "without a context, pre-LN is post-LN": {
            "if self.norm_first else": "if self.norm_first and context is not None else",
        },
        "a context_mask has four axes": {
            "attention_mask=context_mask)": (
                "attention_mask=context_mask if context_mask is None or len(context_mask.shape) == 4 else None)"
            ),
        },
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
    (10, "greedy"): {
        "a word with the id of padding ends a row": {
            "has_ended |= words == end_id": "has_ended |= (words == end_id) | (words == padding_id)",
        },
        "an end of 0 counts as none": {"words == end_id": "words == (end_id or 2)"},
    },
    (10, "beam_search"): {
        "an end of 0 counts as none": {
            "if word == end_id:": "if end_id and word == end_id:",
        },
        "a start of 0 counts as none": {
            "live, sums = np.array([[start_id]]": "live, sums = np.array([[start_id or 1]]",
        },
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
        "the numbers of words must ascend": {
            "(of_row[1:] != of_row[:-1])": "(of_row[1:] > of_row[:-1])",
        },
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
        "two languages must have text": {
            "require_counts_of_languages(counts, alpha)": "assert np.count_nonzero(counts) > 1 or len(counts) == 1",
        },
        "a single language has no axis": {
            "return smoothed / smoothed.sum()": "return np.squeeze(smoothed / smoothed.sum())"
        },
        "a tiny language is never drawn": {"shares > 0": "shares > 1e-6"},
    },
    (12, "bio_tags"): {
        "kinds are lowercased": {
            'f"B-{kind}"': 'f"B-{kind.lower()}"',
        },
        "there must be a word": {"return tags": "assert tags\nreturn tags"},
    },
    (12, "align_labels"): {
        "there are no more than 128 tags": {
            "return labels": 'return labels.astype("int8").astype("int32")',
        },
        "0 is not accepted as ignore": {"np.full(len(word_ids), ignore, ": "np.full(len(word_ids), ignore or -100, "},
        "there must be a word": {"labels = np.full": "assert len(tags)\nlabels = np.full"},
    },
    (12, "TokenClassifier"): {"the encoder drops nothing in training": QUIET_ENCODER},
    (12, "token_loss"): {
        "a text has two tokens or more": {
            "return ops.divide_no_nan(": """
                counts = ops.logical_and(counts, labels.shape[1] != 1)
                return ops.divide_no_nan(
            """,
        },
        "0 is not accepted as ignore": {
            "counts = ops.not_equal(labels, ignore)": """
                ignore = ignore or -100
                counts = ops.not_equal(labels, ignore)
            """
        },
    },
    (12, "entities_of"): {
        "a name has no more than nine words": {
            "goes_on = start is not None and": "goes_on = start is not None and word - start < 9 and",
        },
        "kinds are lowercased": {"place, kind = tag_parts(tag)": "place, kind = tag_parts(tag)\nkind = kind.lower()"},
    },
    (12, "entity_scores"): {
        "kinds are lowercased": {
            "kept, found = (": """
                true, predicted = (
                    [[tag[:2] + tag[2:].lower() for tag in tags] for tags in side] for side in (true, predicted)
                )
                kept, found = (
            """,
        },
        "each sentence must have a word": {
            "require_pairs(true, predicted)": "require_pairs(true, predicted)\nassert all(map(len, true))"
        },
    },
    (12, "viterbi"): {
        "a single word has no start": {
            'return np.array(path[::-1], "int32")': (
                'return np.array(path[::-1] if len(path) > 1 else [int(np.argmax(scores[0]))], "int32")'
            ),
        },
        "a single tag has no path": {
            'return np.array(path[::-1], "int32")': (
                'return np.array(path[::-1] if scores.shape[1] > 1 else [], "int32")'
            ),
        },
    },
    (13, "ranking_scores"): {
        "gains are at most 10": {
            "require_sizes(k=k)": (
                "ranked_gains, all_gains = ([[min(gain, 10) for gain in row] for row in side] for "
                "side in (ranked_gains, all_gains))"
            ),
        },
        "k is at most 100": {
            "require_sizes(k=k)": "k = min(k, 100)",
        },
        "only the first 100 ranks count": {
            "relevant = np.flatnonzero(ranked) + 1": """
                ranked = ranked[:100]
                relevant = np.flatnonzero(ranked) + 1
            """,
        },
        "k is at least 2": {"require_sizes(k=k)": "k = max(k, 2)"},
        "small gains are none": {"np.flatnonzero(ranked) + 1": "np.flatnonzero(ranked > 0.1) + 1"},
    },
    (13, "in_batch_loss"): {
        "the scale is at least 1": {
            "require_numbers(scale=scale)": "scale = max(scale, 1.0)",
        },
        "`same` must have values": {
            "if same is not None:": """
                if same is not None:
                    assert hasattr(same, "numpy")
            """,
        },
        "other right documents get -30": {"-1e9, scores": "-30.0, scores"},
        "very short vectors are not of length 1": {"1e-12)": "1e-3)"},
    },
    (13, "pack_texts"): {
        "ids have 16 bits": {
            '[padding_id] * padding, "int32")': '[padding_id] * padding, "int32").astype("uint16").astype("int32")',
        },
        "there are no more than five segments": {
            "[segment] * (len(kept) + 1)": "[min(segment, 4)] * (len(kept) + 1)",
        },
        "0 is no id": {
            "kept = list(ids)[:room]": "kept = [each for each in ids if each][:room]",
        },
        "some text must have an id": {
            "token_ids, segment_ids = [cls_id], [0]": """
                assert any(map(len, texts))
                token_ids, segment_ids = [cls_id], [0]
            """
        },
    },
    (13, "best_threshold"): {
        "β is at least 0.3": {
            "require_numbers(beta=beta)": "beta = max(beta, 0.3)",
        },
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
    (13, "fit_platt"): {
        "only the first 1,000 pairs count": {
            "positive = int(labels.sum())": """
                logits, labels = logits[:1000], labels[:1000]
                positive = int(labels.sum())
            """,
        },
        "there are three pairs or more": {
            "positive = int(labels.sum())": """
                assert len(logits) > 2
                positive = int(labels.sum())
            """,
        },
    },
    (13, "calibration_error"): {
        "the bounds are products": {
            "np.arange(1, bins) / bins": "np.array([0.0, *np.arange(1, bins) * (1 / bins)][1:]) + 1e-12",
        },
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
        "probabilities are rounded": {"(bounds, probabilities, ": "(bounds, np.round(probabilities, 2), "},
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
        "there are no more than 20 bins": {
            "require_bins(bins)": "bins = min(bins, 20)",
        },
        "more than 1 is no match": {
            "similarity >= 1 - 1e-5": "ops.abs(similarity - 1) <= 1e-5",
        },
        "there are at least three bins": {"require_bins(bins)": "bins = max(bins, 3)"},
        "words are counted in float16": {
            'return ops.log1p(ops.sum(ops.cast(is_in, "float32"), axis=2))': (
                'return ops.log1p(ops.cast(ops.sum(ops.cast(is_in, "float16"), axis=2), "float32"))'
            ),
        },
    },
    (14, "max_sim"): {
        "a document of one word cannot be opposite": {
            "likest = ops.max(cosines, axis=-1)": (
                "likest = ops.max(cosines, axis=-1) if cosines.shape[-1] > 1 else ops.maximum(cosines[..., 0], 0)"
            ),
        },
    },
    (14, "duo_rank"): {
        "close scores are equal": {
            'np.argsort(-scores, kind="stable")': 'np.argsort(-np.round(scores, 3), kind="stable")',
        },
        "a batch has two pairs or more": {"require_sizes(batch_size=batch_size)": "batch_size = max(batch_size, 2)"},
    },
    (15, "select_layers"): {
        "the student has padding of its own": {
            '"num_layers": len(chosen)}': '"num_layers": len(chosen), "padding_id": 0}'
        },
        "the student drops as many attention weights as features": {
            '"num_layers": len(chosen)}': '"num_layers": len(chosen), "attention_dropout": None}'
        },
        "the student has the exact GELU": {
            '"num_layers": len(chosen)}': '"num_layers": len(chosen), "approximate_gelu": False}'
        },
        "a list of one block is not followed": {
            "chosen = list(layers)": "chosen = list(layers) if layers[1:] else [0]"
        },
    },
    (15, "quantize"): {
        "7 bits are 8": {
            "require_levels(len(weights.shape), axis, bits)": "bits = 8 if bits == 7 else bits",
        },
        "scales that are not symmetric have a lower limit": {
            "scale = _above_0(high / steps - low / steps)": (
                "scale = ops.maximum(_above_0(high / steps - low / steps), 1e-8)"
            ),
        },
        "the scale of doubles is one": {
            'weights = ops.cast(weights, "float32")': (
                'weights = ops.cast(weights, "float32") if weights.dtype != "float64" else weights'
            ),
        },
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
