"""Weights from and to Hugging Face: every layer's output must be the publisher's."""

from __future__ import annotations

import json
import resource

import numpy as np
import pytest
import safetensors.numpy
import torch
import transformers

from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.errors import CourseError
from course.masked_lm import MaskedLMHead
from course.next_sentence import NextSentenceHead
from course.storage.atomic import atomic_folder
from course.weights import (
    WeightsError,
    assign,
    load_hugging_face,
    load_masked_lm,
    parameters,
    read_hugging_face,
    save_hugging_face,
)
from tests.closeness import assert_close
from tests.course.weights.published_bert import (
    BATCH,
    HEADS,
    HIDDEN_DIM,
    INTERMEDIATE_DIM,
    LAYERS,
    LENGTH,
    MAX_LENGTH,
    PIECES,
    SEGMENTS,
    VOCABULARY,
    array,
    assert_agrees,
    config,
    publish,
    randomize_module,
    some_inputs,
    their_outputs,
)


@pytest.fixture
def inputs(random):
    return some_inputs(random)


@pytest.fixture
def published(tmp_path, random):
    return publish(tmp_path / "published", random)


def rewrite(folder, change):
    """Replaces the arrays in a folder with what `change` returns for them."""
    file = folder / "model.safetensors"
    safetensors.numpy.save_file(change(safetensors.numpy.load_file(file)), file, metadata={"format": "pt"})


def reconfigure(folder, **changes):
    file = folder / "config.json"
    fields = {**json.loads(file.read_text()), **changes}
    file.write_text(json.dumps({name: value for name, value in fields.items() if value != "left out"}))


class TestFromHuggingFace:
    def test_agrees_in_every_layer(self, published, inputs):
        model, folder = published
        assert_agrees(load_hugging_face(folder), inputs, *their_outputs(model.bert, inputs))

    @pytest.mark.parametrize("activation", ["gelu_new", "gelu_pytorch_tanh"])
    def test_agrees_where_gelu_is_approximate(self, tmp_path, random, inputs, activation):
        with torch.device("cpu"):
            model = randomize_module(transformers.BertModel(config(hidden_act=activation)), random)
        model.save_pretrained(tmp_path)
        Vocabulary(PIECES).save(tmp_path / "vocab.txt")
        encoder = load_hugging_face(tmp_path)
        assert encoder.approximate_gelu
        assert_agrees(encoder, inputs, *their_outputs(model, inputs))

    def test_old_names_and_float16_are_read(self, published):
        _, folder = published
        wanted = parameters(load_hugging_face(folder))

        def older(arrays):
            names = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
            for new, old in names.items():
                arrays = {name.replace(new, old): array.astype("float16") for name, array in arrays.items()}
            return arrays

        rewrite(folder, older)
        given = parameters(load_hugging_face(folder))
        for path, value in wanted.items():
            np.testing.assert_array_equal(given[path], value.astype("float16").astype("float32"))

    def test_names_without_prefix_are_read(self, published):
        _, folder = published
        wanted = parameters(load_hugging_face(folder))
        rewrite(folder, lambda arrays: {name.removeprefix("bert."): array for name, array in arrays.items()})
        given = parameters(load_hugging_face(folder))
        for path, value in wanted.items():
            np.testing.assert_array_equal(given[path], value)

    def test_ones_own_encoder_is_loaded(self, published, inputs):
        class OwnEncoder(BertEncoder):
            pass

        model, folder = published
        encoder = load_hugging_face(folder, OwnEncoder)
        assert isinstance(encoder, OwnEncoder)
        assert_agrees(encoder, inputs, *their_outputs(model.bert, inputs))

    def test_heads_agree_with_their_outputs(self, published, random):
        model, folder = published
        checkpoint = read_hugging_face(folder)
        sequence = random.normal(size=(BATCH, LENGTH, HIDDEN_DIM)).astype("float32")
        pooled = random.normal(size=(BATCH, HIDDEN_DIM)).astype("float32")
        with torch.no_grad():
            outputs = model.cls(torch.tensor(sequence, device="cpu"), torch.tensor(pooled, device="cpu"))
            words, follows = (output.numpy() for output in outputs)

        embeddings = checkpoint.encoder["embedding.token_embedding.embeddings"]
        head = MaskedLMHead(VOCABULARY, HIDDEN_DIM)
        head.build(sequence.shape, embeddings.shape)
        assign(head, checkpoint.masked_lm_head)
        assert_close(array(head(sequence, embeddings)), words)

        head = NextSentenceHead()
        head.build(pooled.shape)
        assign(head, checkpoint.next_sentence_head)
        assert_close(array(head(pooled)), follows)

    def test_unused_weights_are_listed(self, published):
        _, folder = published
        assert read_hugging_face(folder).unused == []
        more = {"bert.embeddings.position_ids": np.arange(9)[None], "classifier.weight": np.zeros((2, 12), "float32")}
        rewrite(folder, lambda arrays: {**arrays, **more})
        assert read_hugging_face(folder).unused == sorted(more)

    def test_a_folder_without_heads_has_none(self, published):
        model, folder = published
        model.bert.save_pretrained(folder)
        checkpoint = read_hugging_face(folder)
        assert (checkpoint.masked_lm_head, checkpoint.next_sentence_head, checkpoint.unused) == ({}, {}, [])

    def test_a_missing_pooler_gives_a_warning(self, published):
        _, folder = published
        rewrite(folder, lambda arrays: {name: array for name, array in arrays.items() if "pooler" not in name})
        with pytest.warns(UserWarning, match="no pooler"):
            encoder = load_hugging_face(folder)
        np.testing.assert_array_equal(array(encoder.pooler.bias), np.zeros(HIDDEN_DIM))

    def test_a_missing_pooler_gets_the_same_weights_each_time(self, published):
        """A training resumes only with the encoder that it began with."""
        _, folder = published
        rewrite(folder, lambda arrays: {name: array for name, array in arrays.items() if "pooler" not in name})
        with pytest.warns(UserWarning, match="no pooler"):
            one, other = (array(load_hugging_face(folder).pooler.kernel) for _ in range(2))
        np.testing.assert_array_equal(one, other)
        assert 0.01 < one.std() < 0.03

    def test_vocabulary_is_read_from_a_tokenizer_file(self, published):
        _, folder = published
        transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
        assert list(read_hugging_face(folder).vocabulary) == PIECES
        (folder / "vocab.txt").unlink()
        assert (folder / "tokenizer.json").is_file()
        assert list(read_hugging_face(folder).vocabulary) == PIECES


