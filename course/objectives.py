"""Objectives: other ways to learn from unlabelled text.

Rows without padding, spans instead of words, noise of six kinds, a discriminator that judges every word, and a share of
the text for each language. `course.given` has the code around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops, random

from course.encoder import BertEncoder
from course.given.electra_parts import ReplacedTokenHead, put_words
from course.given.encoding import encode
from course.given.packed import document_mask
from course.masked_lm import MaskedLMHead, mask_tokens, masked_lm_loss, masked_positions, require_rate
from course.validation.arrays import require_inputs
from course.validation.objectives import (
    require_counts_of_languages,
    require_documents,
    require_masked_guesses,
    require_noise,
    require_span_lengths,
)
from course.validation.values import require_id, require_instance, require_numbers, require_special_ids


def pack_documents(
    documents: Sequence[Sequence[Sequence[int]]], length: int, cls_id: int, sep_id: int, padding_id: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Fills rows with whole sentences, one document after the other, so that there is hardly any padding.

    A row is [CLS], and then the sentences in their order. [SEP] follows the last sentence that a document has in a row.
    So a row of two documents is

        [CLS] sentence sentence [SEP] sentence sentence sentence [SEP] padding

    A row ends where the next sentence, with the [SEP] that it needs, no longer fits.

    What must hold:
        - A sentence is cut only if no row has room for it: into parts that each fill a row, `length - 2` pieces, and
          the rest. Each part is placed like a sentence.
        - Nothing is lost, and nothing occurs twice. The next document begins in the row in which one ends.
        - Sentences without a piece, and documents without a sentence, leave no trace.

    Args:
        documents: lists of sentences, which are lists of ids, without special tokens.
        length: of the rows.
        cls_id, sep_id, padding_id: the special tokens.

    Returns:
        token_ids: int32, (rows, length), and
        document_ids: int32, (rows, length): k at the tokens of the k-th of `documents` (numbered from 1,
            consecutively across all rows), and 0 at padding. Empty documents are counted, so their numbers do not
            occur. [CLS] belongs to the first document of its row, [SEP] to the document before it.

    Raises:
        TypeError: documents that are not lists of lists of ids.
        ValueError: rows too short for a piece, [CLS] and [SEP], or no piece at all.

    Example:
        >>> pack_documents([[[5, 6], [7]], [[8]]], length=7, cls_id=1, sep_id=2)
        (array([[1, 5, 6, 7, 2, 8, 2]], dtype=int32), array([[1, 1, 1, 1, 1, 2, 2]], dtype=int32))

    Reference: Liu et al., "RoBERTa", 2019, https://arxiv.org/abs/1907.11692, section 4.2, FULL-SENTENCES.
    """
    require_documents(documents, length, cls_id=cls_id, sep_id=sep_id, padding_id=padding_id)
    room = length - 2
    rows: list[list[int]] = []
    owners: list[list[int]] = []
    for number, document in enumerate(documents, start=1):
        for sentence in document:
            for start in range(0, len(sentence), room):
                part = list(sentence[start : start + room])
                goes_on = bool(rows) and owners[-1][-1] == number  # then its [SEP] is there already
                if not rows or len(rows[-1]) + len(part) + (not goes_on) > length:
                    rows.append([cls_id])
                    owners.append([number])
                elif goes_on:
                    del rows[-1][-1], owners[-1][-1]
                rows[-1] += [*part, sep_id]
                owners[-1] += [number] * (len(part) + 1)
    return _filled_up(rows, length, padding_id), _filled_up(owners, length, 0)


def _filled_up(rows: list[list[int]], length: int, number: int) -> np.ndarray:
    return np.array([row + [number] * (length - len(row)) for row in rows], "int32")


