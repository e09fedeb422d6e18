"""The schedule and the decay agree with other libraries; the joint model gives the losses of its parts, and learns."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import pytest
from keras import ops

from course.encoder import BertEncoder
from course.masked_lm import masked_lm_loss
from course.next_sentence import NOT_NEXT, next_sentence_loss
from course.pretraining import BertPretrainer, WarmupLinearDecay, bert_optimizer, decays_weight
from tests.closeness import assert_close

PAD, UNK, CLS, SEP, MASK = SPECIAL_IDS = 0, 1, 2, 3, 4
VOCABULARY_SIZE = 23
LENGTH = 15
ROWS = 8  # one size for most batches, because JAX compiles every operation again for another
JIT = keras.backend.backend() == "jax"  # XLA takes many seconds to compile for TensorFlow on a CPU


def probabilities() -> np.ndarray:
    words = np.arange(VOCABULARY_SIZE) > MASK
    return words / words.sum()


def pretrainer(dtype: str = "float32", **arguments: Any) -> BertPretrainer:
    keras.utils.set_random_seed(3)
    encoder = BertEncoder(VOCABULARY_SIZE, 1, 3, 24, 20, max_length=LENGTH, dropout=0.0, dtype=dtype)
    return BertPretrainer(encoder, probabilities(), MASK, SPECIAL_IDS, **arguments)


def pairs(seed: int, rows: int = ROWS, length: int = LENGTH) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Documents that repeat one word. A sentence from another document repeats another word."""
    generator = np.random.default_rng(seed)
    labels = generator.integers(0, 2, size=rows)
    first = generator.integers(MASK + 1, VOCABULARY_SIZE, size=rows)
    others = VOCABULARY_SIZE - MASK - 1
    step = np.where(labels == NOT_NEXT, generator.integers(1, others, size=rows), 0)
    second = (first - MASK - 1 + step) % others + MASK + 1
    token_ids = np.full((rows, length), PAD)
    segment_ids = np.zeros((rows, length), "int32")
    token_ids[:, 0] = CLS
    for row, end in enumerate(generator.integers(10, length, size=rows)):
        token_ids[row, 1:5], token_ids[row, 5] = first[row], SEP
        token_ids[row, 6:end], token_ids[row, end] = second[row], SEP
        segment_ids[row, 6 : end + 1] = 1
    return {"token_ids": token_ids.astype("int32"), "segment_ids": segment_ids}, labels


class TestWarmupLinearDecay:
    def test_start_peak_middle_and_end(self) -> None:
        schedule = WarmupLinearDecay(peak=0.5, warmup_steps=4, total_steps=14)
        steps = [0, 1, 2, 3, 4, 5, 9, 13, 14, 15, 1000]
        rates = [float(schedule(step)) for step in steps]
        assert_close(rates, [0, 0.125, 0.25, 0.375, 0.5, 0.45, 0.25, 0.05, 0, 0, 0], 1e-7)

    def test_without_warmup_it_starts_at_the_peak(self) -> None:
        schedule = WarmupLinearDecay(peak=0.5, warmup_steps=0, total_steps=5)
        np.testing.assert_allclose([float(schedule(step)) for step in range(6)], [0.5, 0.4, 0.3, 0.2, 0.1, 0])

    @pytest.mark.parametrize(("warmup_steps", "total_steps"), [(0, 7), (1, 9), (30, 100), (99, 100)])
    def test_agrees_with_hugging_face_at_every_step(self, warmup_steps: int, total_steps: int) -> None:
        import torch
        from transformers import get_linear_schedule_with_warmup

        optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=3e-4)
        published = get_linear_schedule_with_warmup(optimizer, warmup_steps, total_steps)
        schedule = WarmupLinearDecay(3e-4, warmup_steps, total_steps)
        for step in range(total_steps + 3):
            assert float(schedule(step)) == pytest.approx(published.get_last_lr()[0], abs=1e-9)
            optimizer.step()
            published.step()

    def test_moves_an_optimizer(self) -> None:
        """With a gradient of 1, plain descent moves as far as the sum of the learning rates."""
        variable = keras.Variable(0.0)
        optimizer = keras.optimizers.SGD(WarmupLinearDecay(peak=1.0, warmup_steps=2, total_steps=6))
        walked = []
        for _ in range(8):
            optimizer.apply([ops.ones(())], [variable])
            walked.append(-float(ops.convert_to_numpy(variable.value)))
        assert_close(np.diff([0, *walked]), [0, 0.5, 1, 0.75, 0.5, 0.25, 0, 0], 1e-6)

    def test_survives_its_config(self) -> None:
        schedule = WarmupLinearDecay(peak=0.5, warmup_steps=4, total_steps=14)
        again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(schedule))
        assert again.get_config() == {"peak": 0.5, "warmup_steps": 4, "total_steps": 14}

    @pytest.mark.parametrize(("warmup_steps", "total_steps"), [(5, 5), (6, 5), (-1, 5), (0, 0)])
    def test_refuses_bad_input(self, warmup_steps: int, total_steps: int) -> None:
        with pytest.raises(ValueError, match=f"Received: warmup_steps={warmup_steps}(, total_steps={total_steps})?$"):
            WarmupLinearDecay(1.0, warmup_steps, total_steps)


