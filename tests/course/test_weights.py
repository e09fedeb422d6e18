"""Weights from and to Hugging Face and keras-hub: every layer's output must be the publisher's."""

from __future__ import annotations

import json

import keras
import keras_hub
import numpy as np
import pytest
import safetensors.numpy
import torch
import transformers
from keras import ops

from course.encoder import BertEncoder
from course.masked_lm import MaskedLMHead
from course.next_sentence import NextSentenceHead
from course.vocabulary import Vocabulary
from course.weights import (
    WeightsError,
    assign,
    first_difference,
    load_hugging_face,
    load_keras_hub,
    parameters,
    read_hugging_face,
    save_hugging_face,
)

BATCH, LENGTH, LAYERS, HEADS, HIDDEN_DIM, INTERMEDIATE_DIM, MAX_LENGTH, SEGMENTS = 2, 7, 5, 3, 12, 20, 9, 4
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"piece{number}" for number in range(26))]
VOCABULARY = len(PIECES)


def array(tensor):
    return ops.convert_to_numpy(ops.cast(tensor, "float32"))


def config(**changes):
    sizes = {
        "vocab_size": VOCABULARY,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "hidden_size": HIDDEN_DIM,
        "intermediate_size": INTERMEDIATE_DIM,
        "max_position_embeddings": MAX_LENGTH,
        "type_vocab_size": SEGMENTS,
    }
    return transformers.BertConfig(**{**sizes, **changes})


def randomize_module(module, random):
    """Large weights, biases and norms included, so that any that is left out or mixed up shows."""
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            values = 0.5 * random.normal(size=parameter.shape) + ("LayerNorm.weight" in name)
            parameter.copy_(torch.tensor(values, dtype=torch.float32))
    return module.train(False)


@pytest.fixture
def inputs(random):
    """The texts have 7 and 4 tokens."""
    token_ids = random.integers(1, VOCABULARY, (BATCH, LENGTH))
    token_ids[1, 4:] = 0
    segment_ids = random.integers(0, SEGMENTS, (BATCH, LENGTH))
    return {"token_ids": token_ids, "segment_ids": segment_ids, "padding_mask": token_ids != 0}


def their_outputs(model, inputs):
    """The layers' outputs and the pooled one of a `transformers.BertModel`."""
    names = {"input_ids": "token_ids", "token_type_ids": "segment_ids", "attention_mask": "padding_mask"}
    given = {theirs: torch.tensor(inputs[ours].astype("int64"), device=model.device) for theirs, ours in names.items()}
    with torch.no_grad():
        outputs = model(**given, output_hidden_states=True)
    return [layer.numpy() for layer in outputs.hidden_states], outputs.pooler_output.numpy()


def assert_agrees(encoder, inputs, layers, pooled):
    outputs = encoder(**inputs, return_layers=True)
    assert len(outputs["layer_outputs"]) == len(layers) == LAYERS + 1
    for given, wanted in zip(outputs["layer_outputs"], layers, strict=True):
        np.testing.assert_allclose(array(given), wanted, atol=1e-5)
    np.testing.assert_allclose(array(outputs["pooled_output"]), pooled, atol=1e-5)


@pytest.fixture
def published(tmp_path, random):
    """A model with both heads, and the folder in which it is published."""
    with torch.device("cpu"):
        model = randomize_module(transformers.BertForPreTraining(config()), random)
    folder = tmp_path / "published"
    model.save_pretrained(folder)
    Vocabulary(PIECES).save(folder / "vocab.txt")
    return model, folder


def rewrite(folder, change):
    """Replaces the arrays in a folder by what `change` makes of them."""
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

    def test_old_names_and_half_precision(self, published):
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

    def test_names_without_prefix(self, published):
        _, folder = published
        wanted = parameters(load_hugging_face(folder))
        rewrite(folder, lambda arrays: {name.removeprefix("bert."): array for name, array in arrays.items()})
        given = parameters(load_hugging_face(folder))
        for path, value in wanted.items():
            np.testing.assert_array_equal(given[path], value)

    def test_into_an_encoder_of_ones_own(self, published, inputs):
        class OwnEncoder(BertEncoder):
            pass

        model, folder = published
        encoder = load_hugging_face(folder, OwnEncoder)
        assert isinstance(encoder, OwnEncoder)
        assert_agrees(encoder, inputs, *their_outputs(model.bert, inputs))

    def test_heads(self, published, random):
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
        np.testing.assert_allclose(array(head(sequence, embeddings)), words, atol=1e-5)

        head = NextSentenceHead()
        head.build(pooled.shape)
        assign(head, checkpoint.next_sentence_head)
        np.testing.assert_allclose(array(head(pooled)), follows, atol=1e-5)

    def test_names_what_it_has_no_place_for(self, published):
        _, folder = published
        assert read_hugging_face(folder).unused == []
        more = {"bert.embeddings.position_ids": np.arange(9)[None], "classifier.weight": np.zeros((2, 12), "float32")}
        rewrite(folder, lambda arrays: {**arrays, **more})
        assert read_hugging_face(folder).unused == sorted(more)

    def test_without_heads(self, published):
        model, folder = published
        model.bert.save_pretrained(folder)
        checkpoint = read_hugging_face(folder)
        assert (checkpoint.masked_lm_head, checkpoint.next_sentence_head, checkpoint.unused) == ({}, {}, [])

    def test_without_pooler_says_so(self, published):
        _, folder = published
        rewrite(folder, lambda arrays: {name: array for name, array in arrays.items() if "pooler" not in name})
        with pytest.warns(UserWarning, match="no pooler"):
            encoder = load_hugging_face(folder)
        np.testing.assert_array_equal(array(encoder.pooler.bias), np.zeros(HIDDEN_DIM))

    def test_vocabulary_in_a_tokenizer_file(self, published):
        _, folder = published
        transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
        assert list(read_hugging_face(folder).vocabulary) == PIECES
        (folder / "vocab.txt").unlink()
        assert (folder / "tokenizer.json").is_file()
        assert list(read_hugging_face(folder).vocabulary) == PIECES


