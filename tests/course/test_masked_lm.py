"""Masking is judged by its statistics, head and loss by a peer and by hand.

A statistic raises a false alarm for fewer than one seed of a million.
"""

from __future__ import annotations

from typing import Any

import keras
import numpy as np
import pytest
from gradients import gradient
from keras import ops, random
from scipy import stats

from course.masked_lm import (
    MaskedLMHead,
    gather_masked,
    mask_tokens,
    masked_lm_loss,
    masked_positions,
    unigram_probabilities,
)

PAD, UNK, CLS, SEP, MASK = 0, 1, 2, 3, 4
SPECIAL_IDS = (PAD, UNK, CLS, SEP, MASK)
VOCABULARY_SIZE = 61
LENGTH = 43
ROWS = 3000
FALSE_ALARM = 1e-6
FISH = ["so", "long", "and", "thanks", "for", "all", "the", "fish"]


def zipf() -> np.ndarray:
    """Few words are common and many rare, as in a language; the last three ids never occur."""
    frequency = 1.0 / np.arange(1, VOCABULARY_SIZE + 1)
    frequency[list(SPECIAL_IDS)] = 0.0
    frequency[-3:] = 0.0
    return frequency / frequency.sum()


def texts(seed: int, rows: int = ROWS) -> np.ndarray:
    """[CLS] words [SEP] words [SEP] padding, of different lengths; an [UNK] here and there."""
    generator = np.random.default_rng(seed)
    token_ids = generator.choice(VOCABULARY_SIZE, size=(rows, LENGTH), p=zipf())
    token_ids[generator.random(token_ids.shape) < 0.02] = UNK
    for row, end in zip(token_ids, generator.integers(7, LENGTH, size=rows), strict=True):
        row[0] = CLS
        row[[generator.integers(1, end), end]] = SEP
        row[end + 1 :] = PAD
    return token_ids


def corrupt(token_ids: np.ndarray, seed: Any, rate: float = 0.15) -> tuple[np.ndarray, np.ndarray]:
    outputs = mask_tokens(token_ids, zipf(), MASK, SPECIAL_IDS, rate=rate, seed=seed)
    masked_ids, selected = (ops.convert_to_numpy(output) for output in outputs)
    return masked_ids, selected


def is_word(token_ids: np.ndarray) -> np.ndarray:
    return ~np.isin(token_ids, SPECIAL_IDS)


def assert_plausible(observed: np.ndarray, expected: np.ndarray) -> None:
    """A chi-square test; cells that expect fewer than 10 are pooled."""
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    assert stats.chisquare(observed, expected, sum_check=False).pvalue > FALSE_ALARM


@pytest.fixture(params=["generator 1", "generator 2", "generator 3", "integer", "global"])
def seed(request: pytest.FixtureRequest) -> Any:
    """Every kind of seed, and several of the most used."""
    kind, _, number = request.param.partition(" ")
    keras.utils.set_random_seed(29)
    return {"generator": random.SeedGenerator(int(number or 0)), "integer": 17, "global": None}[kind]


