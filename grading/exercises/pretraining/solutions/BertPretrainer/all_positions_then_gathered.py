"""The head scores every position, and the needed logits are gathered afterwards."""

import keras
from keras import ops

from course.masked_lm import MaskedLMHead, mask_tokens, masked_lm_loss, masked_positions
from course.next_sentence import NextSentenceHead, next_sentence_loss


class BertPretrainer(keras.Model):
    def __init__(self, encoder, unigram_probabilities, mask_id, special_ids, *, rate=0.15, seed=0, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.unigram_probabilities = unigram_probabilities
        self.mask_id = mask_id
        self.special_ids = tuple(special_ids)
        self.rate = rate
        self.seed = seed
        self.seed_generator = keras.random.SeedGenerator(seed)

        vocabulary_size, hidden_dim, dtype = encoder.vocabulary_size, encoder.hidden_dim, encoder.dtype_policy
        self.masked_lm_head = MaskedLMHead(vocabulary_size, hidden_dim, name="masked_lm_head", dtype=dtype)
        self.next_sentence_head = NextSentenceHead(name="next_sentence_head", dtype=dtype)

        self.mean_word_loss = keras.metrics.Mean(name="masked_lm_loss")
        self.word_accuracy = keras.metrics.Mean(name="masked_lm_accuracy")
        self.pair_accuracy = keras.metrics.Mean(name="next_sentence_accuracy")

        if not encoder.built:
            encoder.build((None, None))
        self.masked_lm_head.build((None, None, hidden_dim), (vocabulary_size, hidden_dim))
        self.next_sentence_head.build((None, hidden_dim))
        self.built = True

    def call(self, inputs, training=None):
        token_ids = ops.cast(inputs["token_ids"], "int32")
        if training:
            seed = self.seed_generator
        else:
            seed = self.seed
        masked_ids, selected = mask_tokens(
            token_ids, self.unigram_probabilities, self.mask_id, self.special_ids, rate=self.rate, seed=seed
        )
        positions, weights = masked_positions(selected, rate=self.rate)
        padding_mask = inputs["padding_mask"] if "padding_mask" in inputs else None
        outputs = self.encoder(masked_ids, segment_ids=inputs["segment_ids"], padding_mask=padding_mask)
        everywhere = self.masked_lm_head(outputs["sequence_output"], self.encoder.embedding.token_embeddings)
        return {
            "next_sentence_logits": self.next_sentence_head(outputs["pooled_output"]),
            "word_logits": ops.take_along_axis(everywhere, positions[:, :, None], axis=1),
            "words": ops.take_along_axis(token_ids, positions, axis=1),
            "word_weights": weights,
        }

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        losses = [
            masked_lm_loss(y_pred["words"], y_pred["word_logits"], y_pred["word_weights"]),
            next_sentence_loss(y, y_pred["next_sentence_logits"]),
        ]
        self.record(losses[0], y, y_pred)
        return sum(losses)

    def record(self, word_loss, y, y_pred):
        weights = y_pred["word_weights"]
        right_words = ops.equal(ops.argmax(y_pred["word_logits"], axis=-1), y_pred["words"])
        right_pairs = ops.equal(ops.argmax(y_pred["next_sentence_logits"], axis=-1), ops.cast(y, "int32"))
        self.mean_word_loss.update_state(word_loss, sample_weight=ops.sum(weights))
        self.word_accuracy.update_state(right_words, sample_weight=weights)
        self.pair_accuracy.update_state(right_pairs)
