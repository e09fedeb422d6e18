"""Published weights in all usual kinds of folders, and what else such a folder says about the model."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import keras_hub
import numpy as np
import pytest
import safetensors.numpy
import torch
import transformers

from course.applications.tagging.tagger import Tagger, load_tagger, save_tagger
from course.classification import TextClassifier
from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.entities import TokenClassifier
from course.errors import CourseError
from course.masked_lm import MaskedLMHead
from course.tokenization import SPECIAL_TOKENS
from course.training.classifier_file import Reader, load_classifier, save_classifier
from course.training.encoder_source import from_folder
from course.weights import WeightsError, load_hugging_face, load_keras_hub, load_masked_lm, parameters
from course.weights.files import _way_out_of_pickle, read_lowercase
from tests.closeness import assert_close
from tests.course.weights.published_bert import (
    HEADS,
    HIDDEN_DIM,
    INTERMEDIATE_DIM,
    LAYERS,
    MAX_LENGTH,
    PIECES,
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


class TestShards:
    @pytest.fixture
    def published(self, tmp_path, random):
        """A model in several files."""
        model, folder = publish(tmp_path, random)
        (folder / "model.safetensors").unlink()
        model.save_pretrained(folder, max_shard_size="4KB")
        assert len(list(folder.glob("model-*.safetensors"))) > 2
        return model, folder

    def test_are_read_as_one(self, published, inputs):
        model, folder = published
        assert_agrees(load_hugging_face(folder), inputs, *their_outputs(model.bert, inputs))
        assert from_folder(folder).heads["masked_lm_head"].keys() == {
            "dense.kernel", "dense.bias", "norm.gamma", "norm.beta", "output_bias"
        }  # fmt: skip

    def test_a_missing_file_is_named(self, published):
        _, folder = published
        file = sorted(folder.glob("model-*.safetensors"))[1]
        file.unlink()
        with pytest.raises(FileNotFoundError, match=f"has no {file.name}"):
            load_hugging_face(folder)

    def test_a_missing_weight_is_named(self, published):
        _, folder = published
        file = sorted(folder.glob("model-*.safetensors"))[1]
        arrays = safetensors.numpy.load_file(file)
        lost = sorted(arrays)[0]
        del arrays[lost]
        safetensors.numpy.save_file(arrays, file)
        with pytest.raises(WeightsError, match=rf"lacks 1 of the weights in .* {lost} in {file.name}"):
            load_hugging_face(folder)

    @pytest.mark.parametrize("index", ["{}", '{"weight_map": []}', '{"weight_map": {"a": "../b.safetensors"}}'])
    def test_an_invalid_index_is_refused(self, published, index):
        _, folder = published
        (folder / "model.safetensors.index.json").write_text(index)
        with pytest.raises(WeightsError, match=r"index\.json must have a weight_map, .* files beside it"):
            load_hugging_face(folder)


def test_the_suggested_command_has_no_backslash():
    """On Windows, a part of the path such as new would begin with an escape."""
    said = _way_out_of_pickle(PureWindowsPath("C:\\models\\new"))
    assert "'C:/models/new/pytorch_model.bin'" in said and "'C:/models/new/model.safetensors'" in said
    assert "\\" not in said


def test_the_suggested_command_converts_a_pickle(tmp_path, random, inputs):
    model, folder = publish(tmp_path, random)
    (folder / "model.safetensors").unlink()
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(FileNotFoundError, match="pickle, which can run code") as raised:
        load_hugging_face(folder)
    command = re.search(r"python -c .*$", str(raised.value))[0]
    subprocess.run([sys.executable, *shlex.split(command)[1:]], check=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert_agrees(load_hugging_face(folder), inputs, *their_outputs(model.bert, inputs))


@pytest.mark.parametrize("kind", ["DistilBert", "Roberta"])
def test_another_architecture_is_named_in_one_line(tmp_path, kind):
    architecture = getattr(transformers, f"{kind}Config")(vocab_size=VOCABULARY)
    sizes = {"dim": 12, "hidden_dim": 20, "n_layers": 1, "n_heads": 3} if kind == "DistilBert" else {}
    sizes = sizes or {"hidden_size": 12, "intermediate_size": 20, "num_hidden_layers": 1, "num_attention_heads": 3}
    architecture.update(sizes)
    getattr(transformers, f"{kind}Model")(architecture).save_pretrained(tmp_path)
    message = rf"cannot be read: config\.json is of another architecture\. Given: model_type = '{kind.lower()}'"
    with pytest.raises(CourseError, match=rf"{message}\. Wanted: 'bert'\.$"):
        from_folder(tmp_path)


def test_a_name_is_not_downloaded():
    with pytest.raises(CourseError, match=r"Given: no such folder, and nothing is downloaded\.$"):
        from_folder(Path("google-bert") / "bert-base-uncased")


class TestKerasHubPreset:
    @pytest.fixture
    def preset(self, tmp_path):
        pieces = [*SPECIAL_TOKENS[1:], SPECIAL_TOKENS[0], *PIECES[5:]]
        backbone = keras_hub.models.BertBackbone(
            VOCABULARY, LAYERS, HEADS, HIDDEN_DIM, INTERMEDIATE_DIM, max_sequence_length=MAX_LENGTH
        )
        backbone.save_to_preset(str(tmp_path / "preset"))
        tokenizer = keras_hub.models.BertTokenizer(vocabulary=pieces, lowercase=True)
        tokenizer.save_to_preset(str(tmp_path / "preset"))
        return tmp_path / "preset"

    def test_is_a_source_of_encoders(self, preset):
        source = from_folder(preset)
        assert list(source.vocabulary)[4:6] == ["[PAD]", "piece0"]
        assert (source.arguments["padding_id"], source.arguments["approximate_gelu"], source.lowercase) == (
            4,
            True,
            True,
        )
        expected = parameters(load_keras_hub(str(preset)))
        for path, value in parameters(source.make("float32")).items():
            np.testing.assert_array_equal(value, expected[path])

    def test_a_folder_with_the_name_of_a_published_preset_is_read(self, preset, monkeypatch):
        name = "bert_tiny_en_uncased"
        preset.rename(preset.with_name(name))
        monkeypatch.chdir(preset.parent)
        monkeypatch.setattr("kagglehub.model_download", lambda *_: pytest.fail("it is downloaded"))
        assert from_folder(Path(name)).arguments["num_layers"] == LAYERS

    def test_a_vocabulary_with_too_many_pieces_is_refused(self, preset):
        with (preset / "assets" / "tokenizer" / "vocabulary.txt").open("a") as file:
            file.write("more\n")
        with pytest.raises(Exception, match=r"vocabulary.txt has 32 pieces, and the encoder knows 31"):
            from_folder(preset)


class TestLowerCase:
    CAPITALS = (*SPECIAL_TOKENS, "goal", "Goal", "##A")  # as bert-base-chinese has some

    @pytest.mark.parametrize(
        ("name", "content", "wanted"),
        [
            ("tokenizer_config.json", {"do_lower_case": True}, True),
            ("tokenizer_config.json", {"do_lower_case": False}, False),
            ("tokenizer_config.json", {"model_max_length": 512}, None),
            ("tokenizer.json", {"normalizer": {"type": "BertNormalizer", "lowercase": False}}, False),
            ("tokenizer.json", {"normalizer": None}, None),
        ],
    )
    def test_is_read_from_the_files(self, name, content, wanted, tmp_path):
        (tmp_path / name).write_text(json.dumps(content))
        assert read_lowercase(tmp_path) is wanted
        (tmp_path / "tokenizer.json").write_text(json.dumps({"normalizer": {"lowercase": True}}))
        (tmp_path / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": False}))
        assert read_lowercase(tmp_path) is False

    def test_is_kept_in_saved_classifiers_and_taggers(self, tmp_path, random):
        _, folder = publish(tmp_path / "published", random)
        Vocabulary(self.CAPITALS).save(folder / "vocab.txt")
        assert from_folder(folder).lowercase is None
        (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}')
        source = from_folder(folder)
        assert source.lowercase is source.with_dropout(0.3).lowercase is source.fresh().lowercase is True

        model = TextClassifier(BertEncoder(**source.arguments), 2)
        model.build({"token_ids": (None, None)})
        save_classifier(tmp_path / "a.keras", model, Reader(self.CAPITALS, ("a", "b"), 5, ("text",), source.lowercase))
        _, reader = load_classifier(tmp_path / "a.keras")
        assert reader.read(["Goal"])["token_ids"][0, 1] == 5
        assert Reader(self.CAPITALS, ("a", "b"), 5).read(["Goal"])["token_ids"][0, 1] == 6

        tags = ("O", "B-x", "I-x")
        tagged = TokenClassifier(source.make("float32"), len(tags))
        tagged.build({"token_ids": (None, None)})
        tagger = Tagger(tagged, source.vocabulary, tags, source.lowercase)
        save_tagger(tmp_path / "tagger", tagger)
        assert load_tagger(tmp_path / "tagger").tokenizer.encode(["Goal"])[0].tolist() == [5]


class TestOtherTokenizers:
    @pytest.mark.parametrize(
        ("name", "content", "given"),
        [
            ("tokenizer_config.json", {"do_lower_case": True, "strip_accents": False}, "strip_accents = False"),
            ("tokenizer_config.json", {"do_lower_case": False, "strip_accents": True}, "strip_accents = True"),
            ("tokenizer_config.json", {"tokenize_chinese_chars": False}, "tokenize_chinese_chars = False"),
            ("tokenizer_config.json", {"word_tokenizer_type": "mecab"}, "word_tokenizer_type = 'mecab'"),
            ("tokenizer_config.json", {"subword_tokenizer_type": "character"}, "subword_tokenizer_type = 'character'"),
            ("tokenizer.json", {"normalizer": {"strip_accents": False}}, "strip_accents = False"),
            ("tokenizer.json", {"normalizer": {"handle_chinese_chars": False}}, "handle_chinese_chars = False"),
        ],
    )
    def test_are_refused(self, name, content, given, tmp_path, random):
        _, folder = publish(tmp_path, random)
        (folder / name).write_text(json.dumps(content))
        with pytest.raises(CourseError, match=f"splits texts into other pieces .* Given: {given}\\. Wanted: "):
            from_folder(folder)

    @pytest.mark.parametrize("strip_accents", [None, True])
    def test_that_read_the_same_are_accepted(self, strip_accents, tmp_path, random):
        _, folder = publish(tmp_path, random)
        config = {"do_lower_case": True, "strip_accents": strip_accents, "tokenize_chinese_chars": True}
        (folder / "tokenizer_config.json").write_text(json.dumps(config | {"word_tokenizer_type": "basic"}))
        newer = {"strip_accents": False, "handle_chinese_chars": False}
        (folder / "tokenizer.json").write_text(json.dumps({"normalizer": newer}))  # the older file counts
        assert from_folder(folder).lowercase


class TestMaskedWords:
    def test_logits_equal_the_publishers(self, tmp_path, random, inputs):
        with torch.device("cpu"):
            model = randomize_module(transformers.BertForMaskedLM(config(hidden_act="gelu")), random)
        model.save_pretrained(tmp_path)
        Vocabulary(PIECES).save(tmp_path / "vocab.txt")
        encoder, head = load_masked_lm(tmp_path)
        given = head(encoder(**inputs)["sequence_output"], encoder.embedding.token_embeddings)
        names = {"input_ids": "token_ids", "token_type_ids": "segment_ids", "attention_mask": "padding_mask"}
        with torch.no_grad():
            outputs = model(**{theirs: torch.tensor(inputs[ours].astype("int64")) for theirs, ours in names.items()})
        is_token = inputs["padding_mask"]
        np.testing.assert_allclose(array(given)[is_token], outputs.logits.numpy()[is_token], atol=2e-5)
        positions = np.array([[1, 3], [0, 2]])
        at_positions = head(encoder(**inputs)["sequence_output"], encoder.embedding.token_embeddings, positions)
        assert_close(array(at_positions), np.take_along_axis(array(given), positions[..., None], 1))

    def test_an_approximate_gelu_needs_ones_own_head(self, tmp_path, random):
        class OwnHead(MaskedLMHead):
            pass

        with torch.device("cpu"):
            transformers.BertForMaskedLM(config(hidden_act="gelu_new")).save_pretrained(tmp_path)
        Vocabulary(PIECES).save(tmp_path / "vocab.txt")
        assert type(load_masked_lm(tmp_path, head_class=OwnHead)[1]) is OwnHead
        with pytest.raises(WeightsError, match="a head that approximates GELU"):
            load_masked_lm(tmp_path)
