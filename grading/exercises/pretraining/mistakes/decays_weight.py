"""What goes wrong in decays_weight."""

from __future__ import annotations

from grading.exercises.pretraining.checks import decays

NOT_IN = 'not in ("bias", "gamma", "beta")'
RETURNED = f'return path.rpartition("/")[2] {NOT_IN}'

decays.mistake(
    "wrong_way_round",
    "It is the wrong way round: True for what must be left alone.",
    hint="The function says what decays. Is that a kernel, or a bias?",
    change={"not in": "in"},
)
decays.mistake(
    "everything",
    "Everything decays, biases and normalizations too.",
    hint="Which variables only shift or scale?",
    change={RETURNED: "return True"},
)
decays.mistake(
    "nothing",
    "Nothing decays.",
    hint="What is compared with what? Print the last part of a path.",
    change={RETURNED: "return False"},
)
decays.mistake(
    "normalizations_too",
    "γ and β of the normalizations decay.",
    hint="Biases are not all that only shifts or scales. What are the variables of a normalization called in Keras?",
    change={NOT_IN: '!= "bias"'},
)
decays.mistake(
    "biases_too",
    "The biases decay.",
    hint="A normalization shifts and scales. What else shifts?",
    change={'"bias", ': ""},
)
decays.mistake(
    "beta_too",
    "β of the normalizations decays.",
    hint="A normalization has two variables.",
    change={', "beta"': ""},
)
decays.mistake(
    "kernels_alone",
    "The embeddings do not decay.",
    hint="Kernels are not the only matrices of a BERT.",
    change={NOT_IN: '== "kernel"'},
)
decays.mistake(
    "anywhere",
    "The name is looked for anywhere in the path: layers whose names hold it are taken for it.",
    hint="Is every variable of a layer called `unbiased` a bias? Which part of the path names the variable?",
    change={RETURNED: 'return not any(name in path for name in ("bias", "gamma", "beta"))'},
)
decays.mistake(
    "any_part",
    "Any part of the path counts, not only the last: a layer may be called `beta`, too.",
    hint="The other parts of the path are the names of layers.",
    change={RETURNED: 'return not {"bias", "gamma", "beta"} & set(path.split("/"))'},
)
decays.mistake(
    "by_layer",
    "Normalizations are known by the name of their layer, which can be anything.",
    hint="The layer may be called `ln`, and a layer called `norm` may hold a projection. What are γ and β called?",
    change={RETURNED: 'return "norm" not in path and not path.endswith("bias")'},
)
decays.mistake(
    "wants_a_slash",
    "A variable that stands in no layer, with a path without a slash, is taken for something that decays.",
    hint="What is the last part of a path that has only one?",
    change={RETURNED: 'return not path.endswith(("/bias", "/gamma", "/beta"))'},
)