class TestConfiguration:
    """Fields that published config.json files have, or leave out."""

    def test_every_field_is_used(self, published):
        _, folder = published
        reconfigure(
            folder, hidden_dropout_prob=0.2, attention_probs_dropout_prob=0.3, layer_norm_eps=1e-5, pad_token_id=4
        )
        encoder = load_hugging_face(folder)
        assert (encoder.vocabulary_size, encoder.num_layers, encoder.num_heads) == (VOCABULARY, LAYERS, HEADS)
        assert (encoder.hidden_dim, encoder.intermediate_dim) == (HIDDEN_DIM, INTERMEDIATE_DIM)
        assert (encoder.max_length, encoder.num_segments) == (MAX_LENGTH, SEGMENTS)
        assert (encoder.dropout, encoder.attention_dropout) == (0.2, 0.3)
        assert (encoder.epsilon, encoder.padding_id) == (1e-5, 4)
        assert encoder.blocks[0].attention.dropout == 0.3
        assert not encoder.approximate_gelu

    def test_missing_fields_get_berts_defaults(self, published):
        _, folder = published
        rewrite(
            folder,
            lambda arrays: {name: array[:2] if "token_type" in name else array for name, array in arrays.items()},
        )
        optional = ["model_type", "hidden_act", "hidden_dropout_prob", "attention_probs_dropout_prob"]
        optional += ["layer_norm_eps", "type_vocab_size", "is_decoder", "add_cross_attention"]
        reconfigure(folder, **dict.fromkeys(optional, "left out"), pad_token_id=None)
        encoder = load_hugging_face(folder)
        assert (encoder.num_segments, encoder.dropout, encoder.attention_dropout) == (2, 0.1, 0.1)
        assert (encoder.epsilon, encoder.padding_id, encoder.approximate_gelu) == (1e-12, 0, False)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"model_type": "roberta"}, "another architecture.*model_type = 'roberta'.*'bert'"),
            ({"is_decoder": True}, "another architecture.*is_decoder = True"),
            ({"position_embedding_type": "relative_key"}, "another architecture.*'relative_key'.*'absolute'"),
            ({"hidden_act": "relu"}, "hidden_act = 'relu'.*gelu_pytorch_tanh"),
            ({"hidden_size": "left out"}, "sizes of a BERT.*hidden_size"),
            ({"num_hidden_layers": "five"}, "sizes of a BERT.*num_hidden_layers"),
            ({"num_attention_heads": 5}, "hidden_dim=12, num_heads=5"),
            ({"num_hidden_layers": 6}, "16 of the weights of a BERT of 6 layers.*encoder.layer.5"),
            ({"intermediate_size": 24}, r"intermediate_dense.kernel.*\(12, 20\).*Wanted: \(12, 24\)"),
            ({"vocab_size": 30}, "more pieces.*Given: 31. Wanted: at most 30"),
            ({"vocab_size": 40}, r"token_embedding.embeddings.*\(31, 12\).*Wanted: \(40, 12\)"),
        ],
    )
    def test_a_field_that_does_not_fit_is_named(self, published, changes, message):
        _, folder = published
        reconfigure(folder, **changes)
        with pytest.raises(ValueError, match=message):
            load_hugging_face(folder)