def span_mask(
    token_ids: np.ndarray,
    word_ids: np.ndarray,
    special_ids: Sequence[int],
    rate: float = 0.15,
    p: float = 0.2,
    longest: int = 10,
    seed: int | np.random.Generator | None = None,
) -> np.ndarray:
    """Chooses the spans of words to hide: neighbours are hidden together, so that none gives another away.

    In each row, spans are drawn one after the other. First the length in words, from a geometric distribution; a length
    above `longest` is drawn again:

        P(ℓ) ∝ p (1 - p)^(ℓ - 1),   ℓ = 1 ... longest

    With p = 0.2 and `longest` = 10, the mean is 3.8 words. Then the first word, with equal probability, from those
    where that many neighbouring words begin of which none is special or already hidden. If there is none, the length is
    drawn again.

    What must hold:
        - A span is made of whole words, all pieces of each.
        - A row hides at most `rate` times the number of its pieces, rounded like `round` (halves to the even number),
          and at least one. Special tokens are not pieces. The last span loses the words at its end that would exceed
          this; if none is left, there is no such span, and the row is done. Only the first word that is drawn in a row
          is always hidden, even if it has more pieces than that. A row without words hides nothing.
        - No span reaches over a special token, into another span, or into another row.

    Args:
        token_ids: integers, (batch, length).
        word_ids: integers, (batch, length): neighbours with the same number are pieces of one word. The numbers at
            special tokens do not matter.
        special_ids: the ids that are never hidden, padding among them.
        rate: the share of the pieces that is hidden, above 0 and at most 1.
        p: the parameter of the geometric distribution, above 0 and at most 1.
        longest: how many words a span has at most.
        seed: what `numpy.random.default_rng` takes: an integer gives the same spans again, and a
            `numpy.random.Generator` gives new ones at each call.

    Returns:
        int32, (batch, length): 0 where nothing is hidden, else the number of the span, from 1 in each row.

    Raises:
        ValueError: other shapes or dtypes, or a number out of its range.

    Reference: Joshi et al., "SpanBERT", 2020, https://arxiv.org/abs/1907.10529, section 3.1.
    """
    require_rate(rate)
    require_span_lengths(token_ids, word_ids, p, longest)
    generator = np.random.default_rng(seed)
    shares = p * (1 - p) ** np.arange(longest)
    shares /= shares.sum()
    spans = np.zeros(token_ids.shape, "int32")
    for row, of_row, is_special in zip(spans, word_ids, np.isin(token_ids, list(special_ids)), strict=True):
        begins = np.append(True, (of_row[1:] != of_row[:-1]) | is_special[1:] | is_special[:-1])
        bounds = np.append(np.flatnonzero(begins), len(of_row))  # (words + 1,), a special token is a word
        free = ~is_special[bounds[:-1]]  # (words,)
        left = max(1, round(rate * np.count_nonzero(~is_special)))
        while left > 0 and free.any():
            count = generator.choice(longest, p=shares) + 1
            before = np.append(0, np.cumsum(free))  # how many are free before each word
            starts = np.flatnonzero(before[count:] - before[:-count] == count)
            if not len(starts):
                continue
            first = generator.choice(starts)
            last = np.searchsorted(bounds, bounds[first] + left, side="right") - 1  # up to there, words fit
            last = min(first + count, max(last, first + (not row.any())))
            if last == first:
                break
            row[bounds[first] : bounds[last]] = row.max() + 1
            free[first:last] = False
            left -= bounds[last] - bounds[first]
    return spans


# Words are reordered within windows of three; a mask that stands for several hides three on average.
WINDOW, MEAN_SPAN = 3, 3