class TestConfiguration:
    """What published config.json files say, and leave out."""

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

    def test_what_an_early_file_leaves_out_is_berts(self, published):
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
    def test_what_does_not_fit_is_named(self, published, changes, message):
        _, folder = published
        reconfigure(folder, **changes)
        with pytest.raises(ValueError, match=message):
            load_hugging_face(folder)


class TestDamagedFolders:
    @pytest.mark.parametrize("name", ["config.json", "vocab.txt", "model.safetensors"])
    def test_a_file_is_missing(self, published, name):
        _, folder = published
        (folder / name).unlink()
        with pytest.raises(FileNotFoundError, match=f"has no {name}.*config.json, vocab.txt and model.safetensors"):
            load_hugging_face(folder)

    def test_the_folder_is_missing(self, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"There is no folder .*nowhere"):
            load_hugging_face(tmp_path / "nowhere")

    def test_a_pickle_is_not_read(self, published):
        _, folder = published
        (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
        with pytest.raises(FileNotFoundError, match="pickle, which can run code"):
            load_hugging_face(folder)

    @pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.999])
    def test_weights_are_cut_short(self, published, share):
        _, folder = published
        file = folder / "model.safetensors"
        content = file.read_bytes()
        file.write_bytes(content[: int(share * len(content))])
        with pytest.raises(
            WeightsError, match=f"model.safetensors cannot be read.*{int(share * len(content)):,} bytes"
        ):
            load_hugging_face(folder)

    @pytest.mark.parametrize(("content", "message"), [("{", "is not JSON"), ("[1, 2]", "object. Given: list")])
    def test_configuration_is_not_one(self, published, content, message):
        _, folder = published
        (folder / "config.json").write_text(content)
        with pytest.raises(WeightsError, match=f"config.json.*{message}"):
            load_hugging_face(folder)

    def test_weights_are_of_another_architecture(self, published):
        _, folder = published
        rewrite(folder, lambda arrays: {f"distil{name}": array for name, array in arrays.items()})
        wanted = "Wanted, among others: embeddings.word_embeddings.weight.*distilbert.embeddings"
        with pytest.raises(WeightsError, match=wanted):
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

    def test_an_encoder_with_other_names(self, published):
        class OtherNames(BertEncoder):
            def build(self, token_ids_shape):
                super().build(token_ids_shape)
                self.layers_of_mine, self.blocks = self.blocks, []

        _, folder = published
        with pytest.raises(WeightsError, match=r"no blocks.0.attention.query_dense.kernel: there is no '0'.*build"):
            load_hugging_face(folder, OtherNames)

    def test_an_encoder_without_weights(self):
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

    def test_comes_back(self, published, tmp_path):
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

    def test_vocabulary_must_fit(self, published, tmp_path):
        _, folder = published
        encoder = load_hugging_face(folder)
        with pytest.raises(WeightsError, match=r"Given: 32. Wanted: at most 31"):
            save_hugging_face(encoder, tmp_path / "saved", Vocabulary([*PIECES, "one more"]))
        assert not (tmp_path / "saved").exists()