class TestUnigramProbabilities:
    def test_counts_words_only(self) -> None:
        token_ids = np.array([[CLS, 7, 5, 7, SEP], [CLS, 7, 9, SEP, PAD]])
        probabilities = unigram_probabilities(token_ids, 11, SPECIAL_IDS)
        np.testing.assert_allclose(probabilities, [0, 0, 0, 0, 0, 0.2, 0, 0.6, 0, 0.2, 0])

    def test_sums_to_one_and_agrees_with_a_plain_count(self) -> None:
        token_ids = texts(seed=1)
        words = [word for word in token_ids.ravel().tolist() if word not in SPECIAL_IDS]
        probabilities = unigram_probabilities(token_ids, VOCABULARY_SIZE, SPECIAL_IDS)
        assert probabilities.shape == (VOCABULARY_SIZE,)
        assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
        np.testing.assert_allclose(probabilities, [words.count(word) / len(words) for word in range(VOCABULARY_SIZE)])

    @pytest.mark.parametrize(
        ("token_ids", "message"),
        [
            ([[5, 11]], "0 to 10, for vocabulary_size=11. Received: 5 to 11"),
            ([[-1, 5]], "Received: -1 to 5"),
            ([[CLS, SEP]], "must hold words"),
            ([[0.5]], "must be integers. Received: token_ids.dtype=float64"),
        ],
    )
    def test_errors(self, token_ids: list[list[float]], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            unigram_probabilities(np.array(token_ids), 11, SPECIAL_IDS)


class TestMaskTokens:
    def test_selects_the_share_of_each_row(self, seed: Any) -> None:
        token_ids = texts(seed=2)
        _, selected = corrupt(token_ids, seed)
        words = is_word(token_ids).sum(axis=1)
        assert len(set(words)) > 20
        assert np.abs(selected.sum(axis=1) - np.maximum(0.15 * words, 1)).max() <= 0.5 + 1e-6

    def test_never_selects_special_tokens(self, seed: Any) -> None:
        token_ids = texts(seed=3)
        masked_ids, selected = corrupt(token_ids, seed, rate=1.0)
        np.testing.assert_array_equal(selected, is_word(token_ids))
        np.testing.assert_array_equal(masked_ids[~selected], token_ids[~selected])

    def test_leaves_what_is_not_selected(self, seed: Any) -> None:
        token_ids = texts(seed=4)
        masked_ids, selected = corrupt(token_ids, seed)
        np.testing.assert_array_equal(masked_ids[~selected], token_ids[~selected])

    def test_masks_80_replaces_10_keeps_10(self, seed: Any) -> None:
        token_ids = texts(seed=5)
        masked_ids, selected = corrupt(token_ids, seed)
        before, after = token_ids[selected], masked_ids[selected]
        # A random word is the same word again as often as that word occurs: it then looks like a kept one.
        again = 0.1 * zipf()[before].sum()
        count = len(before)
        observed = np.array([(after == MASK).sum(), (after == before).sum(), count])
        observed[2] -= observed[:2].sum()
        assert_plausible(observed, np.array([0.8 * count, 0.1 * count + again, 0.1 * count - again]))

    def test_draws_random_words_by_unigram_probability(self, seed: Any) -> None:
        token_ids = texts(seed=6)
        masked_ids, selected = corrupt(token_ids, seed, rate=0.9)
        replaced = selected & (masked_ids != MASK) & (masked_ids != token_ids)
        before, after = token_ids[replaced], masked_ids[replaced]
        # Given that it is another word than before, each word's probability is that much higher.
        other = np.tile(zipf(), (len(before), 1))
        other[np.arange(len(before)), before] = 0.0
        expected = (other / other.sum(axis=1, keepdims=True)).sum(axis=0)
        observed = np.bincount(after, minlength=VOCABULARY_SIZE)
        never = zipf() == 0
        assert not observed[never].any()
        assert_plausible(observed[~never], expected[~never])

    @pytest.mark.parametrize(("number", "word"), [(0.0, MASK + 1), (1 - 2**-24, VOCABULARY_SIZE - 4)])
    def test_the_smallest_and_the_largest_number_draw_words_that_occur(
        self, monkeypatch: pytest.MonkeyPatch, number: float, word: int
    ) -> None:
        """Once in some million draws a generator gives exactly 0, which must not stand for a special token."""

        def uniform(shape: tuple[int, int], **_: Any) -> Any:
            rows, columns = shape  # of equal parts, since all words are selected
            return ops.convert_to_tensor(np.repeat(np.full((rows, 3), (0.5, 0.85, number), "float32"), columns // 3, 1))

        monkeypatch.setattr(random, "uniform", uniform)
        masked_ids, selected = corrupt(texts(seed=11, rows=4), seed=None, rate=1.0)
        assert set(masked_ids[selected]) == {word}

    def test_selects_every_position_alike(self, seed: Any) -> None:
        token_ids = np.full((ROWS, LENGTH), 7)
        _, selected = corrupt(token_ids, seed)
        # The places of a row exclude each other, so counts spread less than the test allows.
        assert_plausible(selected.sum(axis=0), np.full(LENGTH, selected.sum() / LENGTH))

    def test_what_happens_does_not_depend_on_the_place(self, seed: Any) -> None:
        token_ids = np.full((ROWS, LENGTH), 60)  # a word that is never drawn
        masked_ids, selected = corrupt(token_ids, seed)
        kinds = [masked_ids == MASK, selected & (masked_ids == 60), ~np.isin(masked_ids, (MASK, 60))]
        table = [[(kind & selected)[:, place::6].sum() for place in range(6)] for kind in kinds]
        assert stats.chi2_contingency(table).pvalue > FALSE_ALARM

    def test_neighbours_do_not_share_their_fate(self, seed: Any) -> None:
        token_ids = np.full((ROWS, LENGTH), 60)
        masked_ids, _ = corrupt(token_ids, seed, rate=1.0)
        kind = np.where(masked_ids == MASK, 0, np.where(masked_ids == 60, 1, 2))
        pairs = [[((kind[:, :-1] == i) & (kind[:, 1:] == j)).sum() for j in range(3)] for i in range(3)]
        assert stats.chi2_contingency(pairs).pvalue > FALSE_ALARM

    def test_generators_go_on_and_integers_repeat(self) -> None:
        token_ids = texts(seed=7)
        generator = random.SeedGenerator(5)
        first, second, again = (
            corrupt(token_ids, generator),
            corrupt(token_ids, generator),
            corrupt(token_ids, 5),
        )
        assert (first[1] != second[1]).any()
        for left, right in zip(again, corrupt(token_ids, 5), strict=True):
            np.testing.assert_array_equal(left, right)
        for left, right in zip(first, corrupt(token_ids, random.SeedGenerator(5)), strict=True):
            np.testing.assert_array_equal(left, right)
        assert (again[1] != corrupt(token_ids, 6)[1]).any()
        assert (corrupt(token_ids, None)[1] != corrupt(token_ids, None)[1]).any()

    def test_at_least_one_word_and_none_of_an_empty_row(self, seed: Any) -> None:
        token_ids = np.array([[CLS, 9, SEP, PAD, PAD], [CLS, SEP, PAD, PAD, PAD]])
        _, selected = corrupt(token_ids, seed)
        np.testing.assert_array_equal(selected, [[False, True, False, False, False], [False] * 5])

    def test_so_long_and_thanks_for_all_the_fish(self) -> None:
        """The textbook's corruption is one of those that occur, as often as 80/10/10 says."""
        words = ["[MASK]", "apricot", *FISH]
        text = np.array([[words.index(word) for word in FISH]])
        figure = ["so", "[MASK]", "and", "[MASK]", "for", "all", "apricot", "fish"]
        only_apricot = np.eye(len(words))[words.index("apricot")]
        rows = 40_000
        copies = np.repeat(text, rows, axis=0)
        masked_ids, selected = mask_tokens(copies, only_apricot, 0, [0], rate=3 / 8, seed=11)
        assert (ops.convert_to_numpy(selected).sum(axis=1) == 3).all()
        as_in_figure = ops.convert_to_numpy(masked_ids) == [words.index(word) for word in figure]
        # Three of eight places are these in 1 of 56 cases; then two of them are masked and one is replaced.
        probability = 0.8 * 0.8 * 0.1 / 56
        assert stats.binomtest(int(as_in_figure.all(axis=1).sum()), rows, probability).pvalue > FALSE_ALARM

    def test_compiled_calls_differ(self) -> None:
        class Masking(keras.Model):
            def __init__(self) -> None:
                super().__init__()
                self.seed = random.SeedGenerator(3)

            def call(self, token_ids: Any) -> Any:
                masked_ids, selected = mask_tokens(token_ids, zipf(), MASK, SPECIAL_IDS, seed=self.seed)
                return masked_ids, selected, *masked_positions(selected)

        model = Masking()
        model.compile(jit_compile=keras.backend.backend() != "torch")
        token_ids = texts(seed=8, rows=36)
        first, second = (model.predict(token_ids, batch_size=12, verbose=0) for _ in range(2))
        assert (first[1] != second[1]).any()
        assert (first[1][:12] != first[1][12:24]).any()
        words = is_word(token_ids).sum(axis=1)
        for masked_ids, selected, positions, weights in (first, second):
            np.testing.assert_array_equal(masked_ids[~selected], token_ids[~selected])
            assert np.abs(selected.sum(axis=1) - np.maximum(0.15 * words, 1)).max() <= 0.5 + 1e-6
            assert positions.shape == weights.shape == (36, round(0.15 * LENGTH))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                {"token_ids": np.array([5, 6, 7])},
                r"must be \(batch, length\). Received: token_ids.shape=\(3,\)",
            ),
            ({"unigram_probabilities": np.ones((2, 9))}, r"Received: unigram_probabilities.shape=\(2, 9\)"),
            ({"rate": 15}, "at most 1; BERT's is 0.15. Received: rate=15"),
            ({"rate": 0.0}, "above 0"),
        ],
    )
    def test_errors(self, change: dict[str, Any], message: str) -> None:
        arguments = {
            "token_ids": texts(seed=9, rows=3),
            "unigram_probabilities": zipf(),
            "mask_id": MASK,
            "special_ids": SPECIAL_IDS,
        }
        with pytest.raises(ValueError, match=message):
            mask_tokens(**{**arguments, **change})