def corrupt(
    token_ids: Sequence[int],
    kind: str,
    rate: float,
    random: np.random.Generator,
    *,
    probabilities: np.ndarray,
    mask_id: int,
    special_ids: Sequence[int],
) -> list[int]:
    """Corrupts a text in one of six ways, for a model that learns to repair it.

    This concerns `rate` · n of the n words of the text, rounded like `round` and drawn at random:

    - "mask": each becomes [MASK].
    - "substitute": each becomes another word, never the same one, drawn by `probabilities`.
    - "delete": they are gone, and nothing stands in their place.
    - "insert": as many words, drawn by `probabilities`, are inserted, and all others stay. Each is put before or after,
      with equal probability, a word of the given text that is drawn for it alone, so one word may get several. A later
      one stands outside of those that the word has already got on that side.
    - "reorder": each stretch between special tokens is cut into windows of three words, the last one of the rest. Of
      all windows, `rate` times their number, rounded, are drawn, and their words are put into a random order, all
      orders equally likely.
    - "infill": stretches of words each become one [MASK]. Their lengths are drawn one after the other from a Poisson
      distribution of mean 3, and the last one is cut, so that `rate` · n words are gone. A length that no longer fits
      anywhere is drawn again. A length of 0 puts a [MASK] before or after a word or another [MASK].

    What must hold:
        - Special tokens are not words. They stay, in their order; nothing is put into a stretch without words; no word
          crosses a special token.
        - With a rate of 0, the result has the ids of the text. `token_ids` itself is never changed.

    Args:
        token_ids: the ids of one text.
        kind: one of the six.
        rate: from 0 to 1.
        random: the generator of all draws.
        probabilities: (vocabulary_size,), of the words that are inserted or substituted, 0 for special tokens.
        mask_id: the id of [MASK].
        special_ids: the ids that are not words.

    Returns:
        A list of ids; some kinds make it shorter or longer.

    Raises:
        TypeError: `token_ids` is not a list of ids.
        ValueError: another kind, a rate out of range, or no other word to put in.

    Example:
        >>> corrupt([2, 7, 8, 9, 3], "delete", 0.34, np.random.default_rng(0), **options)
        [2, 7, 8, 3]  # another way to draw may delete another word

    Reference: Lewis et al., "BART", 2020, https://arxiv.org/abs/1910.13461, section 2.2, for masks, deletion and
    infilling; Lample et al., 2018, https://arxiv.org/abs/1711.00043, section 2.3, for words out of order.
    """
    require_noise(token_ids, kind, rate, probabilities, mask_id, special_ids)
    texts = [[number] for number in token_ids]  # what will stand in place of each token
    words = np.flatnonzero(~np.isin(token_ids, list(special_ids)))
    if kind == "reorder":
        _reorder(texts, words, rate, random)
    elif kind == "infill":
        _infill(texts, words, round(rate * len(words)), mask_id, random)
    else:
        for place in random.choice(words, round(rate * len(words)), replace=kind == "insert"):
            if kind == "mask":
                texts[place] = [mask_id]
            elif kind == "delete":
                texts[place] = []
            elif kind == "substitute":
                texts[place] = [_draw(probabilities, random, other_than=token_ids[place])]
            else:
                _put_beside(texts[place], _draw(probabilities, random), random)
    return [int(number) for text in texts for number in text]


def _draw(probabilities: np.ndarray, random: np.random.Generator, other_than: int | None = None) -> int:
    """Draws a word by its probability, but never `other_than`."""
    probabilities = np.array(probabilities, "float64")
    if other_than is not None:
        probabilities[other_than] = 0.0
    return int(random.choice(len(probabilities), p=probabilities / probabilities.sum()))


def _put_beside(text: list[int], word: int, random: np.random.Generator) -> None:
    text.insert(random.integers(2) * len(text), word)


def _reorder(texts: list[list[int]], words: np.ndarray, rate: float, random: np.random.Generator) -> None:
    stretches = np.split(words, np.flatnonzero(np.diff(words) > 1) + 1)
    windows = [stretch[start : start + WINDOW] for stretch in stretches for start in range(0, len(stretch), WINDOW)]
    for number in random.choice(len(windows), round(rate * len(windows)), replace=False):
        window = windows[number]
        mixed = [texts[place] for place in random.permutation(window)]
        for place, text in zip(window, mixed, strict=True):
            texts[place] = text


def _infill(texts: list[list[int]], words: np.ndarray, left: int, mask_id: int, random: np.random.Generator) -> None:
    free = np.zeros(len(texts), bool)
    free[words] = True
    more = 0
    while left > 0:
        count = min(random.poisson(MEAN_SPAN), left)
        before = np.append(0, np.cumsum(free))
        starts = np.flatnonzero(before[count:] - before[: len(free) + 1 - count] == count)
        more += count == 0
        if count and len(starts):
            first = random.choice(starts)
            free[first : first + count] = False
            texts[first : first + count] = [[mask_id]] + [[]] * (count - 1)
            left -= count
    for place in random.choice([place for place in words if texts[place]], more):
        _put_beside(texts[place], mask_id, random)


