"""As short as possible."""

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
        ids, segments, documents = (
            ops.cast(inputs["token_ids"], "int32"),
            inputs.get("segment_ids"),
            inputs.get("document_ids"),
        )
        one, other = (self.seed_generator,) * 2 if training else (self.seed, self.seed + 1)
        selected = mask_tokens(ids, self.any_word, self.mask_id, self.special_ids, rate=self.rate, seed=one)[1]
        positions, weights = masked_positions(selected, self.rate)
        embedding = self.encoder.embedding
        hidden = self.generator(embedding(ops.where(selected, self.mask_id, ids), segments), self._mask(inputs))
        logits = self.masked_lm_head(hidden, embedding.token_embeddings, positions)
        corrupted, fakes = replaced_tokens(ids, positions, weights, logits, other)
        is_word = ops.ones_like(ids, dtype="bool")
        for special in self.special_ids:
            is_word = ops.logical_and(is_word, ids != special)
        return dict(
            word_logits=logits,
            words=ops.take_along_axis(ids, positions, axis=1),
            word_weights=weights,
            fake_logits=self.replaced_token_head(
                encode(self.encoder, corrupted, segments, documents)["sequence_output"]
            ),
            fakes=fakes,
            fake_weights=ops.cast(is_word, "float32"),
        )

    def _mask(self, inputs):
        if inputs.get("document_ids") is not None:
            return document_mask(inputs["document_ids"])
        return ops.not_equal(inputs["token_ids"], self.encoder.padding_id)[:, None, None, :]

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        word_loss = masked_lm_loss(y_pred["words"], y_pred["word_logits"], y_pred["word_weights"])
        u, weights = ops.cast(y_pred["fake_logits"], "float32"), y_pred["fake_weights"]
        sign = 1 - 2 * ops.cast(y_pred["fakes"], "float32")
        fake_loss = ops.sum(ops.softplus(sign * u) * weights) / ops.maximum(ops.sum(weights), 1)
        self.record(word_loss, fake_loss, y_pred)
        return word_loss + self.weight * fake_loss

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
