"""Pairs are judged by rules and by statistics, head and loss by Hugging Face and by hand."""

from __future__ import annotations

import keras
import numpy as np
import pytest
from keras import ops
from scipy import stats

from course.next_sentence import (
    IS_NEXT,
    NOT_NEXT,
    NextSentenceHead,
    next_sentence_loss,
    sentence_pairs,
)

FALSE_ALARM = 1e-6

STORE = ["the man went to the store", "he bought a gallon of milk"]
PENGUINS = ["penguins are flightless birds"]


@pytest.fixture
def documents() -> list[list[str]]:
    """Documents of one to nine sentences. A sentence names its document and its place: "3.0", "3.1", ..."""
    lengths = np.random.default_rng(0).integers(1, 10, size=90)
    return [[f"{number}.{place}" for place in range(length)] for number, length in enumerate(lengths)]


class TestSentencePairs:
    def test_the_man_the_milk_and_the_penguins(self) -> None:
        """The two pairs of BERT's paper: one of them or the other, and nothing else."""
        real = (*STORE, 0)  # the published weights have the labels this way round
        random = (STORE[0], PENGUINS[0], 1)
        seen = {pair for seed in range(30) for pair in sentence_pairs([STORE, PENGUINS], seed)}
        assert seen == {real, random}

    def test_every_sentence_with_a_next_one_is_first_once(self, documents: list[list[str]]) -> None:
        firsts = [first for first, _, _ in sentence_pairs(documents, seed=1)]
        assert firsts == [sentence for document in documents for sentence in document[:-1]]

    @pytest.mark.parametrize("seed", range(5))
    def test_labels_are_correct(self, documents: list[list[str]], seed: int) -> None:
        for first, second, label in sentence_pairs(documents, seed):
            (document, place), (other, place_there) = (map(int, text.split(".")) for text in (first, second))
            if label == IS_NEXT:
                assert (other, place_there) == (document, place + 1)
            else:
                assert label == NOT_NEXT
                assert other != document

    @pytest.mark.parametrize("seed", range(5))
    def test_half_are_real(self, documents: list[list[str]], seed: int) -> None:
        generator = np.random.default_rng(seed)
        labels = [label for _ in range(50) for _, _, label in sentence_pairs(documents, generator)]
        assert stats.binomtest(labels.count(IS_NEXT), len(labels)).pvalue > FALSE_ALARM

    @pytest.mark.parametrize("seed", range(5))
    def test_other_documents_are_equally_likely_and_so_are_their_sentences(self, seed: int) -> None:
        documents = [["a0", "a1"], ["b0"], ["c0", "c1", "c2"], ["d0", "d1"]]
        generator = np.random.default_rng(seed)
        pairs = [pair for _ in range(3000) for pair in sentence_pairs(documents, generator)]
        from_c = [second for first, second, label in pairs if first.startswith("c") and label == NOT_NEXT]
        observed = [from_c.count(sentence) for sentence in ("a0", "a1", "b0", "d0", "d1")]
        assert sum(observed) == len(from_c)
        expected = np.array([1 / 6, 1 / 6, 1 / 3, 1 / 6, 1 / 6]) * len(from_c)
        assert stats.chisquare(observed, expected).pvalue > FALSE_ALARM

    def test_a_drawn_copy_of_the_next_sentence_is_labelled_as_next(self) -> None:
        # New strings for each document, as from a file: equal, but not the same objects.
        twins = [[" ".join(["a", "dog", "barks"]), " ".join(["it", "is", "late"])] for _ in range(2)]
        pairs = [pair for seed in range(50) for pair in sentence_pairs(twins, seed)]
        assert {pair[1:] for pair in pairs} == {("it is late", IS_NEXT), ("a dog barks", NOT_NEXT)}

    def test_blank_sentences_and_documents_are_ignored(self) -> None:
        clean = [STORE, PENGUINS]
        blanks = [[], [STORE[0], "", " \n", STORE[1]], ["", "\t"], PENGUINS, []]
        for seed in range(20):
            assert sentence_pairs(blanks, seed) == sentence_pairs(clean, seed)

    def test_generators_give_new_pairs_and_integers_repeat(self, documents: list[list[str]]) -> None:
        generator = np.random.default_rng(3)
        first, second = sentence_pairs(documents, generator), sentence_pairs(documents, generator)
        assert first != second
        assert first == sentence_pairs(documents, 3)
        assert sentence_pairs(documents, 4) != first

    @pytest.mark.parametrize("documents", [[], [STORE], [STORE, [], ["  "]]])
    def test_refuses_fewer_than_two_documents_with_a_sentence(self, documents: list[list[str]]) -> None:
        with pytest.raises(ValueError, match=f"Received: {len(documents)} documents, {len(documents[:1])} of"):
            sentence_pairs(documents)


