"""Known mistakes in decays_weight."""

from __future__ import annotations

from grading.exercises.pretraining.checks import decays

NOT_IN = 'not in ("bias", "gamma", "beta")'
RETURNED = f'return path.rpartition("/")[2] {NOT_IN}'

decays.mistake(
    "wrong_way_round",
    "The answer is inverted: True for variables that must not decay.",
    hint="True means that the variable decays. Should a kernel decay, or a bias?",
    change={"not in": "in"},
)
decays.mistake(
    "everything",
    "Everything decays, including biases and normalizations.",
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
    "γ and β of normalizations decay.",
    hint="Biases are not the only variables that shift or scale. What does Keras call those of a normalization?",
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
    hint="A normalization has two variables. Which one do you test for?",
    change={', "beta"': ""},
)
decays.mistake(
    "kernels_alone",
    "The embeddings do not decay.",
    hint="Kernels are not the only matrices of BERT. Which others are there?",
    change={NOT_IN: '== "kernel"'},
)
decays.mistake(
    "anywhere",
    "The name is searched in the whole path, so it also matches parts of layer names.",
    hint="Is every variable of a layer called `unbiased` a bias? Which part of the path names the variable?",
    change={RETURNED: 'return not any(name in path for name in ("bias", "gamma", "beta"))'},
)
decays.mistake(
    "any_part",
    "All parts of the path are compared instead of the last, so a layer called `beta` also counts.",
    hint="Which part of the path names the variable, and what do the others name?",
    change={RETURNED: 'return not {"bias", "gamma", "beta"} & set(path.split("/"))'},
)
decays.mistake(
    "by_layer",
    "Normalizations are recognized by the name of their layer, which can be anything.",
    hint="The layer may be called `ln`, and a layer called `norm` may hold a projection. What are γ and β called?",
    change={RETURNED: 'return "norm" not in path and not path.endswith("bias")'},
)
decays.mistake(
    "below_a_norm",
    'No variable of a layer decays whose name contains "norm".',
    hint="A dense layer may be called normal_dense. Which part of the path says what a variable is?",
    change={RETURNED: f'*_, owner, name = ("", *path.split("/"))\nreturn name {NOT_IN} and "norm" not in owner'},
)
decays.mistake(
    "wants_a_slash",
    "A variable outside any layer, whose path has no slash, always decays.",
    hint="What is the last part of a path with only one part?",
    change={RETURNED: 'return not path.endswith(("/bias", "/gamma", "/beta"))'},
)
