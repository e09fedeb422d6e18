"""A small BERT of Hugging Face's library with random weights, and the outputs of its layers."""

from __future__ import annotations

import torch
import transformers
from keras import ops

from course.data.text.vocabulary import Vocabulary
from tests.closeness import assert_close

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
    """Sets large random weights, biases and norms included, so that a missing or swapped weight shows."""
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            values = 0.5 * random.normal(size=parameter.shape) + ("LayerNorm.weight" in name)
            parameter.copy_(torch.tensor(values, dtype=torch.float32))
    return module.train(False)


def some_inputs(random):
    """Inputs of two texts, of 7 and 4 tokens."""
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
    for given, expected in zip(outputs["layer_outputs"], layers, strict=True):
        assert_close(array(given), expected)
    assert_close(array(outputs["pooled_output"]), pooled)


def publish(folder, random):
    """A model with both heads, and the folder in which it is published."""
    with torch.device("cpu"):
        model = randomize_module(transformers.BertForPreTraining(config()), random)
    model.save_pretrained(folder)
    Vocabulary(PIECES).save(folder / "vocab.txt")
    return model, folder
