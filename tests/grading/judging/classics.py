"""The mistakes that learners of these chapters are known to make, and where the grader knows each of them.

Each stands by the names of the known mistakes that it is, or by the reason why there is none.
"""

from __future__ import annotations

from typing import NamedTuple


class Classic(NamedTuple):
    """One of them.

    Attributes:
        what: in a few words.
        known: the names of its implementations, in the chapter's `mistakes/`.
        reason: why there is none; "" where there is.
    """

    what: str
    known: tuple[str, ...]
    reason: str = ""


def _known(what: str, *names: str) -> Classic:
    return Classic(what, names)


def _not_asked(what: str, reason: str) -> Classic:
    return Classic(what, (), reason)


CLASSICS: dict[int, tuple[Classic, ...]] = {
    1: (
        _known("cased text for a vocabulary of small letters", "never_lower"),
        _known("a typed [MASK] is cut into words", "special_cut"),
        _known("punctuation is lost", "punctuation_dropped"),
        _known("accents stay, or take their letters along", "accents_kept", "letters_dropped"),
        _known("the shortest match, or no ##", "shortest_first", "no_continuation"),
        _known("an unknown word keeps the pieces that are known", "known_pieces_kept"),
        _known("a pair counts once in a word", "once_a_word"),
        _known("pairs that overlap are both merged", "overlaps_merged_twice"),
        _known("the last [SEP] is in segment 0", "closing_sep_in_first_segment"),
        _known("only the second text is cut", "second_cut"),
    ),
    2: (
        _known("no segments", "NoSegments"),
        _known("positions from 1", "PositionsFromOne", "from_one"),
        _known("the position table is not cut to the length", "WholePositionTable"),
        _known("another epsilon than BERT's", "EpsilonOfKeras", "EpsilonOfOthers"),
        _not_asked(
            "a layer does not pass its mask on",
            "no mask travels with a tensor here: it is an argument, and whether it arrives is asked of the encoder",
        ),
        _known("sines and cosines in halves", "halves"),
        _known("an exponent of i/d", "half_the_exponent"),
    ),
    3: (
        _known("no division by the root of the width", "unscaled", "Unscaled"),
        _known("divided by the root of the length, or by a constant", "scaled_by_length", "scaled_by_constant"),
        _known("divided by the width", "scaled_by_width"),
        _known("scores times mask", "scores_times_mask"),
        _known("-1e9 in float16", "overflow_in_half"),
        _known("a row that is masked throughout", "minus_infinity"),
        _known("a causal mask in an encoder", "causal_left_in", "CausalLeftIn"),
        _known("queries are masked instead of keys", "mask_transposed", "MaskTransposed"),
        _known("merged by reshape alone", "merge_by_reshape", "MergedByReshape"),
        _known("split by reshape alone", "split_by_reshape", "SplitByReshape"),
        _known("scaled by the model's width", "ScaledByModelWidth"),
        _known("no output projection", "NoOutputProjection"),
    ),
    4: (
        _known("no residual, or one behind the norm", "NoResiduals", "NormBeforeSum"),
        _known("pre-LN and post-LN exchanged", "OrdersExchanged"),
        _known(
            "epsilon outside the root; unbiased; no gamma; no beta",
            "epsilon_outside",
            "unbiased",
            "no_gamma",
            "no_beta",
        ),
        _known("normalized over the tokens", "over_tokens"),
        _known("the approximation of GELU where it is to be exact", "always_approximate", "AlwaysApproximate"),
        _known("no activation", "NoActivation"),
        _known("half precision: an epsilon that is 0 there", "in_its_own_dtype"),
        _known("the mask does not reach the blocks", "MaskIgnored", "NoMaskByDefault"),
    ),
    5: (
        _known("[MASK] is put over the random words", "random_overwritten"),
        _known("special tokens are masked", "specials_selected", "only_padding_left_out"),
        _known("one draw decides whether and how", "three_draws_with_one_seed", "fate_and_word_together"),
        _known("random words are uniform", "uniform_over_ids", "uniform_over_words"),
        _known("the same masks each time", "fixed_seed"),
        _known("averaged before it is weighted", "averaged_first"),
        _known("averaged over all tokens", "mean_over_all", "weights_ignored"),
        _known("a softmax before the loss's own", "softmax_twice"),
        _known("a loss in half precision", "in_half_precision"),
    ),
    6: (
        _known("the random sentence is of the same document", "same_document", "any_document"),
        _known("the random sentence is the true next one", "label_by_coin"),
        _not_asked(
            "blank lines between documents are overlooked",
            "`split_documents` is given; blank sentences inside documents are `blanks_kept`",
        ),
        _known("a softmax before the loss's own", "softmax_twice"),
    ),
    7: (
        _known(
            "the ends of the schedule are off, or it never reaches 0",
            "StartsAtThePeak",
            "RiseAStepAhead",
            "RiseAStepTooLong",
            "FallAStepAhead",
            "FallTooSlow",
            "NeverFalls",
        ),
        _not_asked(
            "a training that goes on begins its warm-up anew",
            "checkpoints are the library's; students write the schedule",
        ),
        _known("the same masks in every epoch", "SameMasksInTraining"),
        _not_asked("the mean of the means of micro-batches", "gradients are accumulated by the library"),
        _known("biases and norms decay", "biases_too", "normalizations_too"),
        _known("an evaluation that masks nothing", "UnmaskedEvaluation"),
    ),
    8: (
        _known("labels from 1 as class ids", "classes_from_one", "from_one"),
        _known("no mask for a padded batch", "MaskForgotten"),
        _not_asked("a learning rate of 1e-2", "it is an argument that the caller chooses; no line of code is wrong"),
        _known("accuracy over a smaller last batch", "mean_of_batches"),
    ),
    9: (
        _known("an exponent of i/d", "without_two"),
        _known("i from 1", "from_one"),
        _known("the model's width for that of a head", "FrequenciesOfTheModel"),
        _known("rising frequencies", "rising"),
        _known("1 minus the power", "subtracted"),
        _known("positions from 1", "one_step_on"),
        _known("angles in half precision", "in_bfloat16", "in_their_dtype"),
        _known("frequencies that are trained", "FrequenciesAsWeights"),
        _known("degrees; sine and cosine exchanged", "degrees", "exchanged"),
        _known("a frequency for each feature", "one_a_feature"),
        _known("a table that ends", "fixed_table"),
        _known("neighbours as pairs", "interleaved"),
        _known("angles repeated for the other layout", "repeated_for_neighbours", "doubled_for_halves"),
        _known("turned the other way", "other_way_round"),
        _known("a sign lost", "sign_lost"),
        _known("x cos + x sin", "scaled_only"),
        _known("one half only", "second_half_kept"),
        _known("heads taken for positions", "by_heads"),
        _known("cosines cast before the product", "cast_before"),
        _known("turned twice", "twice"),
        _known("positions of the first text for all", "of_the_first_text", "by_the_first_text"),
        _known("linear the wrong way round", "linear_upside_down"),
        _known("ntk without its exponent", "ntk_without_exponent"),
        _known("ntk with another exponent", "ntk_exponent_upside_down", "ntk_of_pairs"),
        _known("ntk on all frequencies", "ntk_divides_all"),
        _not_asked("ntk by the length of each text", "no length is an argument here: the factor is given"),
        _known("positions scaled as well as the base", "ntk_and_linear"),
        _known("the ramp the wrong way round", "yarn_upside_down"),
        _known("the ramp of the paper's text", "yarn_of_the_paper"),
        _known("no 2π", "yarn_in_radians"),
        _known("the longer text for that of training", "yarn_of_the_longer_text"),
        _known("not rounded, not clamped", "yarn_not_rounded", "yarn_not_clamped"),
        _known(
            "the attention factor: none, once, by log 10, rooted, squared",
            "no_attention_factor",
            "AttentionFactorOnce",
            "attention_factor_of_log_10",
            "attention_factor_rooted",
            "attention_factor_squared",
        ),
        _known("a factor where there should be none", "attention_factor_for_all", "none_is_linear"),
        _known("one formula for all numbers of heads", "one_formula_for_all"),
        _known("h from 0", "from_zero"),
        _known("the next higher power", "of_the_next_higher"),
        _known("the other slopes of twice as many", "the_other_half"),
        _known("sorted slopes", "sorted_slopes"),
        _known("8 lost, or the natural exponent", "eight_forgotten", "natural"),
        _known("negative slopes", "negative"),
        _known("distance is rewarded", "rewarded"),
        _known("a distance with a sign", "one_sided"),
        _known("distance from the last key", "from_the_last_key"),
        _known("the future forbidden in the bias", "future_forbidden"),
        _known("added behind the softmax", "after_the_softmax", "BiasAfterSoftmax"),
        _known("divided by the root of the width", "BiasDivided"),
        _known("no offset", "offset_ignored"),
        _known("one slope, or along another axis", "one_slope", "transposed"),
        _known("distances in half precision", "coarse"),
        _known("values turned", "ValuesTurned"),
        _known("turned before the heads are split", "TurnedBeforeSplit"),
        _known("queries alone turned", "OnlyQueries"),
        _not_asked("a position table besides", "the embedding of the chapter's encoder is given"),
        _not_asked("positions counted over padding on the left", "texts are padded on the right throughout"),
        _known("the query's positions for the context", "PositionsOfQueries"),
        _known("heads for positions", "PositionsOfHeads"),
        _known("the mask is lost", "MaskLost", "MaskLostWithBias"),
        _not_asked("angles kept from an earlier length", "nothing is kept between calls in the layer that is given"),
    ),
    10: (
        _known("no tanh", "NoTanh"),
        _known("the mask multiplied", "MaskedByZero"),
        _known("a decoder that sees what comes later", "NoCausalMask"),
        _known("the past hidden", "FutureOnly"),
        _known("the source's mask forgotten", "ContextMaskIgnored"),
        _known("probabilities added up", "sums_of_probabilities"),
        _known("the end not counted", "end_not_counted"),
        _known("finished texts that take a place", "finished_take_a_place"),
    ),
    12: (
        _known("I- for the first word", "inside_everywhere"),
        _known("B- for each word", "every_word_begins"),
        _known("the end taken as inclusive", "end_inclusive"),
        _known("neighbours of one kind are one", "neighbours_merged", "merged"),
        _known("a word that a name covers in part is left out", "whole_words_only"),
        _known("names that are not sorted", "in_the_order_given"),
        _not_asked("names that overlap", "whether an error is raised is not graded; the library raises it"),
        _known("labels shifted by [CLS]", "shifted"),
        _known("each piece begins a name", "every_piece"),
        _known("the other pieces go on with it", "inside_for_pieces"),
        _known("special tokens are outside", "specials_outside"),
        _known("two equal words in a row are one", "by_tag"),
        _known("what is ignored as an index", "last_word_for_specials"),
        _known("a word without pieces shifts what follows", "one_after_the_other"),
        _known("the pooled output", "OfTheText", "OfTheFirstToken"),
        _known("a softmax in the head", "Probabilities"),
        _known("no mask", "MaskForgotten"),
        _known("dropout in evaluation", "AlwaysDropping"),
        _known("the mean over all pieces, or of the texts", "mean_over_all", "mean_of_rows"),
        _known("ignored tokens counted as outside", "ignored_is_outside"),
        _known("NaN without labels", "nan_where_nothing"),
        _known("the loss in half precision", "in_half_precision"),
        _known("the last name is lost", "last_lost"),
        _known("I- of another kind goes on", "kind_not_compared"),
        _known("I- behind O: always or never", "always_strict", "never_strict"),
        _known("a kind with a hyphen", "kind_cut"),
        _known("a gap is bridged", "gap_bridged"),
        _known("by words instead of names", "by_words"),
        _known("what overlaps is right", "overlap_counts"),
        _known("the start alone", "ends_not_compared"),
        _known("means over sentences or kinds", "mean_of_sentences", "macro_for_micro"),
        _known("the arithmetic mean", "arithmetic_mean"),
        _known("nothing by nothing", "not_a_number", "one_for_nothing"),
        _known("O as a kind", "outside_counts"),
        _known("kinds that are only found", "true_kinds_only"),
        _known("precision and recall exchanged", "exchanged"),
        _known("sentences mixed", "sentences_mixed"),
        _known("each word by itself", "likeliest_tags", "step_by_step"),
        _known("the path backwards, or of the wrong row", "backwards", "best_so_far"),
        _known("transitions transposed", "transposed"),
        _known("no start", "start_left_out"),
        _known("what is forbidden is free", "forbidden_is_free"),
        _known("probabilities added", "probabilities_added"),
        _known("the first word twice", "first_word_twice"),
        _not_asked("padding decoded", "a sentence comes without padding"),
        _not_asked("a log-sum-exp without its maximum", "no transition is learned, so there is none"),
    ),
}