class TestDecay:
    @pytest.mark.parametrize(
        ("path", "decays"),
        [
            ("bert_encoder/block_0/attention/query/kernel", True),
            ("bert_encoder/embedding/token_embedding/embeddings", True),
            ("bert_encoder/block_0/attention/query/bias", False),
            ("bert_encoder/block_0/attention_norm/gamma", False),
            ("bert_encoder/embedding/norm/beta", False),
            ("masked_lm_head/bias", False),
            ("bias", False),
            ("norm/kernel", True),
            ("bias_tower/dense/kernel", True),
        ],
    )
    def test_depends_on_the_name_of_the_variable(self, path: str, decays: bool) -> None:
        assert decays_weight(path) is decays

    def test_matrices_decay_and_vectors_do_not(self) -> None:
        for variable in pretrainer().trainable_variables:
            assert decays_weight(variable.path) == (len(variable.shape) > 1), variable.path

    def test_the_optimizer_decays_matrices_only(self) -> None:
        model = pretrainer()
        for variable in model.trainable_variables:
            variable.assign(np.ones(variable.shape))
        optimizer = bert_optimizer(model, learning_rate=0.1, weight_decay=0.5)
        optimizer.apply([ops.zeros(v.shape) for v in model.trainable_variables], model.trainable_variables)
        for variable in model.trainable_variables:
            expected = 1 - 0.1 * 0.5 if len(variable.shape) > 1 else 1.0
            np.testing.assert_allclose(ops.convert_to_numpy(variable.value), expected, rtol=1e-6)

    def test_the_optimizer_refuses_a_model_that_is_not_built(self) -> None:
        with pytest.raises(ValueError, match="must be built before its optimizer"):
            bert_optimizer(keras.Sequential([keras.layers.Dense(3)]), 0.1)