def replaced_tokens(
    token_ids: Any, positions: Any, weights: Any, logits: Any, seed: int | random.SeedGenerator | None = None
) -> tuple[Any, Any]:
    """Puts the guesses of a generator into the texts, and marks the tokens that have changed.

    At each position of weight 1, a word is drawn from the softmax of its logits.
    `put_words(token_ids, positions, weights, words)` puts the drawn words there, and returns the texts.

    What must hold:
        - The word is drawn, and is not just the likeliest one: otherwise each place would only ever have one fake.
        - If the drawn word is the one that stood there, nothing was replaced.
        - It can run inside a compiled training step.

    Args:
        token_ids: integers, (batch, length), the texts as they were, not masked.
        positions: integers, (batch, predictions), where words were hidden, from `masked_positions`, distinct in a row.
        weights: (batch, predictions), 1 where a word was hidden, and 0 for positions that only fill up the row.
        logits: (batch, predictions, vocabulary_size), the generator's output at these positions.
        seed: as in all of `keras.random`.

    Returns:
        corrupted: int32, (batch, length), the texts with fakes, and
        replaced: boolean, (batch, length), True where a token is not the one that was there before.

    Raises:
        ValueError: shapes that do not fit each other.

    Reference: Clark et al., "ELECTRA", 2020, https://arxiv.org/abs/2003.10555, section 2.
    """
    require_masked_guesses(token_ids, positions, weights, logits)
    token_ids = ops.cast(token_ids, "int32")
    each = ops.reshape(ops.cast(logits, "float32"), (-1, logits.shape[-1]))  # (batch * predictions, vocabulary_size)
    drawn = random.categorical(each, 1, dtype="int32", seed=seed)
    corrupted = put_words(token_ids, positions, weights, ops.reshape(drawn, ops.shape(positions)))
    return corrupted, ops.not_equal(corrupted, token_ids)


