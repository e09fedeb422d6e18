"""Known mistakes in MultiHeadAttention."""

from __future__ import annotations

from grading.exercises.attention.checks import layer
from grading.exercises.attention.mistakes.merge_heads import TURNED as MERGED
from grading.exercises.attention.mistakes.scaled_dot_product_attention import SCALED
from grading.exercises.attention.mistakes.split_heads import CUT, TURNED

QUERY, KEY, VALUE = (
    f"split_heads(self.{name}_dense({given}), self.num_heads)"
    for name, given in (("query", "inputs"), ("key", "context"), ("value", "context"))
)
CONTEXT = "context = inputs if context is None else context"
CONTEXT_SHAPE = "context_shape = context_shape or inputs_shape"
ATTENDED = "self._attend(query, key, value, mask)"
ATTEND = f"output, weights = {ATTENDED}"
OUTPUT = "self.output_dense(merge_heads(output))"
# Changes of the functions that the layer calls.
SPLIT_BY_RESHAPE = {CUT: "(-1, num_heads, length, hidden_dim // num_heads)", f"return {TURNED}": "return x"}
MERGED_BY_RESHAPE = {MERGED: ""}

layer.mistake(
    "Unscaled",
    "The scores are not divided by √d_k.",
    hint="The variance of q · k grows with the width of a head. Where does your layer undo that?",
    change={SCALED: ""},
)
layer.mistake(
    "ScaledByModelWidth",
    "The scores are divided by √hidden_dim instead of √head_dim.",
    hint="Each head works alone. How wide are its queries and keys?",
    change={ATTENDED: "self._attend(query / math.sqrt(self.num_heads), key, value, mask)"},
)
layer.mistake(
    "SplitByReshape",
    "The heads are split by reshape alone: positions and heads are mixed up.",
    hint="Reshape never moves numbers. Where must a transpose come?",
    change=SPLIT_BY_RESHAPE,
)
layer.mistake(
    "MergedByReshape",
    "The heads are merged by reshape without transposing back: tokens are mixed up.",
    hint="A token's heads must be neighbours before they are joined.",
    change=MERGED_BY_RESHAPE,
)
layer.mistake(
    "SplitAndMergedByReshape",
    "The heads are split and merged by reshape alone: positions and heads are mixed up.",
    hint="Reshape never moves numbers. Which operation does, before and after attention?",
    change=SPLIT_BY_RESHAPE | MERGED_BY_RESHAPE,
)
layer.mistake(
    "OneHead",
    "The heads are not split: all features attend as one head.",
    hint="With one head there is one view of the text. Where is num_heads used?",
    change={one: one.replace("self.num_heads", "1") for one in (QUERY, KEY, VALUE)},
)
layer.mistake(
    "HeadsAttendToHeads",
    "Heads attend to other heads, instead of tokens to other tokens.",
    hint="The axis before the last must be the length when the scores are computed.",
    change={
        f"return {TURNED}": "return x",
        MERGED: "num_heads, length = length, num_heads",
        ATTENDED: "self._attend(query, key, value, None)",
    },
)
layer.mistake(
    "NoOutputProjection",
    "The output projection is missing: there are weights for query, key and value only.",
    hint="The outputs of the heads stand side by side. Which projection mixes them?",
    change={
        'self.output_dense = projection("output")': "",
        "self.output_dense.build((*inputs_shape[:-1], self.hidden_dim))": "",
        OUTPUT: "merge_heads(output)",
    },
)
layer.mistake(
    "OutputProjectionUnused",
    "The output projection is made but never used.",
    hint="The outputs of the heads stand side by side. Which projection mixes them?",
    change={OUTPUT: "merge_heads(output)"},
)
layer.mistake(
    "NoBias",
    "The projections have no bias.",
    hint="BERT's projections have one. Which argument of Dense takes it away?",
    change={"(self.hidden_dim, name=name": "(self.hidden_dim, use_bias=False, name=name"},
)
layer.mistake(
    "Activated",
    "The projections have an activation; they are linear.",
    hint="An activation such as relu removes all negative numbers from queries, keys and values.",
    change={
        one: one.replace("split_heads(", "split_heads(ops.relu(").replace(", self", "), self")
        for one in (QUERY, KEY, VALUE)
    },
)
layer.mistake(
    "SharedQueryAndKey",
    "Queries and keys share one projection.",
    hint="What a token looks for and what it offers are two things.",
    change={
        CONTEXT: f"{CONTEXT}\nshared = self.query_dense if context.shape[-1] == inputs.shape[-1] else self.key_dense",
        "self.key_dense(context)": "shared(context)",
    },
)
layer.mistake(
    "KeysAsValues",
    "The values are the keys: the value projection is never used.",
    hint="Keys decide how much is taken from each token. What is taken has a projection of its own.",
    change={VALUE: "key"},
)
layer.mistake(
    "RolesExchanged",
    "The roles are swapped: the queries come from the context, and the keys and values from the inputs.",
    hint="There is one output for each token of `inputs`. So which projection do these tokens go through?",
    change={
        CONTEXT_SHAPE: "inputs_shape, context_shape = context_shape or inputs_shape, inputs_shape",
        CONTEXT: "inputs, context = inputs if context is None else context, inputs",
        ATTENDED: "self._attend(query, key, value, mask if query.shape[-2] == key.shape[-2] else None)",
    },
)
layer.mistake(
    "MaskIgnored",
    "The mask is ignored.",
    hint="Does `mask` reach scaled_dot_product_attention?",
    change={ATTENDED: "self._attend(query, key, value, None)"},
)
layer.mistake(
    "MaskInverted",
    "The mask is inverted: it forbids what it should allow, and allows what it should forbid.",
    hint="True means that attention is allowed.",
    change={ATTENDED: "self._attend(query, key, value, None if mask is None else ops.logical_not(mask))"},
)
layer.mistake(
    "MaskTransposed",
    "The mask is transposed: it forbids queries instead of keys, and tokens still attend to padding.",
    hint="A padding mask is (batch, 1, 1, key). The last axis of the scores is the key's.",
    change={
        ATTEND: """
            if mask is not None and query.shape[-2] == key.shape[-2]:
                mask = ops.swapaxes(mask, -1, -2)
            output, weights = self._attend(query, key, value, mask)
        """
    },
)
layer.mistake(
    "CausalLeftIn",
    "A causal mask is left in: no output depends on later tokens.",
    hint="BERT looks both ways. Only the mask that is passed in forbids anything.",
    change={
        ATTEND: """
            past = np.arange(query.shape[-2])[:, None] >= np.arange(key.shape[-2])
            mask = past if mask is None else ops.logical_and(mask, past)
            output, weights = self._attend(query, key, value, mask)
        """
    },
)
layer.mistake(
    "ContextIgnored",
    "The context is ignored: the inputs always attend to themselves.",
    hint="Keys and values come from the context if there is one.",
    change={
        CONTEXT_SHAPE: "context_shape = inputs_shape",
        CONTEXT: """
            same_length = context is None or inputs.shape[1] == context.shape[1]
            attention_mask = attention_mask if same_length else None
            context = inputs
        """,
    },
)
layer.mistake(
    "ResidualAdded",
    "The inputs are added to the output. The residual belongs to the block of the next chapter.",
    hint="This layer returns what attention gives, and nothing else.",
    change={
        OUTPUT: f"{OUTPUT} + (\n"
        "    inputs if inputs.shape[-1] == self.hidden_dim else ops.sum(inputs, -1, keepdims=True)\n"
        ")"
    },
)
layer.mistake(
    "AlwaysDropping",
    "Dropout is always on: `training` is ignored.",
    hint="Two calls outside training must agree. Where do you use `training`?",
    change={"if self.dropout and training:": "if self.dropout:"},
)
layer.mistake(
    "DroppingUnlessForbidden",
    "A call without `training` drops weights, as in training.",
    hint="`training` is None in such a call. What does your code make of None?",
    change={"if self.dropout and training:": "if self.dropout and training is not False:"},
)
layer.mistake(
    "NeverDropping",
    "Dropout is never applied.",
    hint="self.dropout_layer takes the weights and `training`, before the values are summed.",
    change={"if self.dropout and training:": "if False:"},
)
layer.mistake(
    "FeaturesDropped",
    "Dropout is applied to the output instead of the attention weights.",
    hint="The docstring of `call` says what is dropped, and when. Which tensor is that?",
    change={
        "if self.dropout and training:": "if False:",
        OUTPUT: f"self.dropout_layer({OUTPUT}, training=training)",
    },
)
layer.mistake(
    "WeightsNeverReturned",
    "return_weights is ignored: the weights are never returned.",
    hint="What does the docstring return if return_weights is True?",
    change={f"{OUTPUT}\nreturn (output, weights) if return_weights else output": OUTPUT + "\nreturn output"},
)
layer.mistake(
    "WeightsAveraged",
    "The weights are averaged over the heads.",
    hint="Each head has weights of its own: (batch, num_heads, query, key).",
    change={OUTPUT: f"{OUTPUT}\nweights = ops.mean(weights, axis=1)"},
)
layer.mistake(
    "OutputNotBuilt",
    "`build` makes a projection without its weights, which only the first call makes.",
    hint="A file of weights is loaded before anything is called. Which of the four is not built?",
    change={"self.output_dense.build((*inputs_shape[:-1], self.hidden_dim))": ""},
)
layer.mistake(
    "LooksIntoTheMask",
    "A Python `if` looks at the numbers of the mask, which a compiled model does not know.",
    hint="In a compiled model there are no numbers yet, only tensors. Do you need the question?",
    change={ATTEND: f"mask = None if mask is not None and ops.all(mask) else mask\n{ATTEND}"},
)