class TestDamagedFolders:
    @pytest.mark.parametrize("name", ["config.json", "vocab.txt", "model.safetensors"])
    def test_a_missing_file_is_named(self, published, name):
        _, folder = published
        (folder / name).unlink()
        with pytest.raises(FileNotFoundError, match=f"has no {name}.*config.json, vocab.txt and model.safetensors"):
            load_hugging_face(folder)

    def test_a_missing_folder_is_named(self, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"There is no folder .*nowhere"):
            load_hugging_face(tmp_path / "nowhere")

    def test_a_pickle_is_not_read(self, published):
        _, folder = published
        (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
        with pytest.raises(FileNotFoundError, match="pickle, which can run code"):
            load_hugging_face(folder)

    @pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.999])
    def test_truncated_weights_are_refused(self, published, share):
        _, folder = published
        file = folder / "model.safetensors"
        content = file.read_bytes()
        file.write_bytes(content[: int(share * len(content))])
        with pytest.raises(
            WeightsError, match=f"model.safetensors cannot be read.*{int(share * len(content)):,} bytes"
        ):
            load_hugging_face(folder)

    @pytest.mark.parametrize(("content", "message"), [("{", "is not JSON"), ("[1, 2]", "object. Given: list")])
    def test_an_invalid_configuration_is_refused(self, published, content, message):
        _, folder = published
        (folder / "config.json").write_text(content)
        with pytest.raises(WeightsError, match=f"config.json.*{message}"):
            load_hugging_face(folder)

    def test_weights_of_another_architecture_are_refused(self, published):
        _, folder = published
        rewrite(folder, lambda arrays: {f"distil{name}": array for name, array in arrays.items()})
        message = "Wanted, among others: embeddings.word_embeddings.weight.*distilbert.embeddings"
        with pytest.raises(WeightsError, match=message):
            load_hugging_face(folder)

    def test_nothing_is_assigned_unless_all_fits(self, published):
        _, folder = published
        encoder = load_hugging_face(folder)
        before = parameters(encoder)
        arrays = {path: value + 1 for path, value in before.items()} | {"pooler.bias": np.zeros(13)}
        with pytest.raises(WeightsError, match=r"pooler.bias.*Given: \(13,\). Wanted: \(12,\)"):
            assign(encoder, arrays)
        for path, value in parameters(encoder).items():
            np.testing.assert_array_equal(value, before[path])

    def test_an_encoder_with_other_names_is_refused(self, published):
        class OtherNames(BertEncoder):
            def build(self, token_ids_shape):
                super().build(token_ids_shape)
                self.layers_of_mine, self.blocks = self.blocks, []

        _, folder = published
        with pytest.raises(WeightsError, match=r"no blocks.0.attention.query_dense.kernel: there is no '0'.*build"):
            load_hugging_face(folder, OtherNames)

    def test_an_unbuilt_encoder_is_refused(self):
        encoder = BertEncoder(VOCABULARY, LAYERS, HEADS, HIDDEN_DIM, INTERMEDIATE_DIM)
        with pytest.raises(WeightsError, match="no weights yet"):
            parameters(encoder)