class Electra(keras.Model):
    """A generator puts fakes into texts, and the encoder is a discriminator that judges every word.

    L = L_MLM + λ L_disc

    Both learn at the same time, from the same embeddings, which are the encoder's. The generator learns to predict
    masked words, and learns nothing from being caught, because a drawn word has no gradient. Afterwards only the
    encoder is kept.

    Args:
        encoder: the discriminator, which is to be pretrained.
        generator: guesses the hidden words, from the encoder's embeddings: a `Generator`.
        mask_id: the id of [MASK].
        special_ids: the ids that are never hidden, padding and [MASK] among them.
        rate: the share of the words that is hidden.
        weight: λ.
        seed: of the masks and draws.
        **kwargs: what every Keras model takes, such as `name`.

    Raises:
        TypeError: the encoder is not a Keras model, or the generator is not a Keras layer.
        ValueError: ids outside the vocabulary, or a number out of its range.

    Reference: Clark et al., "ELECTRA", 2020, https://arxiv.org/abs/2003.10555, sections 2 and 3.2, and, for λ = 50,
    appendix A. There, the discriminator judges [CLS] and [SEP] too, which are never replaced.
    """

    def __init__(
        self,
        encoder: BertEncoder,
        generator: keras.layers.Layer,
        mask_id: int,
        special_ids: Sequence[int],
        *,
        rate: float = 0.15,
        weight: float = 50.0,
        seed: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        require_instance(generator, "generator", keras.layers.Layer)
        require_special_ids(special_ids, encoder.vocabulary_size)
        require_id("mask_id", mask_id, encoder.vocabulary_size)
        require_rate(rate)
        require_numbers(weight=weight)
        self.encoder, self.generator = encoder, generator
        self.mask_id, self.special_ids = mask_id, tuple(special_ids)
        self.rate, self.weight, self.seed = rate, weight, seed
        self.seed_generator = random.SeedGenerator(seed)
        # `mask_tokens` needs probabilities. What it draws does not matter: each word that it selects becomes [MASK].
        self.any_word = np.full(encoder.vocabulary_size, 1 / encoder.vocabulary_size)

        vocabulary_size, hidden_dim, dtype = encoder.vocabulary_size, encoder.hidden_dim, encoder.dtype_policy
        self.masked_lm_head = MaskedLMHead(vocabulary_size, hidden_dim, name="masked_lm_head", dtype=dtype)
        self.replaced_token_head = ReplacedTokenHead(name="replaced_token_head", dtype=dtype)
        self.metrics_kept = {
            name: keras.metrics.Mean(name=name)
            for name in ("masked_lm_loss", "masked_lm_accuracy", "discriminator_loss", "fakes_found", "false_alarms")
        }

        # All weights exist from the start, because an optimizer needs to know them before the first step.
        if not encoder.built:
            encoder.build((None, None))
        generator.build((None, None, hidden_dim))
        self.masked_lm_head.build((None, None, hidden_dim), (vocabulary_size, hidden_dim))
        self.replaced_token_head.build((None, None, hidden_dim))
        self.built = True

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> dict[str, Any]:
        """Hides words, lets the generator guess them, and lets the discriminator judge the result.

        What must hold:
            - `mask_tokens` chooses the words, with `self.any_word` and the model's ids and rate; each of them then
              becomes [MASK], without exception. `masked_positions` says where they are, at the same rate.
            - `self.generator(embedded, mask)` reads the encoder's `embedding` of the masked ids and the segments, and
              the head compares with the `token_embeddings` of the same embedding.
            - `replaced_tokens` makes the fakes from the texts as they were; the discriminator never sees a [MASK].
            - The discriminator is `encode(self.encoder, token_ids, segment_ids, document_ids)`, with
              `self.replaced_token_head` on its "sequence_output". It judges every word; special tokens do not count.

        Args:
            inputs: "token_ids" and, where present, "segment_ids" and "document_ids", as `encode` takes them; for both
                the generator and the discriminator. `self._mask(inputs)` is the mask for the generator.
            training: whether new words are chosen and drawn, by `self.seed_generator`. If not, they are chosen by the
                integer `self.seed`, and drawn by `self.seed + 1`. Keras itself tells generator and discriminator to
                apply dropout in training.

        Returns:
            A dictionary of

            - "word_logits": (batch, predictions, vocabulary_size), of the generator, at the hidden words;
            - "words": int32, (batch, predictions), what stood there;
            - "word_weights": float32, (batch, predictions), 0 for positions that only fill up a row;
            - "fake_logits": (batch, length), of the discriminator, above 0 where it judges that a token is a fake;
            - "fakes": boolean, (batch, length), where it really is one;
            - "fake_weights": float32, (batch, length), 1 where the original text has a word, and 0 at its special
              tokens.

        Raises:
            ValueError: inputs that are missing, or are not arrays of ids.
        """
        require_inputs(inputs, ("token_ids",))
        token_ids, segment_ids = ops.cast(inputs["token_ids"], "int32"), inputs.get("segment_ids")
        seeds = (self.seed_generator, self.seed_generator) if training else (self.seed, self.seed + 1)
        _, selected = mask_tokens(
            token_ids, self.any_word, self.mask_id, self.special_ids, rate=self.rate, seed=seeds[0]
        )
        positions, weights = masked_positions(selected, self.rate)  # (batch, predictions) each
        masked_ids = ops.where(selected, self.mask_id, token_ids)

        embedding = self.encoder.embedding
        guessing = self.generator(embedding(masked_ids, segment_ids), self._mask(inputs))
        logits = self.masked_lm_head(guessing, embedding.token_embeddings, positions)
        corrupted, replaced = replaced_tokens(token_ids, positions, weights, logits, seed=seeds[1])
        judging = encode(self.encoder, corrupted, segment_ids, inputs.get("document_ids"))
        special_ids = ops.convert_to_tensor(list(self.special_ids), dtype="int32")
        is_word = ops.all(ops.not_equal(token_ids[:, :, None], special_ids), axis=-1)
        return {
            "word_logits": logits,
            "words": ops.take_along_axis(token_ids, positions, axis=1),
            "word_weights": weights,
            "fake_logits": self.replaced_token_head(judging["sequence_output"]),
            "fakes": replaced,
            "fake_weights": ops.cast(is_word, "float32"),
        }

    def _mask(self, inputs: dict[str, Any]) -> Any:
        """Return the generator's attention mask: each token may see its own document, and never padding."""
        if inputs.get("document_ids") is not None:
            return document_mask(inputs["document_ids"])
        return ops.not_equal(inputs["token_ids"], self.encoder.padding_id)[:, None, None, :]

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool | None = True,
    ) -> Any:
        """Adds up `masked_lm_loss`, over the hidden words, and λ times the discriminator's loss, over all words.

        The discriminator's loss is the mean of -log P(truth) over the tokens that have a weight, where P(fake) = σ(u).
        It is computed in float32, and stays finite however sure the discriminator is: -log σ(u) is softplus(-u).
        Without a word it is 0.

        `self.record(word_loss, fake_loss, y_pred)` must be called, too: it updates the metrics.

        Args:
            x: the inputs of `call`.
            y: not used: texts need no labels.
            y_pred: what `call` returned.
            sample_weight: not used.
            training: not used.

        Returns:
            A float32 scalar.
        """
        word_loss = masked_lm_loss(y_pred["words"], y_pred["word_logits"], y_pred["word_weights"])
        logits, weights = ops.cast(y_pred["fake_logits"], "float32"), y_pred["fake_weights"]
        losses = ops.softplus(ops.where(y_pred["fakes"], -logits, logits))  # (batch, length)
        fake_loss = ops.divide_no_nan(ops.sum(weights * losses), ops.sum(weights))
        self.record(word_loss, fake_loss, y_pred)
        return word_loss + self.weight * fake_loss

    def record(self, word_loss: Any, fake_loss: Any, y_pred: dict[str, Any]) -> None:
        """Updates the metrics: of all hidden words, of all words, of all fakes, and of all words that are not fakes."""
        words, all_words = y_pred["word_weights"], y_pred["fake_weights"]
        fakes = all_words * ops.cast(y_pred["fakes"], "float32")
        right = ops.equal(ops.argmax(y_pred["word_logits"], axis=-1), y_pred["words"])
        accused = y_pred["fake_logits"] > 0
        kept = self.metrics_kept
        kept["masked_lm_loss"].update_state(word_loss, sample_weight=ops.sum(words))
        kept["masked_lm_accuracy"].update_state(right, sample_weight=words)
        kept["discriminator_loss"].update_state(fake_loss, sample_weight=ops.sum(all_words))
        kept["fakes_found"].update_state(accused, sample_weight=fakes)
        kept["false_alarms"].update_state(accused, sample_weight=all_words - fakes)


