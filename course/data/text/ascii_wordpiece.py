"""Turn plain ASCII texts into ids, many at a time, with TensorFlow Text or, without it, Hugging Face's tokenizers.

Both give the ids of `course.tokenization`. TensorFlow Text is several times as fast; a machine that trains with JAX or
PyTorch need not have it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from course.data.text.vocabulary import Vocabulary
from course.tokenization import SPECIAL_TOKEN_PATTERN

# Maps texts to their ids, one text after the other, int32, and to how many ids each text has.
Encoder = Callable[[Sequence[str]], tuple[np.ndarray, np.ndarray]]

# TensorFlow Text treats these differently from BERT's own code: control characters, everything outside ASCII
# (it folds "ß" to "ss" and "²" to "2", and measures a long word in bytes), and special tokens in the text.
_NEEDS_CARE = re.compile(rf"[^\t\n\r -~]|{SPECIAL_TOKEN_PATTERN.pattern}")

_TEXTS_A_BATCH = 1024  # because Hugging Face's encodings are many times as large as their ids


def is_plain(text: str) -> bool:
    """Return whether an encoder treats the text as BERT's own code does. Most texts need no search to see this."""
    return text.isascii() and ((text.isprintable() and "[" not in text) or not _NEEDS_CARE.search(text))


def plain_encoder(vocabulary: Vocabulary, lowercase: bool) -> Encoder:
    """Return the fastest encoder on this machine for plain texts."""
    try:
        import tensorflow_text
    except ImportError:
        return _hugging_face(vocabulary, lowercase)
    import tensorflow as tf

    fast = tensorflow_text.FastBertTokenizer(
        list(vocabulary), token_out_type=tf.int32, lower_case_nfd_strip_accents=lowercase
    )
    # Compiled here once, not again for each corpus.
    tokenize = tf.function(fast.tokenize, input_signature=[tf.TensorSpec([None], tf.string)])

    def encode(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        ragged = tokenize(tf.constant(texts, tf.string))
        return ragged.values.numpy(), ragged.row_lengths().numpy()

    return encode


def _hugging_face(vocabulary: Vocabulary, lowercase: bool) -> Encoder:
    tokenizer = Tokenizer(WordPiece(dict(vocabulary), unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = BertPreTokenizer()

    def encode(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        batches = []
        for start in range(0, len(texts), _TEXTS_A_BATCH):
            encodings = tokenizer.encode_batch_fast(texts[start : start + _TEXTS_A_BATCH], add_special_tokens=False)
            ids = [encoding.ids for encoding in encodings]
            batches.append((np.concatenate(ids), np.array([len(row) for row in ids])))
        return _joined(batches)

    return encode


def _joined(batches: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    if not batches:
        return np.array([], "int32"), np.array([], "int64")
    ids, lengths = zip(*batches, strict=True)
    return np.concatenate(ids).astype("int32", copy=False), np.concatenate(lengths)