class TestBertPretrainer:
    def test_loss_and_metrics_are_those_of_its_parts(self) -> None:
        inputs, labels = pairs(seed=1)
        model = pretrainer()
        model.compile(jit_compile=JIT)
        report = model.evaluate(inputs, labels, batch_size=ROWS, verbose=0, return_dict=True)

        outputs = {name: ops.convert_to_numpy(value) for name, value in model(inputs).items()}
        masked = outputs["word_weights"] > 0
        word_loss = masked_lm_loss(outputs["words"], outputs["word_logits"], outputs["word_weights"])
        pair_loss = next_sentence_loss(labels, outputs["next_sentence_logits"])
        right_words = outputs["word_logits"].argmax(axis=-1) == outputs["words"]
        right_pairs = outputs["next_sentence_logits"].argmax(axis=-1) == labels
        expected = {
            "loss": float(word_loss) + float(pair_loss),
            "masked_lm_loss": float(word_loss),
            "masked_lm_accuracy": right_words[masked].mean(),
            "next_sentence_accuracy": right_pairs.mean(),
        }
        assert report == pytest.approx(expected, abs=1e-5)

    def test_means_over_batches_are_means_over_words(self) -> None:
        inputs, labels = pairs(seed=2, rows=2 * ROWS)
        inputs["token_ids"][:ROWS, 2:] = PAD  # the first batch has one word in each row, the second has many
        model = pretrainer(rate=0.5)
        model.compile(jit_compile=JIT)
        report = model.evaluate(inputs, labels, batch_size=ROWS, verbose=0, return_dict=True)
        losses, counts = [], []
        for rows in (slice(0, ROWS), slice(ROWS, None)):
            outputs = model({name: array[rows] for name, array in inputs.items()})
            loss = masked_lm_loss(outputs["words"], outputs["word_logits"], outputs["word_weights"])
            losses.append(float(ops.convert_to_numpy(loss)))
            counts.append(float(ops.sum(outputs["word_weights"])))
        assert counts[1] > 3 * counts[0]
        assert report["masked_lm_loss"] == pytest.approx(np.average(losses, weights=counts), abs=1e-5)

    def test_sees_masked_texts_and_predicts_the_original_words(self, monkeypatch: pytest.MonkeyPatch) -> None:
        inputs, _ = pairs(seed=3)
        model = pretrainer(rate=0.6)
        embed, seen = model.encoder.embedding.call, []

        def look(token_ids: Any, segment_ids: Any) -> Any:
            seen.append((ops.convert_to_numpy(token_ids), ops.convert_to_numpy(segment_ids)))
            return embed(token_ids, segment_ids)

        monkeypatch.setattr(model.encoder.embedding, "call", look)
        outputs = {name: ops.convert_to_numpy(value) for name, value in model(inputs, training=True).items()}
        ((masked_ids, segment_ids),) = seen
        np.testing.assert_array_equal(segment_ids, inputs["segment_ids"])
        assert (masked_ids == MASK).sum() > ROWS
        for text, masked, words, weights in zip(
            inputs["token_ids"], masked_ids, outputs["words"], outputs["word_weights"], strict=True
        ):
            asked_for = list(words[weights > 0])
            assert len(asked_for) == max(1, round(0.6 * (text > MASK).sum()))
            for word in text[masked != text]:  # each word that was changed is asked for
                asked_for.remove(word)

    def test_masks_differ_in_training_and_repeat_elsewhere(self) -> None:
        inputs, _ = pairs(seed=4)
        model = pretrainer()

        def word_logits(training: bool) -> np.ndarray:
            return ops.convert_to_numpy(model(inputs, training=training)["word_logits"])

        assert not np.allclose(word_logits(True), word_logits(True))
        np.testing.assert_array_equal(word_logits(False), word_logits(False))

    def test_learns_both_tasks_with_every_weight(self) -> None:
        """Texts repeat one word, so it can be seen beside the mask; a pair is real if both repeat the same word."""
        steps = 150
        model = pretrainer()
        before = [ops.convert_to_numpy(variable.value).copy() for variable in model.trainable_variables]
        schedule = WarmupLinearDecay(1e-2, 15, steps)
        model.compile(bert_optimizer(model, schedule, weight_decay=0.0), jit_compile=JIT)
        # The lengths of batches differ: TensorFlow then compiles once, for a length that it does not know.
        batches = (pairs(seed=9 + step, rows=32, length=LENGTH - 3 * (step % 2)) for step in range(steps))
        model.fit(batches, steps_per_epoch=steps, verbose=0)
        report = model.evaluate(*pairs(seed=6, rows=256), batch_size=32, verbose=0, return_dict=True)

        assert report["masked_lm_loss"] < 0.5 * np.log(VOCABULARY_SIZE - len(SPECIAL_IDS))
        assert report["masked_lm_accuracy"] > 0.8
        assert report["next_sentence_accuracy"] > 0.8
        for variable, old in zip(model.trainable_variables, before, strict=True):
            if not variable.path.endswith("key/bias"):  # adds the same to all scores of a query: softmax is blind to it
                assert (ops.convert_to_numpy(variable.value) != old).any(), variable.path

    @pytest.mark.parametrize("dtype", ["mixed_bfloat16", "mixed_float16"])
    def test_trains_in_half_precision(self, dtype: str) -> None:
        model = pretrainer(dtype)
        assert model.masked_lm_head.compute_dtype == dtype.removeprefix("mixed_")
        before = ops.convert_to_numpy(model.masked_lm_head.dense.kernel.value).copy()
        model.compile(bert_optimizer(model, 0.01), jit_compile=JIT)
        history = model.fit(*pairs(seed=8), batch_size=ROWS, verbose=0).history
        # The model knows nothing yet, so all words are about equally likely, and so are both answers about a pair.
        expected = np.log(VOCABULARY_SIZE) + np.log(2)
        assert history["loss"][0] == pytest.approx(expected, abs=0.5)
        after = ops.convert_to_numpy(model.masked_lm_head.dense.kernel.value)
        assert after.dtype == np.float32
        assert np.isfinite(after).all()
        assert (after != before).any()

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"unigram_probabilities": np.ones(7) / 7}, "one for each word of the encoder, 23. Received: 7"),
            ({"special_ids": (UNK, CLS, SEP, MASK)}, "must include the encoder's padding_id, 0"),
            ({"special_ids": (PAD, UNK, CLS, SEP)}, "must include mask_id, 4"),
            ({"mask_id": 23, "special_ids": (PAD, 23)}, "of the vocabulary, from 0 to 22. Received: .*=23"),
        ],
    )
    def test_refuses_bad_input(self, change: dict[str, Any], message: str) -> None:
        encoder = BertEncoder(VOCABULARY_SIZE, 1, 3, 12, 20, max_length=LENGTH)
        arguments = {
            "encoder": encoder,
            "unigram_probabilities": probabilities(),
            "mask_id": MASK,
            "special_ids": SPECIAL_IDS,
        }
        with pytest.raises(ValueError, match=message):
            BertPretrainer(**{**arguments, **change})
