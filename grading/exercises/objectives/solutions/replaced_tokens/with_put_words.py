from keras import ops, random

from course.given.electra_parts import put_words


def replaced_tokens(token_ids, positions, weights, logits, seed=None):
    ids = ops.convert_to_tensor(token_ids, dtype="int32")
    predictions, vocabulary = ops.shape(logits)[1], logits.shape[-1]
    words = random.categorical(ops.reshape(logits, (-1, vocabulary)), num_samples=1, seed=seed)
    words = ops.reshape(words, (-1, predictions))
    fake = put_words(ids, positions, weights, words)
    return fake, ops.logical_not(ops.equal(fake, ids))
