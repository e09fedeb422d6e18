"""ELECTRA: drawn words, judged words, which part learns from which loss; and agreement with transformers."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import pytest
from keras import ops, random

from course import objectives
from course.encoder import BertEncoder
from course.given.electra_parts import ReplacedTokenHead, put_words
from course.given.generator import Generator
from course.objectives import Electra, replaced_tokens
from tests.closeness import assert_close
from tests.course.arrays import array
from tests.course.objectives.chance import assert_plausible

PAD, CLS, SEP, MASK = 0, 1, 2, 3
SPECIAL_IDS = (PAD, CLS, SEP, MASK)
VOCABULARY_SIZE = 30


def log_shares(shares: list[float], rows: int, places: int) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.tile(np.maximum(np.log(shares), -1e9), (rows, places, 1)).astype("float32")


class TestReplacedTokens:
    shares = (0.5, 0.25, 0.15, 0.1, 0.0)

    @pytest.mark.parametrize("seed", [3, "generator"])
    def test_draws_by_the_softmax_where_words_were_hidden(self, seed: Any) -> None:
        seed = random.SeedGenerator(8) if seed == "generator" else seed
        rows = 3000
        token_ids = np.full((rows, 4), 1, "int32")
        positions, weights = np.tile([[3, 1, 0]], (rows, 1)), np.tile([[1.0, 1.0, 0.0]], (rows, 1))
        given = replaced_tokens(token_ids, positions, weights, log_shares(self.shares, rows, 3) + 5.0, seed=seed)
        corrupted, replaced = (ops.convert_to_numpy(tensor) for tensor in given)
        assert (corrupted[:, [0, 2]] == 1).all()
        for place in (1, 3):
            assert_plausible(np.bincount(corrupted[:, place], minlength=5), self.shares)
        same = (corrupted[:, 1] == corrupted[:, 3]).sum()
        alike = sum(share**2 for share in self.shares)
        assert_plausible([same, rows - same], [alike, 1 - alike])  # places are drawn independently
        np.testing.assert_array_equal(replaced, corrupted != 1)

    def test_drawing_the_original_word_is_no_replacement(self) -> None:
        sure = log_shares([0.0, 0.0, 1.0, 0.0, 0.0], 2, 1)
        corrupted, replaced = replaced_tokens(
            np.array([[4, 2], [4, 3]]), np.array([[1], [1]]), np.ones((2, 1)), sure, 1
        )
        assert ops.convert_to_numpy(corrupted).tolist() == [[4, 2], [4, 2]]
        assert ops.convert_to_numpy(replaced).tolist() == [[False, False], [False, True]]

    def test_words_are_put_where_there_is_weight(self) -> None:
        token_ids, positions = np.array([[5, 6, 7], [8, 9, 4]]), np.array([[2, 0], [1, 2]])
        given = put_words(token_ids, positions, np.array([[1.0, 0.0], [0, 1]]), np.array([[1, 2], [3, 0]]))
        assert ops.convert_to_numpy(given).tolist() == [[5, 6, 1], [8, 9, 0]]


def made(weight: float = 50.0, dropout: float = 0.0, **options: Any) -> Electra:
    keras.utils.set_random_seed(2)
    encoder = BertEncoder(VOCABULARY_SIZE, 1, 2, 8, 12, max_length=16, dropout=dropout, name="bert_encoder")
    generator = Generator(1, 1, 4, 6, dropout=dropout, name="generator")
    return Electra(encoder, generator, MASK, SPECIAL_IDS, weight=weight, **options)


def texts(rows: int = 6) -> np.ndarray:
    token_ids = np.random.default_rng(1).integers(4, VOCABULARY_SIZE, (rows, 16))
    token_ids[:, 0], token_ids[:, 12], token_ids[:, 13:] = CLS, SEP, PAD
    return token_ids


class TestElectra:
    def test_judges_words_but_not_special_tokens(self) -> None:
        outputs = made(rate=0.3)({"token_ids": texts()})
        weights, fakes = array(outputs["fake_weights"]), array(outputs["fakes"])
        np.testing.assert_array_equal(weights, ~np.isin(texts(), SPECIAL_IDS))
        assert not fakes[weights == 0].any()
        assert 0 < fakes.sum() <= array(outputs["word_weights"]).sum() == 6 * 3  # 0.3 · 11 words, rounded

    def test_loss_is_the_mean_of_words_plus_50_times_the_discriminators(self) -> None:
        """Two hidden words cost log 2 each. Means, not sums, are added; the discriminator judges three words."""
        half = np.full((1, 2, 2), 0.5, "float32")
        answer = {
            "word_logits": half,
            "words": np.array([[0, 1]]),
            "word_weights": np.ones((1, 2), "float32"),
            "fake_logits": np.array([[9.0, 0.0, 2.0, -2.0]], "float32"),
            "fakes": np.array([[False, True, True, True]]),
            "fake_weights": np.array([[0.0, 1.0, 1.0, 1.0]], "float32"),
        }
        judged = np.mean([np.log(2), np.log1p(np.exp(-2)), np.log1p(np.exp(2))])
        for weight in (50.0, 3.0):
            loss = float(
                made(weight).compute_loss(y_pred={name: ops.convert_to_tensor(v) for name, v in answer.items()})
            )
            assert loss == pytest.approx(np.log(2) + weight * judged, rel=1e-5)
        assert Electra.__init__.__kwdefaults__["weight"] == 50.0  # table 6 of the paper

    def test_a_sure_discriminator_has_a_finite_loss(self) -> None:
        model, sure = made(), np.full((1, 4), 300.0, "float32")
        answer = model({"token_ids": texts(1)})
        answer |= {"fake_logits": ops.convert_to_tensor(np.repeat(sure, 4, axis=1))}
        assert np.isfinite(float(model.compute_loss(y_pred=answer)))

    def test_masks_and_draws_change_only_in_training(self) -> None:
        model, inputs = made(), {"token_ids": texts()}
        quiet = [array(model(inputs)["words"]) for _ in range(2)]
        np.testing.assert_array_equal(*quiet)
        moving = [array(model(inputs, training=True)["words"]) for _ in range(2)]
        assert (moving[0] != moving[1]).any()

    def test_each_loss_trains_its_own_part_and_the_embeddings(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The generator learns nothing from the discriminator's loss; the embeddings learn from both."""

        def moved(weight: float) -> dict[str, bool]:
            model = made(weight, rate=0.5)
            before = {variable.path: array(variable) for variable in model.trainable_variables}
            model.compile("sgd", jit_compile=False)
            model.fit({"token_ids": texts()}, batch_size=6, verbose=0)
            return {
                variable.path: bool(np.abs(array(variable) - before[variable.path]).max() > 0)
                for variable in model.trainable_variables
            }

        by_words = moved(0.0)
        monkeypatch.setattr(objectives, "masked_lm_loss", lambda *arrays: ops.zeros(()))
        by_fakes = moved(1.0)
        ours = {path for path in by_words if path.startswith(("generator", "masked_lm_head")) or "/generator" in path}
        table = next(path for path in by_words if path.endswith("token_embedding/embeddings"))
        assert by_words[table]
        assert by_fakes[table]
        assert any(by_words[path] for path in ours)
        assert not any(by_fakes[path] for path in ours)
        theirs = {path for path in by_words if "replaced_token_head" in path or "bert_encoder/block" in path}
        assert any(by_fakes[path] for path in theirs)
        assert not any(by_words[path] for path in theirs)

    def test_documents_of_a_row_do_not_see_each_other(self) -> None:
        token_ids = texts()
        document_ids = np.where(np.arange(16) < 6, 1, 2) * (token_ids > 0)
        other = token_ids.copy()
        other[:, 6:12] = (other[:, 6:12] - 4 + 7) % (VOCABULARY_SIZE - 4) + 4
        model = made()
        model.rate = 1e-6  # one word a row
        answers = [model({"token_ids": ids, "document_ids": document_ids}) for ids in (token_ids, other)]
        first, second = (array(answer["fake_logits"])[:, :6] for answer in answers)
        untouched = ~np.any([array(answer["fakes"])[:, :6].any(axis=1) for answer in answers], axis=0)
        assert untouched.any()
        assert_close(first[untouched], second[untouched], 1e-6)

    def test_training_lowers_the_loss_and_reports_metrics(self) -> None:
        model = made(rate=0.3)
        model.compile(keras.optimizers.Adam(3e-3), jit_compile=keras.backend.backend() == "jax")
        history = model.fit({"token_ids": texts(64)}, epochs=12, batch_size=64, verbose=0).history
        assert history["masked_lm_loss"][0] == pytest.approx(np.log(VOCABULARY_SIZE), abs=0.2)
        assert history["loss"][-1] < history["loss"][0] - 0.5
        assert {"fakes_found", "false_alarms", "discriminator_loss", "masked_lm_accuracy"} <= history.keys()


