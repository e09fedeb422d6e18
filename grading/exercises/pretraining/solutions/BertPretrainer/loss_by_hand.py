"""Both losses by log-softmax, and the metrics without `record`."""

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
        seed = self.seed_generator if training else self.seed
        masked_ids, selected = mask_tokens(
            token_ids, self.unigram_probabilities, self.mask_id, self.special_ids, rate=self.rate, seed=seed
        )
        positions, weights = masked_positions(selected, self.rate)
        outputs = self.encoder(masked_ids, inputs["segment_ids"], inputs.get("padding_mask"))
        rows = ops.take_along_axis(outputs["sequence_output"], positions[:, :, None], axis=1)
        return {
            "word_logits": self.masked_lm_head(rows, self.encoder.embedding.token_embeddings),
            "words": ops.take_along_axis(token_ids, positions, axis=1),
            "word_weights": weights,
            "next_sentence_logits": self.next_sentence_head(outputs["pooled_output"]),
        }

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        words, weights, labels = y_pred["words"], y_pred["word_weights"], ops.cast(y, "int32")
        log_words = ops.log_softmax(ops.cast(y_pred["word_logits"], "float32"))
        log_pairs = ops.log_softmax(ops.cast(y_pred["next_sentence_logits"], "float32"))
        surprise = -ops.take_along_axis(log_words, words[:, :, None], axis=-1)[:, :, 0]
        word_loss = ops.sum(surprise * weights) / ops.maximum(ops.sum(weights), 1.0)
        pair_loss = -ops.mean(ops.take_along_axis(log_pairs, labels[:, None], axis=-1))
        guessed_words = ops.cast(ops.argmax(log_words, axis=-1), "int32")
        self.mean_word_loss.update_state(word_loss, ops.sum(weights))
        self.word_accuracy.update_state(guessed_words == words, weights)
        self.pair_accuracy.update_state(ops.cast(ops.argmax(log_pairs, axis=-1), "int32") == labels)
        return word_loss + pair_loss