class TestNextSentenceHead:
    def test_agrees_with_hugging_face_in_logits_and_loss(self) -> None:
        import torch
        from transformers import BertConfig, BertForNextSentencePrediction

        config = BertConfig(
            vocab_size=31,
            hidden_size=12,
            num_hidden_layers=1,
            num_attention_heads=3,
            intermediate_size=17,
            max_position_embeddings=9,
        )
        torch.manual_seed(0)
        published = BertForNextSentencePrediction(config).eval()
        torch.nn.init.normal_(published.cls.seq_relationship.weight)
        torch.nn.init.normal_(published.cls.seq_relationship.bias)
        token_ids = torch.randint(0, 31, (5, 7))
        labels = np.array([IS_NEXT, NOT_NEXT, NOT_NEXT, NOT_NEXT, IS_NEXT])
        with torch.no_grad():
            expected = published(token_ids, labels=torch.tensor(labels))
            pooled_output = published.bert(token_ids).pooler_output.numpy()

        head = NextSentenceHead()
        head.build((None, 12))
        relationship = published.cls.seq_relationship
        head.dense.set_weights([relationship.weight.detach().numpy().T, relationship.bias.detach().numpy()])
        logits = head(pooled_output)
        np.testing.assert_allclose(ops.convert_to_numpy(logits), expected.logits.numpy(), atol=1e-5, rtol=1e-5)
        assert float(next_sentence_loss(labels, logits)) == pytest.approx(float(expected.loss), abs=1e-5)

    def test_two_columns_of_the_width_of_its_input(self) -> None:
        head = NextSentenceHead()
        assert head(np.ones((3, 6), "float32")).shape == (3, 2)
        assert [tuple(weight.shape) for weight in head.weights] == [(6, 2), (2,)]
        assert NextSentenceHead.from_config(head.get_config()).name == head.name

    def test_refuses_a_whole_sequence(self) -> None:
        with pytest.raises(ValueError, match=r"not the whole sequence. Received: .*shape=\(3, 4, 6\)"):
            NextSentenceHead()(np.ones((3, 4, 6), "float32"))


class TestNextSentenceLoss:
    def test_labels_may_be_floats_as_keras_makes_them(self):
        logits = np.array([[0.5, -1.0], [2.0, 0.25], [0.0, 1.0]], "float32")
        loss = next_sentence_loss(np.array([1.0, 0.0, 0.0], "float32"), logits)
        assert float(loss) == float(next_sentence_loss(np.array([1, 0, 0]), logits))

    def test_is_the_mean_of_the_surprise(self) -> None:
        logits = np.log([[0.5, 0.5], [0.75, 0.25], [0.9, 0.1]])
        loss = next_sentence_loss(np.array([1, 1, 0]), logits)
        assert float(loss) == pytest.approx(-np.log(0.5 * 0.25 * 0.9) / 3, abs=1e-6)

    @pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
    def test_is_computed_in_float32(self, dtype: str) -> None:
        loss = next_sentence_loss(np.array([0, 1, 1]), ops.zeros((3, 2), dtype=dtype))
        assert keras.backend.standardize_dtype(loss.dtype) == "float32"
        assert float(loss) == pytest.approx(np.log(2), abs=1e-6)

    @pytest.mark.parametrize(
        ("labels", "logits", "message"),
        [
            ((3, 1), (3, 2), r"labels must be \(batch\). Received: labels.shape=\(3, 1\)"),
            ((3,), (3,), r"Received: logits.shape=\(3,\)"),
            ((3,), (3, 4, 2), r"Received: logits.shape=\(3, 4, 2\)"),
        ],
    )
    def test_refuses_wrong_shapes(self, labels: tuple, logits: tuple, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            next_sentence_loss(np.zeros(labels, int), np.zeros(logits))
