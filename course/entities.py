"""Names: an encoder learns where the names in a text are and what they stand for, and is measured as in papers.

Tags for words, and for the pieces of words; the head and its loss; the names that tags stand for; precision, recall and
F1 over names; and the best allowed sequence of tags.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.encoder import BertEncoder, projection
from course.validation.arrays import require_inputs, require_range
from course.validation.tags import (
    require_apart,
    require_known_tags,
    require_offsets,
    require_one_label_each,
    require_pairs,
    require_paths,
    require_word_ids,
)
from course.validation.values import require_instance, require_sizes

# A name: its first character or word, the index after its last one, and its kind.
Span = tuple[int, int, str]


def tag_parts(tag: str) -> tuple[str, str]:
    """Splits a tag into "B", "I" or "O", and the kind, which is everything after the first hyphen.

    Raises:
        ValueError: a tag of another scheme, such as "E-person", "PER" or "B-".

    Example:
        >>> tag_parts("B-creative-work")
        ('B', 'creative-work')
        >>> tag_parts("O")
        ('O', '')
    """
    place, _, kind = tag.partition("-") if isinstance(tag, str) else ("", "", "")
    if tag == "O" or (place in ("B", "I") and kind):
        return place, kind
    raise ValueError(f'a tag must be "O", or "B-" or "I-" and a kind, as in "B-person". Received: {tag!r}')


def bio_tags(offsets: Any, spans: Sequence[Span]) -> list[str]:
    """Return a tag for each word, given which characters are names.

    "B-" and its kind for the first word of a name, "I-" and its kind for its other words, "O" for all words outside
    names.

    What must hold:
        - A word belongs to the name in which its first character lies, even if the name ends within the word.
        - A name in which no word begins gets no tag.
        - Two names next to each other each have a "B-".

    Args:
        offsets: integers, (words, 2), an array or a list: the index of each word's first character, and the index after
            its last one. Words stand in the order of the text.
        spans: the names, in any order: first character, the index after the last one, and the kind.

    Returns:
        The tags, one for each word.

    Raises:
        ValueError: offsets of another shape or order; or a name that is empty, ends after the last word, or overlaps
            another one.

    Example:
        >>> text = "Ada Holm left Varga"
        >>> bio_tags([(0, 3), (4, 8), (9, 13), (14, 19)], [(0, 8, "person"), (14, 19, "organization")])
        ['B-person', 'I-person', 'O', 'B-organization']

    Reference: Ramshaw and Marcus, "Text Chunking using Transformation-Based Learning", 1995, with "B-" for every first
    word, as Tjong Kim Sang and Veenstra, "Representing Text Chunks", 1999, call IOB2.
    """
    offsets = require_offsets(offsets)
    spans = require_apart(spans, offsets)
    tags = ["O"] * len(offsets)
    for start, end, kind in spans:
        inside = np.flatnonzero((offsets[:, 0] >= start) & (offsets[:, 0] < end))  # the words that begin in it
        for word in inside:
            tags[word] = f"I-{kind}"
        if len(inside):
            tags[inside[0]] = f"B-{kind}"
    return tags


def align_labels(tags: Sequence[str], word_ids: Any, tag_ids: Mapping[str, int], ignore: int = -100) -> np.ndarray:
    """Turns a tag for each word into a label for each token, because the encoder reads pieces of words.

    What must hold:
        - The first piece of a word has the id of the word's tag.
        - All other pieces, and tokens that belong to no word, have `ignore`: they are neither learned nor counted.
        - A word that has no piece, or whose pieces were cut off, does not affect the others.

    Args:
        tags: the tag of each word.
        word_ids: integers, (length,): of which word each token is a piece, counted from 0; -1 for [CLS], [SEP] and
            padding.
        tag_ids: the id of each tag.
        ignore: the label of tokens that do not count.

    Returns:
        int32, (length,).

    Raises:
        ValueError: a tag that has no id, or a piece of a word that has no tag.

    Example:
        "Zeno" is two pieces.

        >>> align_labels(["B-person", "O"], np.array([-1, 0, 0, 1, -1]), {"O": 0, "B-person": 1})
        array([-100, 1, -100, 0, -100], dtype=int32)

    Reference: Devlin et al., "BERT", 2018, https://arxiv.org/abs/1810.04805, section 5.3.
    """
    word_ids = require_word_ids(word_ids, len(tags))
    require_known_tags(tags, tag_ids)
    labels = np.full(len(word_ids), ignore, "int32")
    for place, word in enumerate(word_ids):
        is_first = place == 0 or word_ids[place - 1] != word
        if word >= 0 and is_first:
            labels[place] = tag_ids[tags[word]]
    return labels


@keras.saving.register_keras_serializable(package="course")
class TokenClassifier(keras.Model):
    """Scores each tag for each token: an encoder, and one projection, the same for every token.

        logits = dropout(sequence_output) W + b

    Args:
        encoder: pretrained, or not. Training changes its weights, too.
        num_tags: how many tags there are. Their ids are 0 to num_tags - 1.
        dropout: share of the sequence output that is dropped in training.
        **kwargs: what every Keras model takes, such as `name` and `dtype`.

    Raises:
        TypeError: the encoder is not a model.
        ValueError: fewer than two tags, or a dropout that is not a share.

    Example:
        >>> tagger = TokenClassifier(encoder, num_tags=9)
        >>> logits = tagger(tokenizer(texts))  # (batch, length, 9)

    Reference: Devlin et al., "BERT", 2018, https://arxiv.org/abs/1810.04805, section 5.3.
    """

    def __init__(self, encoder: BertEncoder, num_tags: int, dropout: float = 0.1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        require_sizes(num_tags=num_tags)
        if num_tags < 2:
            raise ValueError(f"num_tags must be at least 2. Received: num_tags={num_tags}")
        self.encoder = encoder
        self.num_tags = num_tags
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        """Makes `logits_dense`, a `projection` to the tags that is named "logits", and builds it.

        Its inputs have `self.encoder.hidden_dim` features, and it gets `dtype=self.dtype_policy`. If the encoder is not
        built yet, it is built here, too: `encoder.build((None, None))`.

        Args:
            inputs_shape: the shape of each input; none of it matters here.
        """
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.logits_dense = projection(self.num_tags, "logits", dtype=self.dtype_policy)
        self.logits_dense.build((None, None, self.encoder.hidden_dim))

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        """Encodes the texts, drops some of the encoder's output for each token, and projects it to the tags.

        Keras passes `training` on to the encoder and to `self.dropout_layer` by itself.

        Args:
            inputs: "token_ids" and, where present, "segment_ids" and "padding_mask", each (batch, length). The encoder
                takes them one by one: `encoder(token_ids, segment_ids, padding_mask)`.
            training: whether to apply dropout.

        Returns:
            Logits, (batch, length, num_tags), before the softmax, in the model's compute dtype.

        Raises:
            ValueError: inputs without "token_ids", or with values that are not ids.
        """
        require_inputs(inputs, ("token_ids",))
        outputs = self.encoder(inputs["token_ids"], inputs.get("segment_ids"), inputs.get("padding_mask"))
        tokens = self.dropout_layer(outputs["sequence_output"])  # (batch, length, hidden_dim)
        return self.logits_dense(tokens)  # (batch, length, num_tags)

    def get_config(self) -> dict[str, Any]:
        config = {"encoder": self.encoder.get_config(), "num_tags": self.num_tags, "dropout": self.dropout}
        return {**super().get_config(), **config}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> keras.Model:
        return cls(**{**config, "encoder": BertEncoder.from_config(config["encoder"])})


def token_loss(labels: Any, logits: Any, ignore: int = -100) -> Any:
    """Return the mean of -log P(tag) over the tokens that have a tag, and over no others.

    What must hold:
        - Every labelled token of the whole batch counts the same, however many its text has.
        - A token whose label is `ignore` changes nothing, whatever logits of up to ±1e38 it has.
        - Where no token is labelled at all, the loss is 0. It is never NaN.
        - The logits may be in half precision. The loss is computed in float32 all the same.

    Args:
        labels: integers, (batch, length), ids of tags, or `ignore`.
        logits: (batch, length, num_tags), before the softmax.
        ignore: the label of tokens that do not count.

    Returns:
        A float32 scalar.

    Raises:
        ValueError: shapes that do not fit each other, or labels that are neither ids of tags nor `ignore`.

    Example:
        Two tags are equally likely for the first token, and the second does not count: log 2.

        >>> token_loss(np.array([[1, -100]]), np.array([[[3.0, 3.0], [9.0, 0.0]]]))
        # 0.6931
    """
    require_one_label_each(labels, logits)
    labels, logits = ops.convert_to_tensor(labels), ops.cast(logits, "float32")
    counts = ops.not_equal(labels, ignore)  # (batch, length)
    labels = ops.where(counts, labels, 0)  # -100 is the index of nothing
    require_range(labels, "labels", logits.shape[-1], f"or ignore={ignore}")
    losses = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)  # (batch, length)
    return ops.divide_no_nan(ops.sum(ops.where(counts, losses, 0.0)), ops.sum(ops.cast(counts, "float32")))


def entities_of(tags: Sequence[str], strict: bool = False) -> list[Span]:
    """Return the names in a sentence's tags: the first word, the index after the last one, and the kind.

    What must hold:
        - "B-" starts a name, and "I-" of the same kind right after it continues it. Everything else ends it.
        - An "I-" that has nothing to continue (after "O", after another kind, or at the start) starts a name itself.
          With `strict`, it is in no name, and neither is an "I-" that continues it.
        - A name at the end of the sentence counts.

    Args:
        tags: the tags of the words of one sentence.
        strict: whether only "B-" starts a name.

    Returns:
        The names, in the order of the text.

    Raises:
        ValueError: a tag of another scheme.

    Example:
        >>> entities_of(["B-person", "I-person", "O", "I-place"])
        [(0, 2, 'person'), (3, 4, 'place')]
        >>> entities_of(["B-person", "I-person", "O", "I-place"], strict=True)
        [(0, 2, 'person')]

    Reference: Tjong Kim Sang and De Meulder, "Introduction to the CoNLL-2003 Shared Task", 2003; the rules without
    `strict` are those of its scorer, conlleval.
    """
    found: list[Span] = []
    start, open_kind = None, ""  # of the name that is being read
    for word, tag in enumerate([*tags, "O"]):  # the "O" ends what reaches to the end of the sentence
        place, kind = tag_parts(tag)
        goes_on = start is not None and place == "I" and kind == open_kind
        if start is not None and not goes_on:
            found.append((start, word, open_kind))
            start = None
        if place == "B" or (place == "I" and not goes_on and not strict):
            start, open_kind = word, kind
    return found


def entity_scores(
    true: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]], strict: bool = False
) -> dict[str, Any]:
    """Return precision, recall and F1 over the names of all sentences.

    What must hold:
        - A name is right if both of its ends and its kind are. Half a name is two errors: the true name was missed, and
          the found one is wrong.
        - Names are counted over all sentences, and only then divided. The same words in another sentence are another
          name.
        - Precision is the share of the found names that are right, recall the share of the true ones that were found,
          and F1 = 2 · precision · recall / (precision + recall). 0 / 0 counts as 0.
        - A kind counts even if it occurs only among the true names, or only among the found ones.

    Args:
        true: the tags of each sentence.
        predicted: a model's tags, as many for each sentence.
        strict: as in `entities_of`, for both.

    Returns:
        "precision", "recall" and "f1" over all names, "macro_f1", the mean of the kinds' F1, and "kinds": for each kind
        its "precision", "recall" and "f1", and how many names there are, "true" and "predicted".

    Raises:
        ValueError: no sentences, unequal numbers of sentences or tags, or a tag of another scheme.

    Example:
        >>> scores = entity_scores([["B-person", "I-person", "O"]], [["B-person", "O", "B-place"]])
        >>> scores["f1"], scores["kinds"]["place"]["predicted"]
        (0.0, 1)

    Reference: Tjong Kim Sang and De Meulder, 2003, section 2.3.
    """
    require_pairs(true, predicted)
    kept, found = (
        {(number, *entity) for number, tags in enumerate(sentences) for entity in entities_of(tags, strict)}
        for sentences in (true, predicted)
    )
    kinds = {}
    for kind in sorted({entity[-1] for entity in kept | found}):
        of_kind = [{entity for entity in entities if entity[-1] == kind} for entities in (kept, found)]
        kinds[kind] = {**_rates(*of_kind), "true": len(of_kind[0]), "predicted": len(of_kind[1])}
    macro = sum(rates["f1"] for rates in kinds.values()) / max(len(kinds), 1)
    return {**_rates(kept, found), "macro_f1": macro, "kinds": kinds}


def _rates(true: set, found: set) -> dict[str, float]:
    """Return precision, recall and F1 of the found names, compared with the true ones."""
    right = len(true & found)
    precision, recall = right / max(len(found), 1), right / max(len(true), 1)
    return {"precision": precision, "recall": recall, "f1": 2 * right / max(len(true) + len(found), 1)}


def bio_transitions(tag_names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return which tag may follow which: 0 where it may, and -inf where it may not.

    "I-" follows "B-" or "I-" of its own kind, and nothing else. Everything else may follow everything.

    Args:
        tag_names: the tags, in the order of their ids.

    Returns:
        transitions: float32, (tags, tags), from the row's tag to the column's, and
        start: float32, (tags,), for the first word.

    Raises:
        ValueError: a tag of another scheme, or no tags.
    """
    if not len(tag_names):
        raise ValueError("tag_names must be one tag or more. Received: none")
    parts = [tag_parts(tag) for tag in tag_names]
    allowed = [[place != "I" or (before != "O" and kind == old) for place, kind in parts] for before, old in parts]
    starts = [place != "I" for place, _ in parts]
    transitions, start = (np.where(allowed, 0.0, -np.inf), np.where(starts, 0.0, -np.inf))
    return transitions.astype("float32"), start.astype("float32")


