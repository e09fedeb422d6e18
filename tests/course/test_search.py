"""Greedy and beam search agree with an exhaustive search, and with Hugging Face's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from keras import ops

from course.applications.translation.tables import Table
from course.decoder import beam_search, greedy

START, END, WORDS, LONGEST = 1, 2, 5, 4


@pytest.fixture(params=range(6))
def table(request):
    """The next word depends on all words before it."""
    logits = 2 * np.random.default_rng(request.param).normal(size=(97, WORDS))
    return Table(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)))


def total(table, ids):
    """The sum of log P of a text's words."""
    texts = [np.array([[START, *ids[:place]]]) for place in range(len(ids))]
    return sum(table(text)[0][word] for text, word in zip(texts, ids, strict=True))


def all_texts():
    """Every text that ends, or has the maximal length."""
    others = [word for word in range(WORDS) if word != END]
    for length in range(LONGEST):
        yield from ([*words, END] for words in itertools.product(others, repeat=length))
    yield from map(list, itertools.product(others, repeat=LONGEST))


class TestGreedy:
    def test_takes_the_likeliest_word_at_each_place_of_each_row(self, table):
        starts = np.array([START, 4, 0])
        written = greedy(table, starts, END, LONGEST)
        assert written.dtype == "int32"
        longest = 0
        for row, start in zip(written, starts, strict=True):
            text = [start]
            while len(text) <= LONGEST and text[-1] != END:
                text.append(int(table(np.array([text])).argmax()))
            expected = text[1:]
            assert row.tolist() == expected + [0] * (written.shape[1] - len(expected))
            longest = max(longest, len(expected))
        assert written.shape[1] == longest

    def test_ended_rows_get_padding_until_all_have_ended(self):
        table = Table.of_next({START: {END: 1.0}, 4: {3: 1.0}, 3: {0: 1.0}, 0: {END: 1.0}}, WORDS)
        assert greedy(table, np.array([START, 4]), END, 9, padding_id=4).tolist() == [[END, 4, 4], [3, 0, END]]

    def test_takes_tensors(self, table):
        def tensors(prefixes):
            return ops.convert_to_tensor(table(prefixes))

        expected = greedy(table, np.array([START]), END, LONGEST)
        np.testing.assert_array_equal(greedy(tensors, ops.convert_to_tensor([START]), END, LONGEST), expected)


class TestBeamSearch:
    def test_one_beam_is_greedy(self, table):
        ids, score = beam_search(table, START, END, beams=1, max_length=LONGEST)
        assert ids == greedy(table, np.array([START]), END, LONGEST)[0].tolist()
        assert score == pytest.approx(total(table, ids))

    @pytest.mark.parametrize("penalty", [0.0, 0.7, 2.0])
    def test_as_many_beams_as_texts_are_an_exhaustive_search(self, table, penalty):
        ids, score = beam_search(table, START, END, beams=WORDS**LONGEST, max_length=LONGEST, length_penalty=penalty)
        scores = {tuple(text): total(table, text) / len(text) ** penalty for text in all_texts()}
        best = max(scores, key=scores.get)
        assert (tuple(ids), pytest.approx(scores[best])) == (best, score)

    def test_more_beams_find_what_greedy_misses(self):
        """The likeliest first word leads nowhere in particular."""
        table = Table.of_next({START: {3: 0.6, 4: 0.4}, 3: {0: 0.5, END: 0.5}, 4: {END: 1.0}, 0: {END: 1.0}}, WORDS)
        assert beam_search(table, START, END, 1, LONGEST)[0][0] == 3
        assert beam_search(table, START, END, 2, LONGEST)[0] == [4, END]

    def test_a_length_penalty_lets_long_texts_win(self):
        table = Table.of_next({START: {3: 0.5, END: 0.5}, 3: {4: 0.9, END: 0.1}, 4: {END: 1.0}}, WORDS)
        assert beam_search(table, START, END, 3, LONGEST)[0] == [END]
        ids, score = beam_search(table, START, END, 3, LONGEST, length_penalty=1.0)
        assert (ids, score) == ([3, 4, END], pytest.approx(np.log(0.45) / 3))

    def test_a_finished_hypothesis_gives_its_place_to_the_next_best(self):
        """Of the two best, one has ended. The third, which goes on in its place, leads to the best text."""
        thin = {3: 0.34, 0: 0.33, START: 0.33}
        table = Table.of_next({START: {3: 0.5, END: 0.3, 4: 0.2}, 3: thin, 4: {END: 1.0}}, WORDS)
        assert beam_search(table, START, END, 2, 5, length_penalty=1.0)[0] == [4, END]

    def test_unfinished_texts_compete(self):
        endless = Table.of_next({START: {3: 0.99, END: 0.01}, 3: {3: 1.0}}, WORDS)
        assert beam_search(endless, START, END, 2, LONGEST)[0] == [3, 3, 3, 3]

    @pytest.mark.parametrize("beams", [1, 2, 3, 5])
    def test_agrees_with_hugging_face(self, beams):
        import torch
        from transformers import GPT2Config, GPT2LMHeadModel

        longest, words = 7, 11
        torch.manual_seed(beams)
        model = GPT2LMHeadModel(GPT2Config(vocab_size=words, n_positions=16, n_embd=12, n_layer=2, n_head=3)).eval()
        for weight in model.parameters():
            weight.data.normal_(std=0.6)
        model.generation_config.pad_token_id = 0

        def step(prefixes):
            with torch.no_grad():
                return model(torch.tensor(prefixes).long()).logits[:, -1].log_softmax(-1).numpy()

        theirs = model.generate(
            torch.tensor([[START]]),
            attention_mask=torch.ones(1, 1),
            num_beams=beams,
            do_sample=False,
            max_new_tokens=longest,
            eos_token_id=END,
            length_penalty=0.0,
            return_dict_in_generate=True,
            output_scores=True,
        )
        ids, score = beam_search(step, START, END, beams, longest)
        assert ids == [word for word in theirs.sequences[0, 1:].tolist() if word or END not in ids]
        if beams > 1:
            assert score == pytest.approx(float(theirs.sequences_scores[0]), abs=1e-5)