class TestBesideTransformers:
    def test_head_of_the_discriminator_agrees(self) -> None:
        transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
        config = transformers.ElectraConfig(
            vocab_size=40, embedding_size=12, hidden_size=12, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=20,
        )  # fmt: skip
        torch.manual_seed(4)
        theirs = transformers.ElectraForPreTraining(config).eval().discriminator_predictions
        hidden = np.random.default_rng(4).standard_normal((3, 7, 12)).astype("float32")
        for parameter in theirs.parameters():
            torch.nn.init.normal_(parameter)
        with torch.no_grad():
            expected = theirs(torch.tensor(hidden)).numpy()
        head = ReplacedTokenHead()
        head.build((None, None, 12))
        dense, score = theirs.dense, theirs.dense_prediction
        weights = [dense.weight.T, dense.bias, score.weight.T, score.bias]
        head.set_weights([weight.detach().numpy() for weight in weights])
        np.testing.assert_allclose(array(head(hidden)), expected, rtol=1e-5, atol=1e-5)
        assert np.ptp(expected) > 1

    def test_loss_of_the_discriminator_agrees(self) -> None:
        """Their loss is the mean over all tokens that the attention mask allows, so it gets only words here."""
        torch = pytest.importorskip("torch")
        random_ = np.random.default_rng(5)
        logits, fakes = 3 * random_.standard_normal((4, 6)).astype("float32"), random_.random((4, 6)) < 0.3
        active = random_.random((4, 6)) < 0.7
        expected = torch.nn.BCEWithLogitsLoss()(torch.tensor(logits[active]), torch.tensor(fakes[active]).float())
        answer = {
            "word_logits": np.zeros((4, 1, 5), "float32"),
            "words": np.zeros((4, 1), "int32"),
            "word_weights": np.zeros((4, 1), "float32"),
            "fake_logits": logits,
            "fakes": fakes,
            "fake_weights": active.astype("float32"),
        }
        given = made(1.0).compute_loss(y_pred={name: ops.convert_to_tensor(value) for name, value in answer.items()})
        assert float(given) == pytest.approx(float(expected), rel=1e-5)