def language_probabilities(counts: Sequence[float], alpha: float = 0.3) -> np.ndarray:
    """Return how often to draw from each language, so that small ones are heard.

    q_i = p_i^α / Σ_j p_j^α,   p_i = n_i / Σ_j n_j

    With α = 1 each language is drawn as often as it occurs, with α = 0 all are drawn equally often. A language without
    text is never drawn, whatever α is.

    Args:
        counts: n, how much text there is of each language, in sentences or in tokens: Python numbers, or an array of
            integers or float64.
        alpha: α, 0 or more.

    Returns:
        (languages,), float64, with the sum 1.

    Raises:
        ValueError: no language with text, a count that is negative or not a number, or α below 0.

    Example:
        >>> language_probabilities([90, 9, 1]).round(3)
        array([0.568, 0.285, 0.147])

    Reference: Conneau et al., "Unsupervised Cross-lingual Representation Learning at Scale", 2020,
    https://arxiv.org/abs/1911.02116, section 3.1, α = 0.3; Lample and Conneau, 2019,
    https://arxiv.org/abs/1901.07291, section 3.1, for the equation.
    """
    require_counts_of_languages(counts, alpha)
    shares = np.asarray(counts, "float64") / np.sum(counts, dtype="float64")
    smoothed = np.where(shares > 0, shares**alpha, 0.0)
    return smoothed / smoothed.sum()