def viterbi(scores: Any, transitions: Any, start: Any) -> np.ndarray:
    """Return the sequence of tags for a sentence that has the highest sum of scores.

    sum = start[y_1] + Σ scores[t, y_t] + Σ transitions[y_t, y_t+1]

    There are tags^length sequences. But of all that reach a word with the same tag, only the best one can be the
    beginning of the best sequence, because what follows depends on that tag alone. If several are best, any of them
    will do. The arrays are not changed.

    Args:
        scores: floats, (length, tags), such as log P of each tag for each word. The sentence has no padding.
        transitions: floats, (tags, tags), added for going from the row's tag to the column's; -inf where that is
            forbidden.
        start: floats, (tags,), added for beginning with a tag.

    Returns:
        int32, (length,), an id for each word.

    Raises:
        ValueError: no word, shapes that do not fit each other, NaN or +inf, or scores that forbid every sequence.

    Example:
        >>> tags = ["O", "B-person", "I-person"]
        >>> scores = np.log([[0.4, 0.3, 0.3], [0.2, 0.1, 0.7]])
        >>> viterbi(scores, *bio_transitions(tags))  # and not [0, 2], which is no name
        array([1, 2], dtype=int32)

    Reference: Viterbi, 1967; Lample et al., "Neural Architectures for Named Entity Recognition", 2016,
    https://arxiv.org/abs/1603.01360, section 2.2, equation 2.
    """
    scores, transitions, start = require_paths(scores, transitions, start)
    best = start + scores[0]  # (tags,) of the best sequence that ends here with each tag
    came_from = []
    for of_word in scores[1:]:
        sums = best[:, None] + transitions  # (from, to)
        came_from.append(sums.argmax(axis=0))
        best = sums.max(axis=0) + of_word
    if best.max() == -np.inf:
        raise ValueError("some sequence must be allowed. Received: scores and transitions that forbid them all")
    path = [best.argmax()]
    for before in reversed(came_from):
        path.append(before[path[-1]])
    return np.array(path[::-1], "int32")
