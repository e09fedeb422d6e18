"""The steps are methods; the discriminator's loss is a cross-entropy of two classes."""

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

    def hide(self, token_ids, seed):
        _, selected = mask_tokens(token_ids, self.any_word, self.mask_id, self.special_ids, rate=self.rate, seed=seed)
        masked = ops.where(selected, ops.full_like(token_ids, self.mask_id), token_ids)
        return masked, *masked_positions(selected, rate=self.rate)

    def guess(self, masked, positions, inputs):
        segment_ids = inputs["segment_ids"] if "segment_ids" in inputs else None
        x = self.generator(self.encoder.embedding(masked, segment_ids), attention_mask=self._mask(inputs))
        x = ops.take_along_axis(x, positions[:, :, None], axis=1)
        return self.masked_lm_head(x, self.encoder.embedding.token_embeddings)

    def judge(self, corrupted, inputs):
        x = self.encoder.embedding(ops.stop_gradient(corrupted), inputs.get("segment_ids"))
        mask = self._mask(inputs) if inputs.get("document_ids") is not None else None
        if mask is None:
            return self.replaced_token_head(self.encoder(corrupted, inputs.get("segment_ids"))["sequence_output"])
        for block in self.encoder.blocks:
            x = block(x, attention_mask=mask)
        return self.replaced_token_head(x)

    def call(self, inputs, training=None):
        token_ids = ops.cast(inputs["token_ids"], "int32")
        masked, positions, weights = self.hide(token_ids, self.seed_generator if training else self.seed)
        logits = self.guess(masked, positions, inputs)
        draw = self.seed_generator if training else self.seed + 1
        corrupted, replaced = replaced_tokens(token_ids, positions, weights, logits, seed=draw)
        answer = {"word_logits": logits, "word_weights": weights, "fakes": replaced}
        answer["words"] = ops.take_along_axis(token_ids, positions, axis=1)
        answer["fake_logits"] = self.judge(corrupted, inputs)
        is_special = sum(ops.cast(token_ids == number, "float32") for number in self.special_ids)
        answer["fake_weights"] = 1.0 - is_special
        return answer

    def _mask(self, inputs):
        if inputs.get("document_ids") is not None:
            return document_mask(inputs["document_ids"])
        return ops.not_equal(inputs["token_ids"], self.encoder.padding_id)[:, None, None, :]

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, **others):
        logits = ops.cast(y_pred["fake_logits"], "float32")
        two = ops.log_softmax(ops.stack([ops.zeros_like(logits), logits], axis=-1), axis=-1)
        losses = -ops.where(y_pred["fakes"], two[..., 1], two[..., 0])
        weights = y_pred["fake_weights"]
        count = ops.sum(weights)
        fake_loss = ops.where(count > 0, ops.sum(losses * weights) / ops.maximum(count, 1.0), 0.0)
        word_loss = masked_lm_loss(y_pred["words"], y_pred["word_logits"], y_pred["word_weights"])
        self.record(word_loss, fake_loss, y_pred)
        return ops.add(self.weight * fake_loss, word_loss)

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