class TestFromKerasHub:
    @pytest.fixture
    def backbone(self, random):
        backbone = keras_hub.models.BertBackbone(
            VOCABULARY, LAYERS, HEADS, HIDDEN_DIM, INTERMEDIATE_DIM, dropout=0.2,
            max_sequence_length=MAX_LENGTH, num_segments=SEGMENTS,
        )  # fmt: skip
        for weight in backbone.weights:
            weight.assign((weight.name == "gamma") + 0.5 * random.normal(size=weight.shape))
        return backbone

    def assert_agrees(self, encoder, backbone, inputs):
        layers = ["embeddings_dropout", *(f"transformer_layer_{index}" for index in range(LAYERS))]
        outputs = [backbone.get_layer(name).output for name in layers]
        every_layer = keras.Model(backbone.inputs, [*outputs, backbone.outputs[0], backbone.outputs[1]])
        *wanted, first, second = every_layer({**inputs, "padding_mask": inputs["padding_mask"].astype("int32")})
        pooled = next(output for output in (first, second) if len(output.shape) == 2)
        assert_agrees(encoder, inputs, [array(output) for output in wanted], array(pooled))

    def test_agrees_in_every_layer(self, backbone, inputs):
        encoder = load_keras_hub(backbone)
        assert (encoder.dropout, encoder.approximate_gelu) == (0.2, True)
        self.assert_agrees(encoder, backbone, inputs)

    def test_from_a_preset(self, backbone, inputs, tmp_path):
        backbone.save_to_preset(str(tmp_path / "preset"))
        self.assert_agrees(load_keras_hub(str(tmp_path / "preset")), backbone, inputs)

    def test_on_to_hugging_face(self, backbone, inputs, tmp_path):
        encoder = load_keras_hub(backbone)
        save_hugging_face(encoder, tmp_path, Vocabulary(PIECES))
        with torch.device("cpu"):
            model = transformers.BertModel.from_pretrained(tmp_path).train(False)
        assert_agrees(encoder, inputs, *their_outputs(model, inputs))

    def test_another_kind_of_backbone(self):
        other = keras_hub.models.DistilBertBackbone(VOCABULARY, LAYERS, HEADS, HIDDEN_DIM, INTERMEDIATE_DIM)
        with pytest.raises(WeightsError, match=r"Given: DistilBertBackbone. Wanted: BertBackbone"):
            load_keras_hub(other)


class TestFirstDifference:
    @pytest.fixture
    def reference(self, published, inputs):
        model, folder = published
        return load_hugging_face(folder), their_outputs(model.bert, inputs)[0]

    def test_none_where_all_agree(self, reference, inputs, capsys):
        encoder, layers = reference
        assert first_difference(encoder, inputs, layers) is None
        lines = capsys.readouterr().out.splitlines()
        assert [line.split(":")[0] for line in lines] == ["embedding", *(f"block {index}" for index in range(LAYERS))]
        assert all("agrees" in line for line in lines)

    @pytest.mark.parametrize(
        ("path", "layer"),
        [
            ("embedding.segment_embedding.embeddings", "embedding"),
            ("blocks.0.attention.value_dense.kernel", "block 0"),
            ("blocks.3.feed_forward_norm.beta", "block 3"),
            ("blocks.4.feed_forward.output_dense.bias", "block 4"),
        ],
    )
    def test_finds_the_layer_whose_weights_are_wrong(self, reference, inputs, capsys, path, layer):
        encoder, layers = reference
        assign(encoder, {path: parameters(encoder)[path] + 0.01 * np.arange(HIDDEN_DIM)})
        difference = first_difference(encoder, inputs, layers)
        assert difference.layer == layer
        index = 0 if layer == "embedding" else int(layer.split()[1]) + 1
        output = array(encoder(**inputs, return_layers=True)["layer_outputs"][index])
        off = np.where(inputs["padding_mask"][:, :, None], np.abs(output - layers[index]), 0)
        assert difference.largest == off.max() > 1e-4
        assert off[difference.position] == off.max()
        assert difference.given == output[difference.position]
        assert difference.wanted == layers[index][difference.position]
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == index + 1
        assert lines[-1] == str(difference)
        assert lines[-1].startswith(f"{layer}: off by")

    def test_nan_is_a_difference(self, reference, inputs):
        encoder, layers = reference
        layers[2] = layers[2].copy()
        layers[2][1, 3, 5] = np.nan
        difference = first_difference(encoder, inputs, layers)
        assert (difference.layer, difference.position) == ("block 1", (1, 3, 5))

    def test_padding_is_not_compared(self, reference, inputs):
        encoder, layers = reference
        layers = [np.where(inputs["padding_mask"][:, :, None], layer, 99.0) for layer in layers]
        assert first_difference(encoder, inputs, layers) is None
        ids_alone = {name: inputs[name] for name in ("token_ids", "segment_ids")}
        assert first_difference(encoder, ids_alone, layers) is None

    def test_says_which_outputs_it_wants(self, reference, inputs):
        encoder, layers = reference
        with pytest.raises(WeightsError, match=r"Given: 5. Wanted: 6"):
            first_difference(encoder, inputs, layers[1:])
        with pytest.raises(WeightsError, match=r"block 4.*Given: \(2, 7, 12\). Wanted: \(2, 6, 12\)"):
            first_difference(encoder, inputs, [*layers[:-1], layers[-1][:, 1:]])