class TestToHuggingFace:
    @pytest.mark.parametrize("approximate", [False, True])
    def test_their_library_loads_it(self, tmp_path, random, inputs, approximate):
        encoder = BertEncoder(
            VOCABULARY, LAYERS, HEADS, HIDDEN_DIM, INTERMEDIATE_DIM, max_length=MAX_LENGTH, num_segments=SEGMENTS,
            dropout=0.2, attention_dropout=0.3, epsilon=1e-6, approximate_gelu=approximate,
        )  # fmt: skip
        encoder.build((None, None))
        for weight in encoder.weights:
            weight.assign((weight.name == "gamma") + 0.5 * random.normal(size=weight.shape))
        save_hugging_face(encoder, tmp_path / "new" / "folder", Vocabulary(PIECES))
        with torch.device("cpu"):
            model, report = transformers.BertModel.from_pretrained(tmp_path / "new/folder", output_loading_info=True)
        assert not any(report.values()), report
        assert (model.config.hidden_dropout_prob, model.config.attention_probs_dropout_prob) == (0.2, 0.3)
        assert model.config.layer_norm_eps == 1e-6
        assert_agrees(encoder, inputs, *their_outputs(model.train(False), inputs))
        tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "new/folder")
        assert tokenizer.convert_tokens_to_ids(PIECES) == list(range(VOCABULARY))

    def test_a_saved_encoder_is_restored(self, published, tmp_path):
        _, folder = published
        encoder = load_hugging_face(folder)
        save_hugging_face(encoder, tmp_path / "saved", Vocabulary(PIECES))
        restored = load_hugging_face(tmp_path / "saved")
        ours, theirs = encoder.get_config(), restored.get_config()
        assert {**ours, "name": None} == {**theirs, "name": None}
        for path, value in parameters(restored).items():
            np.testing.assert_array_equal(value, parameters(encoder)[path])
        assert list(read_hugging_face(tmp_path / "saved").vocabulary) == PIECES
        assert len(list((tmp_path / "saved").iterdir())) == 3

    @pytest.mark.parametrize(("dtype", "digits"), [("float32", 0), ("float16", 5e-3)])
    def test_their_library_loads_it_with_its_head(self, published, inputs, tmp_path, dtype, digits):
        _, folder = published
        encoder, head = load_masked_lm(folder)
        save_hugging_face(encoder, tmp_path / "saved", Vocabulary(PIECES), head, dtype)
        with torch.device("cpu"):
            model = transformers.BertForMaskedLM.from_pretrained(tmp_path / "saved", dtype=torch.float32)
        saved, saved_head = load_masked_lm(tmp_path / "saved")
        for before, after in ((encoder, saved), (head, saved_head)):
            for original, restored in zip(before.weights, after.weights, strict=True):
                np.testing.assert_allclose(array(restored), array(original), rtol=digits)
        names = {"input_ids": "token_ids", "token_type_ids": "segment_ids", "attention_mask": "padding_mask"}
        given = {theirs: torch.tensor(inputs[ours].astype("int64"), device="cpu") for theirs, ours in names.items()}
        with torch.no_grad():
            expected = model.train(False)(**given).logits.numpy()
        logits = saved_head(saved(**inputs)["sequence_output"], saved.embedding.token_embeddings)
        assert_close(array(logits), expected, 1e-4)
        numbers = safetensors.numpy.load_file(tmp_path / "saved" / "model.safetensors")
        assert {str(array.dtype) for array in numbers.values()} == {dtype}

    def test_a_folder_without_a_head_says_so(self, published, tmp_path):
        _, folder = published
        save_hugging_face(load_hugging_face(folder), tmp_path / "saved", Vocabulary(PIECES))
        with pytest.raises(WeightsError, match=r"saved has no head for masked words.*cls.predictions.transform"):
            load_masked_lm(tmp_path / "saved")
        with pytest.raises(ValueError, match=r"float32, float16\. Received: dtype='int8'"):
            save_hugging_face(load_hugging_face(folder), tmp_path / "other", Vocabulary(PIECES), dtype="int8")

    @pytest.mark.parametrize("at_once", [True, False])
    def test_a_full_disk_is_one_clear_line(self, published, tmp_path, at_once):
        """No file may grow beyond 10 kB, as on a full disk; the configuration and the vocabulary are smaller."""
        _, folder = published
        encoder = load_hugging_face(folder)
        to = tmp_path / "saved"
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
        try:
            with pytest.raises(CourseError, match=r"cannot write .*What was there before is still there"):
                if at_once:
                    save_hugging_face(encoder, to, Vocabulary(PIECES))
                else:
                    with atomic_folder(to) as draft:
                        encoder.save(draft / "encoder.keras")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert not [path for path in tmp_path.rglob("*") if path.is_file() and folder not in path.parents]

    def test_vocabulary_must_fit(self, published, tmp_path):
        _, folder = published
        encoder = load_hugging_face(folder)
        with pytest.raises(WeightsError, match=r"Given: 32. Wanted: at most 31"):
            save_hugging_face(encoder, tmp_path / "saved", Vocabulary([*PIECES, "one more"]))
        assert not (tmp_path / "saved").exists()
