"""Known mistakes in BertEncoder."""

from __future__ import annotations

from grading.exercises.encoder.checks import encoder

# The lines of build.
NUMBER_OF_BLOCKS = "range(self.num_layers)"
# The lines of call.
FOUND = "ops.not_equal(token_ids, self.padding_id)"
CAST = 'ops.cast(padding_mask, "bool")'
LOOP = "for block in self.blocks:\n    x = block("
BLOCK = "x = block(x, attention_mask=attention_mask)"
COLLECTED = "layer_outputs.append(x)"
OUTPUTS = 'outputs = {"sequence_output": x, "pooled_output": self.pooler(x[:, 0])}'
WITH_LAYERS = '{**outputs, "layer_outputs": layer_outputs}'
# Without the other blocks' weights no check can run, so none can say how often the one block is used.
ONE_BLOCK = "Only one block has weights; each of the num_layers blocks should have weights of its own."
COUNT_BLOCKS = "How many blocks are in your list? If one block is in it twice, both share their weights."

encoder.mistake(
    "OneBlock",
    ONE_BLOCK,
    hint=COUNT_BLOCKS,
    change={NUMBER_OF_BLOCKS: "range(1)"},
)
encoder.mistake(
    "SameBlockAgain",
    ONE_BLOCK,
    hint=COUNT_BLOCKS,
    change={NUMBER_OF_BLOCKS: "range(1)", LOOP: "for block in self.blocks * self.num_layers:\n    x = block("},
)
encoder.mistake(
    "OneBlockTooMany",
    "There is one block too many.",
    hint="num_layers counts blocks only. Do you also count the embedding?",
    change={NUMBER_OF_BLOCKS: "range(self.num_layers + 1)"},
)
encoder.mistake(
    "BlocksUnused",
    "The blocks are created but never used: the output is the embedding's.",
    hint="Where does your call use self.blocks?",
    change={BLOCK: ""},
)
encoder.mistake(
    "BlocksSideBySide",
    "Every block gets the embedding; each should get the output of the block before it.",
    hint="In the loop over blocks, which variable goes in, and which one comes out?",
    change={"block(x, ": "block(layer_outputs[0], "},
)
encoder.mistake(
    "BlocksReversed",
    "The blocks run in reverse order.",
    hint="Which block should see the embedding: block_0, or the last?",
    change={LOOP: "for block in reversed(self.blocks):\n    x = block("},
)
encoder.mistake(
    "PreNormBlocks",
    "The blocks are pre-LN; BERT's are post-LN.",
    hint="In BERT the sum is normalized. What is the default of norm_first?",
    change={"approximate_gelu=self.approximate_gelu,": "approximate_gelu=self.approximate_gelu,\nnorm_first=True,"},
)
encoder.mistake(
    "MaskIgnored",
    "The mask does not reach the blocks, so tokens attend to padding.",
    hint="Which argument of a block takes the mask?",
    change={BLOCK: "x = block(x)"},
)
encoder.mistake(
    "NoMaskByDefault",
    "Without a padding_mask, nothing is masked; padding_id should tell where padding is.",
    hint="Most callers pass only ids. What distinguishes padding from tokens then?",
    change={FOUND: "ops.ones_like(token_ids)"},
)
encoder.mistake(
    "PaddingIsAlwaysZero",
    "padding_id is ignored: 0 always counts as padding.",
    hint="Not every vocabulary puts [PAD] first. Where does the encoder keep its id?",
    change={FOUND: "ops.not_equal(token_ids, 0)"},
)
encoder.mistake(
    "PaddingByOrder",
    "Every id above padding_id counts as a token, and every id below it as padding.",
    hint="Padding is one id. Ids on both sides of it are tokens.",
    change={FOUND: "ops.greater(token_ids, self.padding_id)"},
)
encoder.mistake(
    "GivenMaskIgnored",
    "The padding_mask that is passed in is ignored.",
    hint="When should the ids decide what is padding?",
    change={"if padding_mask is None:": "if True:"},
)
encoder.mistake(
    "MaskInverted",
    "The mask is inverted: it hides the tokens and shows the padding.",
    hint="True means that attention is allowed. Is it equal or not equal?",
    change={CAST: f"ops.logical_not({CAST})"},
)
encoder.mistake(
    "MaskOfQueries",
    "The mask forbids queries instead of keys: its axes are (batch, 1, query, 1).",
    hint="No token may attend to padding. The scores are (batch, heads, query, key).",
    change={"[:, None, None, :]": "[:, None, :, None]"},
)
encoder.mistake(
    "MaskNotCast",
    "A padding_mask of 0 and 1 is not cast to boolean.",
    hint="Many callers pass masks of numbers. Which dtype does MultiHeadAttention take?",
    change={CAST: "padding_mask"},
)
encoder.mistake(
    "SegmentsIgnored",
    "The segments do not reach the embedding.",
    hint="call takes segment_ids. Which layer needs them?",
    change={"(token_ids, segment_ids)": "(token_ids)"},
)
encoder.mistake(
    "AlwaysTwoSegments",
    "num_segments does not reach the embedding: there are always two.",
    hint="Which arguments does BertEmbedding have after its three sizes?",
    change={"self.max_length, self.num_segments": "self.max_length, 2"},
)
encoder.mistake(
    "PoolerWithoutTanh",
    "The pooler has no tanh.",
    hint="The numbers of pooled_output lie between -1 and 1. What keeps them there?",
    change={', activation="tanh"': ""},
)
encoder.mistake(
    "PoolsTheLast",
    "The pooler takes the last token instead of the first.",
    hint="At which position does [CLS] stand?",
    change={"x[:, 0]": "x[:, -1]"},
)
encoder.mistake(
    "PoolsTheMean",
    "The pooler takes the mean of all tokens instead of the first token.",
    hint="BERT's pooled output is that of one token, which stands for the text.",
    change={"x[:, 0]": "ops.mean(x, axis=1)"},
)
encoder.mistake(
    "PoolerUnused",
    "pooled_output is the unchanged output of the first token: the pooler is not applied.",
    hint="Where does your call use self.pooler?",
    change={"self.pooler(x[:, 0])": "x[:, 0]"},
)
encoder.mistake(
    "PoolsEveryToken",
    "The pooler is applied to all tokens: pooled_output is (batch, length, hidden_dim).",
    hint="One vector stands for the text. Which token's is it?",
    change={"x[:, 0]": "x"},
)
encoder.mistake(
    "LayersWithoutEmbedding",
    "layer_outputs lacks the embedding's output.",
    hint="The list has num_layers + 1 outputs. When do you append the first?",
    change={"[x]": "[]"},
)
encoder.mistake(
    "LayersWithoutLast",
    "layer_outputs lacks the last block's output.",
    hint="The list has num_layers + 1 outputs. Do you append a block's input or its output?",
    change={"[x]": "[]", BLOCK: COLLECTED, COLLECTED: BLOCK},
)
encoder.mistake(
    "LayersNeverReturned",
    "return_layers is ignored: layer_outputs is never returned.",
    hint="If return_layers is True, the dictionary has a third entry.",
    change={f"{WITH_LAYERS} if return_layers else outputs": "outputs"},
)
encoder.mistake(
    "TupleReturned",
    "The outputs are returned as a tuple instead of a dictionary.",
    hint='Callers ask for outputs["sequence_output"].',
    change={OUTPUTS: "outputs = x, self.pooler(x[:, 0])", WITH_LAYERS: "(*outputs, layer_outputs)"},
)
encoder.mistake(
    "EpsilonNotInBlocks",
    "Epsilon does not reach the blocks.",
    hint="The embedding and every block normalize. Which of them did you give epsilon?",
    change={"epsilon=self.epsilon,\nname": "name"},
)
encoder.mistake(
    "EpsilonNotInEmbedding",
    "Epsilon does not reach the embedding.",
    hint="The embedding and every block normalize. Which of them did you give epsilon?",
    change={"epsilon=self.epsilon, name": "name"},
)
encoder.mistake(
    "ApproximationForgotten",
    "approximate_gelu does not reach the blocks.",
    hint="The encoder does not use it itself. Which parts do?",
    change={"approximate_gelu=self.approximate_gelu,": ""},
)
encoder.mistake(
    "EmbeddingDropoutForgotten",
    "Dropout is never applied in the embedding.",
    hint="Which dropout does the embedding get?",
    change={"self.num_segments, self.dropout": "self.num_segments, 0.0"},
)
encoder.mistake(
    "DefaultDropout",
    "A part does not get the encoder's dropout, and uses its default of 0.1.",
    hint="Which arguments of the embedding and of the blocks have a default?",
    change={"self.dropout,\nattention_dropout": "attention_dropout"},
)
encoder.mistake(
    "AttentionDropoutForgotten",
    "attention_dropout does not reach the blocks.",
    hint="Without attention_dropout, a block uses its dropout instead.",
    change={"attention_dropout=self.attention_dropout,": ""},
)


encoder.mistake(
    "OtherNames",
    "A part, or its weights, is not where the docstring of `build` says, so published weights cannot be loaded.",
    hint="Compare each name after `self.` in `build` with the docstring, letter by letter. Does each part have its "
    "weights at the end of `build`, before any call?",
    change={
        "self.pooler = ": "self.pooling = ",
        "self.pooler.build": "self.pooling.build",
        "self.pooler(": "self.pooling(",
    },
)
encoder.mistake(
    "PoolerOfGlobalPolicy",
    "The pooler does not get the layer's dtype policy: in a layer of dtype float64, its weights are float32.",
    hint='Make a layer with dtype="float64" and build it: which dtype has self.pooler.kernel?',
    change={'activation="tanh", dtype=self.dtype_policy': 'activation="tanh"'},
)
