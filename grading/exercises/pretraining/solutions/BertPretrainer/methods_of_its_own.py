"""The steps are methods, and the words are picked by one-hot vectors."""

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

    def corrupt(self, token_ids, seed):
        masked_ids, selected = mask_tokens(
            token_ids, self.unigram_probabilities, self.mask_id, self.special_ids, rate=self.rate, seed=seed
        )
        return masked_ids, *masked_positions(selected, self.rate)

    def pick(self, token_ids, positions):
        length = ops.shape(token_ids)[1]
        here = ops.one_hot(positions, length, dtype="int32")  # (batch, predictions, length)
        return ops.sum(here * token_ids[:, None, :], axis=-1)

    def call(self, inputs, training=None):
        token_ids = ops.cast(inputs["token_ids"], "int32")
        masked_ids, positions, weights = self.corrupt(token_ids, self.seed_generator if training else self.seed)
        encoded = self.encoder(masked_ids, inputs["segment_ids"], inputs.get("padding_mask"), return_layers=True)
        table = self.encoder.embedding.token_embeddings
        answer = {"word_logits": self.masked_lm_head(encoded["layer_outputs"][-1], table, positions)}
        answer["words"] = self.pick(token_ids, positions)
        answer["word_weights"] = weights
        answer["next_sentence_logits"] = self.next_sentence_head(
            self.encoder.pooler(encoded["layer_outputs"][-1][:, 0])
        )
        return answer

    def word_loss(self, guessed):
        return masked_lm_loss(guessed["words"], guessed["word_logits"], guessed["word_weights"])

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, **others):
        word_loss = self.word_loss(y_pred)
        pair_loss = next_sentence_loss(y, y_pred["next_sentence_logits"])
        self.record(word_loss, y, y_pred)
        return ops.add(pair_loss, word_loss)

    def record(self, word_loss, y, y_pred):
        weights = y_pred["word_weights"]
        right_words = ops.equal(ops.argmax(y_pred["word_logits"], axis=-1), y_pred["words"])
        right_pairs = ops.equal(ops.argmax(y_pred["next_sentence_logits"], axis=-1), ops.cast(y, "int32"))
        self.mean_word_loss.update_state(word_loss, sample_weight=ops.sum(weights))
        self.word_accuracy.update_state(right_words, sample_weight=weights)
        self.pair_accuracy.update_state(right_pairs)