class TestMaskedPositions:
    def test_finds_the_selected_words(self) -> None:
        selected = np.zeros((3, 20), dtype=bool)
        selected[0, [19, 2, 11]] = True
        selected[1, [4]] = True
        positions, weights = masked_positions(selected)
        np.testing.assert_array_equal(ops.convert_to_numpy(positions), [[2, 11, 19], [4, 0, 1], [0, 1, 2]])
        np.testing.assert_array_equal(ops.convert_to_numpy(weights), [[1, 1, 1], [1, 0, 0], [0, 0, 0]])

    @pytest.mark.parametrize("length", [3, 190, 512])
    def test_loses_none_of_what_mask_tokens_selects(self, length: int) -> None:
        _, selected = corrupt(np.full((2, length), 7), seed=1)
        positions, weights = (ops.convert_to_numpy(output) for output in masked_positions(selected))
        assert weights.all()
        for row, where in zip(selected, positions, strict=True):
            np.testing.assert_array_equal(where, np.flatnonzero(row))


def test_gather_masked_takes_the_vectors_at_the_positions() -> None:
    sequence_output = np.random.default_rng(0).normal(size=(3, 7, 5)).astype("float32")
    positions = np.array([[6, 0], [3, 3], [1, 5]])
    gathered = ops.convert_to_numpy(gather_masked(sequence_output, positions))
    for row in range(3):
        np.testing.assert_array_equal(gathered[row], sequence_output[row, positions[row]])


