"""Keras's own cross-entropy, and the metrics by name."""

import keras
import numpy as np
from keras import ops

from course.masked_lm import MaskedLMHead, mask_tokens, masked_lm_loss, masked_positions
from course.objectives import replaced_tokens
from course.given.electra_parts import ReplacedTokenHead
from course.given.encoding import encode
from course.given.packed import document_mask


class Electra(keras.Model):
    def __init__(self, encoder, generator, mask_id, special_ids, *, rate=0.15, weight=50.0, seed=0, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.generator = encoder, generator
        self.mask_id, self.special_ids = mask_id, tuple(special_ids)
        self.rate, self.weight, self.seed = rate, weight, seed
        self.seed_generator = keras.random.SeedGenerator(seed)
        self.any_word = np.full(encoder.vocabulary_size, 1 / encoder.vocabulary_size)

        vocabulary_size, hidden_dim, dtype = encoder.vocabulary_size, encoder.hidden_dim, encoder.dtype_policy
        self.masked_lm_head = MaskedLMHead(vocabulary_size, hidden_dim, name="masked_lm_head", dtype=dtype)
        self.replaced_token_head = ReplacedTokenHead(name="replaced_token_head", dtype=dtype)
        names = ("masked_lm_loss", "masked_lm_accuracy", "discriminator_loss", "fakes_found", "false_alarms")
        self.metrics_kept = {name: keras.metrics.Mean(name=name) for name in names}

        if not encoder.built:
            encoder.build((None, None))
        generator.build((None, None, hidden_dim))
        self.masked_lm_head.build((None, None, hidden_dim), (vocabulary_size, hidden_dim))
        self.replaced_token_head.build((None, None, hidden_dim))
        self.built = True

    def call(self, inputs, training=None):
        token_ids = inputs["token_ids"]
        token_ids = ops.convert_to_tensor(token_ids, dtype="int32")
        if training:
            first, second = self.seed_generator, self.seed_generator
        else:
            first, second = self.seed, self.seed + 1
        masked_ids, selected = mask_tokens(
            token_ids, self.any_word, self.mask_id, list(self.special_ids), rate=self.rate, seed=first
        )
        masked_ids = ops.where(selected, self.mask_id, masked_ids)
        positions, word_weights = masked_positions(selected, self.rate)
        embedded = self.encoder.embedding(masked_ids, inputs.get("segment_ids"))
        guesses = self.generator(embedded, self._mask(inputs))
        word_logits = self.masked_lm_head(guesses, self.encoder.embedding.token_embeddings)
        word_logits = ops.take_along_axis(word_logits, positions[:, :, None], axis=1)
        corrupted, replaced = replaced_tokens(token_ids, positions, word_weights, word_logits, seed=second)
        outputs = encode(self.encoder, corrupted, inputs.get("segment_ids"), inputs.get("document_ids"))
        is_special = ops.any(token_ids[..., None] == ops.array(self.special_ids), axis=-1)
        return {
            "fake_weights": ops.where(is_special, 0.0, 1.0),
            "fakes": replaced,
            "fake_logits": self.replaced_token_head(outputs["sequence_output"]),
            "word_weights": word_weights,
            "words": ops.take_along_axis(token_ids, positions, axis=1),
            "word_logits": word_logits,
        }

    def _mask(self, inputs):
        if inputs.get("document_ids") is not None:
            return document_mask(inputs["document_ids"])
        return ops.not_equal(inputs["token_ids"], self.encoder.padding_id)[:, None, None, :]

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        words = masked_lm_loss(y_pred["words"], y_pred["word_logits"], y_pred["word_weights"])
        each = ops.binary_crossentropy(
            ops.cast(y_pred["fakes"], "float32"), ops.cast(y_pred["fake_logits"], "float32"), from_logits=True
        )
        fakes = ops.divide_no_nan(ops.sum(each * y_pred["fake_weights"]), ops.sum(y_pred["fake_weights"]))
        self.record(words, fakes, y_pred)
        return words + fakes * self.weight

    def record(self, word_loss, fake_loss, y_pred):
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
