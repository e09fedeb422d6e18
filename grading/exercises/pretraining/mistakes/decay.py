"""What goes wrong in decays_weight."""

from __future__ import annotations

from grading.exercises.pretraining.checks import decays


@decays.whole_mistake(
    "It is the wrong way round: True for what must be left alone.",
    hint="The function says what decays. Is that a kernel, or a bias?",
)
def wrong_way_round(path: str) -> bool:
    return path.rpartition("/")[2] in ("bias", "gamma", "beta")


@decays.whole_mistake(
    "Everything decays, biases and normalizations too.",
    hint="Which variables only shift or scale?",
)
def everything(path: str) -> bool:
    return True


@decays.whole_mistake(
    "Nothing decays.",
    hint="What is compared with what? Print the last part of a path.",
)
def nothing(path: str) -> bool:
    return False


@decays.whole_mistake(
    "γ and β of the normalizations decay.",
    hint="Biases are not all that only shifts or scales. What are the variables of a normalization called in Keras?",
)
def normalizations_too(path: str) -> bool:
    return path.rpartition("/")[2] != "bias"


@decays.whole_mistake(
    "The biases decay.",
    hint="A normalization shifts and scales. What else shifts?",
)
def biases_too(path: str) -> bool:
    return path.rpartition("/")[2] not in ("gamma", "beta")


@decays.whole_mistake(
    "β of the normalizations decays.",
    hint="A normalization has two variables.",
)
def beta_too(path: str) -> bool:
    return path.rpartition("/")[2] not in ("bias", "gamma")


@decays.whole_mistake(
    "The embeddings do not decay.",
    hint="Kernels are not the only matrices of a BERT.",
)
def kernels_alone(path: str) -> bool:
    return path.rpartition("/")[2] == "kernel"


@decays.whole_mistake(
    "The name is looked for anywhere in the path: layers whose names hold it are taken for it.",
    hint="Is every variable of a layer called `unbiased` a bias? Which part of the path names the variable?",
)
def anywhere(path: str) -> bool:
    return not any(name in path for name in ("bias", "gamma", "beta"))


@decays.whole_mistake(
    "Any part of the path counts, not only the last: a layer may be called `beta`, too.",
    hint="The other parts of the path are the names of layers.",
)
def any_part(path: str) -> bool:
    return not {"bias", "gamma", "beta"} & set(path.split("/"))


@decays.whole_mistake(
    "Normalizations are known by the name of their layer, which can be anything.",
    hint="The layer may be called `ln`, and a layer called `norm` may hold a projection. What are γ and β called?",
)
def by_layer(path: str) -> bool:
    return "norm" not in path and not path.endswith("bias")


@decays.whole_mistake(
    "A variable that stands in no layer, with a path without a slash, is taken for something that decays.",
    hint="What is the last part of a path that has only one?",
)
def wants_a_slash(path: str) -> bool:
    return not path.endswith(("/bias", "/gamma", "/beta"))