class TestMaskedLMHead:
    @pytest.fixture(scope="class")
    def published(self) -> Any:
        """Hugging Face's model with random weights of a size at which every part matters."""
        import torch
        from transformers import BertConfig, BertForPreTraining

        config = BertConfig(
            vocab_size=VOCABULARY_SIZE,
            hidden_size=12,
            num_hidden_layers=1,
            num_attention_heads=3,
            intermediate_size=17,
            max_position_embeddings=LENGTH,
        )
        torch.manual_seed(0)
        model = BertForPreTraining(config).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(0.3 * torch.randn_like(parameter))
        return model

    @staticmethod
    def head_of(published: Any) -> tuple[MaskedLMHead, np.ndarray]:
        state = {name: array.detach().numpy().copy() for name, array in published.state_dict().items()}
        head = MaskedLMHead(VOCABULARY_SIZE, 12)
        head.build((None, None, 12), (VOCABULARY_SIZE, 12))
        transform = "cls.predictions.transform."
        head.dense.set_weights([state[transform + "dense.weight"].T, state[transform + "dense.bias"]])
        head.norm.set_weights([state[transform + "LayerNorm.weight"], state[transform + "LayerNorm.bias"]])
        head.output_bias.assign(state["cls.predictions.bias"])
        return head, state["bert.embeddings.word_embeddings.weight"]

    def test_agrees_with_hugging_face_in_logits_and_loss(self, published: Any) -> None:
        import torch

        token_ids = texts(seed=10, rows=4)
        masked_ids, selected = corrupt(token_ids, seed=1)
        not_next = torch.tensor([1, 0, 0, 1])
        with torch.no_grad():
            output = published(
                torch.tensor(masked_ids),
                attention_mask=torch.tensor(token_ids != PAD),
                labels=torch.tensor(np.where(selected, token_ids, -100)),  # -100 is what it ignores
                next_sentence_label=not_next,
                output_hidden_states=True,
            )
            pairs_loss = torch.nn.functional.cross_entropy(output.seq_relationship_logits, not_next)
        head, embeddings = self.head_of(published)
        sequence_output = output.hidden_states[-1].numpy()

        everywhere = ops.convert_to_numpy(head(sequence_output, embeddings))
        np.testing.assert_allclose(everywhere, output.prediction_logits.numpy(), atol=1e-5, rtol=1e-5)

        positions, weights = masked_positions(selected)
        logits = head(sequence_output, embeddings, positions)
        labels = np.take_along_axis(token_ids, ops.convert_to_numpy(positions), axis=1)
        loss = ops.convert_to_numpy(masked_lm_loss(labels, logits, weights))
        assert float(loss) == pytest.approx(float(output.loss - pairs_loss), abs=1e-5)

    def test_gathering_first_changes_nothing_but_the_work(self) -> None:
        generator = np.random.default_rng(1)
        sequence_output = generator.normal(size=(3, 11, 6)).astype("float32")
        embeddings = generator.normal(size=(13, 6)).astype("float32")
        positions = np.array([[1, 9], [0, 4], [10, 2]])
        head = MaskedLMHead(13, 6)
        everywhere = ops.convert_to_numpy(head(sequence_output, embeddings))
        gathered = ops.convert_to_numpy(head(sequence_output, embeddings, positions))
        assert gathered.shape == (3, 2, 13)
        np.testing.assert_allclose(gathered, np.take_along_axis(everywhere, positions[..., None], 1), atol=1e-6)

    def test_trains_the_embeddings_that_it_is_given(self) -> None:
        """With u = h Eᵀ + b, the sum of all scores of one word has the sum of all h as its gradient."""
        generator = np.random.default_rng(6)
        sequence_output = generator.normal(size=(3, 11, 6)).astype("float32")
        embeddings = generator.normal(size=(13, 6)).astype("float32")
        head = MaskedLMHead(13, 6)
        scores_of_word = gradient(lambda e: ops.sum(head(sequence_output, e)[..., 4]), embeddings)
        hidden = ops.convert_to_numpy(head(sequence_output, np.vstack([np.eye(6), np.zeros((7, 6))])))[..., :6]
        np.testing.assert_allclose(scores_of_word[4], hidden.sum(axis=(0, 1)), atol=1e-4)
        assert not np.delete(scores_of_word, 4, axis=0).any()

    def test_survives_its_config(self) -> None:
        head = MaskedLMHead(13, 6, epsilon=1e-7, name="words")
        again = MaskedLMHead.from_config(head.get_config())
        assert (again.vocabulary_size, again.hidden_dim, again.epsilon, again.name) == (13, 6, 1e-7, "words")

    @pytest.mark.parametrize("policy", ["mixed_float16", "mixed_bfloat16"])
    def test_half_precision_stays_close(self, policy: str) -> None:
        generator = np.random.default_rng(2)
        sequence_output = generator.normal(size=(2, 7, 6)).astype("float32")
        embeddings = generator.normal(size=(13, 6)).astype("float32")
        exact, half = MaskedLMHead(13, 6), MaskedLMHead(13, 6, dtype=policy)
        wanted = ops.convert_to_numpy(exact(sequence_output, embeddings))
        half(sequence_output, embeddings)
        half.set_weights(exact.get_weights())
        logits = half(sequence_output, embeddings)
        assert keras.backend.standardize_dtype(logits.dtype) == policy.removeprefix("mixed_")
        np.testing.assert_allclose(ops.convert_to_numpy(ops.cast(logits, "float32")), wanted, atol=0.1)

    @pytest.mark.parametrize(
        ("sequence_shape", "embeddings_shape", "message"),
        [
            ((2, 6), (13, 6), r"\(batch, length, 6\)"),
            ((2, 7, 5), (13, 6), r"Received: sequence_output.shape=\(2, 7, 5\)"),
            (
                (2, 7, 6),
                (6, 13),
                r"must be \(13, 6\), a row for each word. Received: embeddings.shape=\(6, 13\)",
            ),
        ],
    )
    def test_errors(self, sequence_shape: tuple, embeddings_shape: tuple, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            MaskedLMHead(13, 6)(np.zeros(sequence_shape, "float32"), np.zeros(embeddings_shape, "float32"))


class TestMaskedLMLoss:
    def test_is_the_mean_over_the_three_words_of_the_textbook(self) -> None:
        """so [long] and [thanks] for all [the] fish: -(log P(long) + log P(thanks) + log P(the)) / 3."""
        probabilities = np.full((1, 8, 8), 0.02)
        for position, share in ((1, 0.5), (3, 0.25), (6, 0.125)):
            probabilities[0, position] = (1 - share) / 7
            probabilities[0, position, position] = share
        weights = np.array([[0.0, 1, 0, 1, 0, 0, 1, 0]])
        loss = masked_lm_loss(np.arange(len(FISH))[None], np.log(probabilities), weights)
        assert float(loss) == pytest.approx(np.log(2) * (1 + 2 + 3) / 3, abs=1e-6)

    def test_counts_words_alike_whatever_their_row(self) -> None:
        generator = np.random.default_rng(3)
        logits = generator.normal(size=(2, 5, 7))
        labels = generator.integers(0, 7, size=(2, 5))
        weights = np.array([[1.0, 1, 1, 1, 0], [0, 0, 0, 0, 1]])
        probabilities = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        each = -np.log(np.take_along_axis(probabilities, labels[..., None], axis=-1)[..., 0])
        wanted = (each[0, :4].sum() + each[1, 4]) / 5
        assert float(masked_lm_loss(labels, logits, weights)) == pytest.approx(wanted, abs=1e-6)

    def test_ignores_what_is_not_masked(self) -> None:
        generator = np.random.default_rng(4)
        logits = generator.normal(size=(3, 5, 7))
        labels = generator.integers(0, 7, size=(3, 5))
        weights = generator.random((3, 5)) < 0.5
        elsewhere = np.where(weights[..., None], logits, 1000.0 * generator.normal(size=logits.shape))
        other_labels = np.where(weights, labels, (labels + 3) % 7)
        assert float(masked_lm_loss(other_labels, elsewhere, weights)) == pytest.approx(
            float(masked_lm_loss(labels, logits, weights)), abs=1e-6
        )

    def test_its_gradient_is_what_was_said_less_what_was_there(self) -> None:
        generator = np.random.default_rng(5)
        logits = generator.normal(size=(3, 5, 7))
        labels = generator.integers(0, 7, size=(3, 5))
        weights = np.arange(15).reshape(3, 5) % 4 == 1
        probabilities = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
        wanted = weights[..., None] * (probabilities - np.eye(7)[labels]) / weights.sum()
        given = gradient(lambda logits: masked_lm_loss(labels, logits, weights), logits)
        np.testing.assert_allclose(given, wanted, atol=1e-6)

    def test_is_zero_where_nothing_is_masked(self) -> None:
        labels, logits, weights = np.array([[1, 2]]), np.ones((1, 2, 3)), np.zeros((1, 2))
        assert float(masked_lm_loss(labels, logits, weights)) == 0.0
        assert not gradient(lambda logits: masked_lm_loss(labels, logits, weights), logits).any()

    def test_is_computed_in_float32(self) -> None:
        """A vocabulary of equal scores: log 30,522, which neither float16 nor bfloat16 can hold."""
        for dtype in ("float16", "bfloat16"):
            logits = ops.zeros((1, 2, 30_522), dtype=dtype)
            loss = masked_lm_loss(np.array([[0, 5]]), logits, np.ones((1, 2)))
            assert keras.backend.standardize_dtype(loss.dtype) == "float32"
            assert float(loss) == pytest.approx(np.log(30_522), abs=1e-5)

    @pytest.mark.parametrize(
        ("labels", "weights", "message"),
        [
            ((2, 3), (2,), "weights must be"),
            ((2,), (2, 3), "labels must be"),
            (
                (2, 1),
                (2, 3),
                r"labels must have one number .* labels.shape=\(2, 1\), logits.shape=\(2, 3, 5\)",
            ),
            ((2, 3), (1, 3), r"weights must have one number .* Received: weights.shape=\(1, 3\)"),
        ],
    )
    def test_errors(self, labels: tuple, weights: tuple, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            masked_lm_loss(np.zeros(labels, int), np.zeros((2, 3, 5)), np.ones(weights))
