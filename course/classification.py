"""Classification: an encoder learns to say what a text is about, and is measured on texts that it has not seen.

The head, the fine-tuning, and the evaluation: accuracy, the confusion matrix, and a baseline without any network.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import keras
import numpy as np

from course.encoder import BertEncoder, projection
from course.pretraining import WarmupLinearDecay, bert_optimizer
from course.validation.arrays import require_inputs, require_integers, require_range, require_rank
from course.validation.values import require_instance, require_sizes, require_texts

# What `WordPieceTokenizer` returns for some texts.
Inputs = dict[str, np.ndarray]
# The same, and the class of each text.
Examples = tuple[Inputs, np.ndarray]

# XLA compiles again for each length of a batch. JAX has no alternative; the others are faster here without XLA.
USE_XLA = keras.backend.backend() == "jax"


@keras.saving.register_keras_serializable(package="course")
class TextClassifier(keras.Model):
    """Scores each class for each text: an encoder, and a projection of its pooled output.

        logits = dropout(pooled_output) W + b    and then, in the loss, softmax(logits)

    Args:
        encoder: pretrained, or not. Fine-tuning changes its weights, too.
        num_classes: how many classes there are. Their ids are 0 to num_classes - 1.
        dropout: share of the pooled output that is dropped in training.
        **kwargs: what every Keras model takes, such as `name` and `dtype`.

    Raises:
        TypeError: the encoder is not a model.
        ValueError: fewer than two classes.

    Example:
        >>> classifier = TextClassifier(encoder, num_classes=4)
        >>> logits = classifier(tokenizer(titles, descriptions))  # (batch, 4)

    Reference: Devlin et al., "BERT", 2018, https://arxiv.org/abs/1810.04805, section 4.1.
    """

    def __init__(self, encoder: BertEncoder, num_classes: int, dropout: float = 0.1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        require_sizes(num_classes=num_classes)
        if num_classes < 2:
            raise ValueError(f"num_classes must be at least 2. Received: num_classes={num_classes}")
        self.encoder = encoder
        self.num_classes = num_classes
        self.dropout = dropout
        self.dropout_layer = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, inputs_shape: dict[str, tuple]) -> None:
        """Makes `logits_dense`, a `projection` to the classes that is named "logits", and builds it.

        Its inputs have `self.encoder.hidden_dim` features, and it gets `dtype=self.dtype_policy`. If the encoder is not
        built yet, it is built here, too: `encoder.build((None, None))`.

        Args:
            inputs_shape: the shape of each input; none of it matters here.
        """
        if not self.encoder.built:
            self.encoder.build((None, None))
        self.logits_dense = projection(self.num_classes, "logits", dtype=self.dtype_policy)
        self.logits_dense.build((None, self.encoder.hidden_dim))

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> Any:
        """Encodes the texts, takes the pooled output, drops some of it, and projects it to the classes.

        Keras passes `training` on to the encoder and to `self.dropout_layer` by itself.

        Args:
            inputs: "token_ids" and, where present, "segment_ids" and "padding_mask", each (batch, length). The encoder
                takes them one by one: `encoder(token_ids, segment_ids, padding_mask)`.
            training: whether to apply dropout.

        Returns:
            Logits, (batch, num_classes), before the softmax, in the model's compute dtype.

        Raises:
            ValueError: inputs without "token_ids", or with values that are not ids.
        """
        require_inputs(inputs, ("token_ids",))
        outputs = self.encoder(inputs["token_ids"], inputs.get("segment_ids"), inputs.get("padding_mask"))
        pooled = self.dropout_layer(outputs["pooled_output"])  # (batch, hidden_dim)
        return self.logits_dense(pooled)  # (batch, num_classes)

    def get_config(self) -> dict[str, Any]:
        config = {"encoder": self.encoder.get_config(), "num_classes": self.num_classes, "dropout": self.dropout}
        return {**super().get_config(), **config}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> keras.Model:
        return cls(**{**config, "encoder": BertEncoder.from_config(config["encoder"])})


def batches(
    inputs: Inputs, labels: np.ndarray, batch_size: int, random: np.random.Generator | None = None
) -> Iterator[Examples]:
    """Yields examples in batches, each as long as its longest text.

    Every example comes once, so the last batch may be smaller. Columns that hold only padding are left out: they would
    cost time, and change nothing.

    Args:
        inputs: arrays of (examples, length), "padding_mask" among them.
        labels: (examples,).
        batch_size: how many examples a batch has at most.
        random: shuffles the examples. None: they keep their order.

    Yields:
        The inputs and the labels of a batch.

    Raises:
        ValueError: inputs without "padding_mask", another number of labels than of texts, or a size below 1.
    """
    require_inputs(inputs, ("token_ids", "padding_mask"))
    require_sizes(batch_size=batch_size)
    for name, array in inputs.items():
        if len(array) != len(labels):
            raise ValueError(f"each text needs a label. Received: {len(array)} rows of {name} and {len(labels)} labels")
    order = np.arange(len(labels)) if random is None else random.permutation(len(labels))
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        length = inputs["padding_mask"][rows].sum(axis=1).max()
        yield {name: array[rows, :length] for name, array in inputs.items()}, labels[rows]


def mean_loss(step: Callable[..., Any], examples: Iterable[Examples]) -> float:
    """Return the mean loss over the examples. Each counts the same, however large its batch is.

    Args:
        step: `model.train_on_batch`, which also changes the model, or `model.test_on_batch`, which does not.
        examples: what `batches` yields.

    Raises:
        ValueError: no examples.
    """
    measured = [(step(inputs, labels), len(labels)) for inputs, labels in examples]
    if not measured:
        raise ValueError("examples must be at least one batch. Received: none")
    losses, sizes = zip(*measured, strict=True)
    return float(np.average(losses, weights=sizes))


def fine_tune(
    model: keras.Model,
    training: Examples,
    held_out: Examples,
    *,
    learning_rate: float = 2e-5,
    batch_size: int = 8,
    epochs: int = 3,
    warmup: float = 0.1,
    patience: int = 1,
    seed: int = 0,
) -> dict[str, list[float]]:
    """Trains all weights of a classifier, and stops when it no longer improves on texts that it does not train on.

    What must hold:
        - The model may not be built yet: call it on one text before you make its optimizer.
        - The loss is the cross-entropy of softmax(logits) and the labels. The optimizer is `bert_optimizer`.
        - The learning rate follows `WarmupLinearDecay` over the steps of all epochs, where a step is one batch: it
          rises to `learning_rate` over the share `warmup` of them (rounded down), and then falls. It would be 0 one
          step after the last, at `total_steps`.
        - Each epoch sees all examples in `training`, in a new random order.
        - After each epoch the loss on `held_out` is measured, without dropout, and without learning from it.
        - Training stops when that loss has had no new lowest value for `patience` epochs in a row.
        - At the end, the model has the weights of the epoch in which that loss was lowest.

    Args:
        model: takes inputs as `TextClassifier` does, and returns logits.
        training: inputs and labels to learn from. Labels are class ids, from 0 on.
        held_out: inputs and labels that decide when to stop.
        learning_rate: the highest learning rate.
        batch_size: how many texts a step sees.
        epochs: how often all of `training` is seen, at most.
        warmup: the share of the steps in which the learning rate rises.
        patience: how many epochs in a row without a new lowest loss end the training.
        seed: of the random order of the examples.

    Returns:
        "loss" and "held_out_loss": each a list of floats, the mean over all texts for each epoch that was run.

    Raises:
        ValueError: inputs or labels that do not fit the model or each other, or a number that is not a size.

    Example:
        >>> history = fine_tune(classifier, (inputs, labels), (held_out_inputs, held_out_labels), epochs=2)
        >>> plot_curves(history)

    Reference: Devlin et al., "BERT", 2018, appendix A.3.
    """
    inputs, labels = training
    require_sizes(batch_size=batch_size, epochs=epochs, patience=patience)
    num_classes = model({name: array[:1] for name, array in inputs.items()}).shape[-1]  # it is built by now, too
    for examples in (training, held_out):
        require_examples(model, examples, num_classes)
    total_steps = epochs * math.ceil(len(labels) / batch_size)
    schedule = WarmupLinearDecay(learning_rate, int(warmup * total_steps), total_steps)
    cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(bert_optimizer(model, schedule), cross_entropy, jit_compile=USE_XLA)

    random = np.random.default_rng(seed)
    history: dict[str, list[float]] = {"loss": [], "held_out_loss": []}
    lowest, best_weights, waited = math.inf, model.get_weights(), 0
    for _ in range(epochs):
        history["loss"].append(mean_loss(model.train_on_batch, batches(inputs, labels, batch_size, random)))
        history["held_out_loss"].append(mean_loss(model.test_on_batch, batches(*held_out, batch_size)))
        waited += 1
        if history["held_out_loss"][-1] < lowest:
            lowest, best_weights, waited = history["held_out_loss"][-1], model.get_weights(), 0
        if waited == patience:
            break
    model.set_weights(best_weights)
    return history


def predict(model: keras.Model, inputs: Inputs, batch_size: int = 64) -> np.ndarray:
    """Return the logits of all texts, in their order: float32, (texts, num_classes).

    Raises:
        ValueError: no texts, or inputs that do not fit the model.
    """
    require_known_ids(model, inputs)
    unknown = np.zeros(len(inputs["token_ids"]), "int32")
    logits = [model.predict_on_batch(batch) for batch, _ in batches(inputs, unknown, batch_size)]
    return np.concatenate(logits).astype("float32")


def accuracy(labels: np.ndarray, logits: np.ndarray) -> float:
    """Return the share of the texts whose highest logit is that of their class.

    Args:
        labels: integers, (texts,), class ids from 0 on.
        logits: (texts, num_classes). Probabilities work, too.

    Returns:
        A Python float, from 0 to 1.

    Raises:
        ValueError: other shapes, labels that are not class ids, or no texts.

    Example:
        >>> accuracy(np.array([0, 2, 1]), np.array([[5.0, 1.0, 2.0], [0.0, 1.0, 2.0], [3.0, 1.0, 2.0]]))
        0.6667
    """
    require_rank(logits, "logits", ("texts", "num_classes"))
    require_class_ids(labels, "labels", logits.shape[-1])
    require_as_many(labels, logits)
    return float(np.mean(np.argmax(logits, axis=-1) == labels))


def confusion_matrix(labels: np.ndarray, predictions: np.ndarray, num_classes: int) -> np.ndarray:
    """Counts how often each class was predicted as which.

    Args:
        labels: integers, (texts,), the true classes, from 0 on. Use int32 or int64: products of smaller types overflow.
        predictions: integers, (texts,), the classes that were predicted, likewise.
        num_classes: how many classes there are, whether they all occur or not.

    Returns:
        int64, (num_classes, num_classes): in row i and column j, how many texts of class i were predicted as class j.

    Raises:
        ValueError: other shapes, numbers that are not class ids, or no texts.

    Example:
        >>> confusion_matrix(np.array([0, 0, 1]), np.array([0, 1, 1]), num_classes=2)
        [[1, 1], [0, 1]]
    """
    require_class_ids(labels, "labels", num_classes)
    require_class_ids(predictions, "predictions", num_classes)
    require_as_many(labels, predictions)
    matrix = np.zeros((num_classes, num_classes), "int64")
    # `matrix[labels, predictions] += 1` would add 1 to each cell once, however often it occurs.
    np.add.at(matrix, (labels, predictions), 1)
    return matrix


def tfidf_baseline(training_texts: Sequence[str], training_labels: Sequence[int], texts: Sequence[str]) -> np.ndarray:
    """Return the classes that logistic regression predicts from word counts alone, without word order.

    TF-IDF weights the words: a word counts more the more often a text has it, and less the more texts have it.

    Args:
        training_texts: texts to learn from.
        training_labels: their classes.
        texts: texts to classify.

    Returns:
        (texts,), the class of each text.

    Raises:
        TypeError: a single string, or texts that are not strings.
        ValueError: no word in them, fewer than two classes, or another number of labels than of texts.
    """
    training_texts, texts = require_texts(training_texts, "training_texts"), require_texts(texts, "texts")
    if len(training_texts) != len(training_labels) or len(set(training_labels)) < 2 or not texts:
        raise ValueError(
            "training_texts must each have a label, of two classes or more, and texts must not be empty. "
            f"Received: {len(training_texts)} training_texts, {len(training_labels)} training_labels of "
            f"{len(set(training_labels))} classes, and {len(texts)} texts"
        )
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(max_iter=1000))
    return model.fit(training_texts, training_labels).predict(texts)


def require_examples(model: keras.Model, examples: Examples, num_classes: int) -> None:
    """Raises a ValueError unless each text has a class id, and the model knows all of its tokens."""
    inputs, labels = examples
    require_known_ids(model, inputs)
    require_class_ids(labels, "labels", num_classes)
    if len(inputs["token_ids"]) != len(labels):
        given = f"{len(inputs['token_ids'])} texts and {len(labels)} labels"
        raise ValueError(f"each text needs a label. Received: {given}")


def require_known_ids(model: keras.Model, inputs: Inputs) -> None:
    """Raises a ValueError unless there are texts, and the model has a row for each of their ids.

    Compiled code does not check this: on a GPU, an id without a row is read as another one, or as nothing at all.
    """
    require_inputs(inputs, ("token_ids", "padding_mask"))
    if not len(inputs["token_ids"]):
        raise ValueError("inputs must have at least one text. Received: none")
    if isinstance(model, TextClassifier):
        size = model.encoder.vocabulary_size
        require_range(inputs["token_ids"], "token_ids", size, "which the encoder has rows for")


def require_class_ids(labels: np.ndarray, name: str, num_classes: int) -> None:
    """Raises a ValueError unless there is one class id for each text, from 0 to num_classes - 1."""
    require_rank(labels, name, ("texts",))
    require_sizes(num_classes=num_classes)
    if not len(labels):
        raise ValueError(f"{name} must be at least one. Received: none")
    require_integers(labels, name)
    if not 0 <= labels.min() <= labels.max() < num_classes:
        raise ValueError(
            f"{name} must be 0 to {num_classes - 1}, since there are {num_classes} classes. "
            f"Received: {labels.min()} to {labels.max()}. Where a file counts classes from 1, subtract 1."
        )


def require_as_many(labels: np.ndarray, predictions: np.ndarray) -> None:
    """Raises a ValueError unless there is a prediction for each label."""
    if np.issubdtype(predictions.dtype, np.floating) and np.isnan(predictions).any():
        raise ValueError("predictions must be numbers. Received: some that are NaN, as after a failed training")
    given, wanted = len(predictions), len(labels)
    if given != wanted:
        raise ValueError(f"each text needs a prediction. Received: {wanted} labels and {given} predictions")
