"""Sleeps, and never answers."""
import time


def padding_mask(token_ids, padding_id=0):
    while True:
        time.sleep(1000)
