"""The data of the course: the sample that comes with it, and public data sets, which are downloaded on request."""

from course.data.datasets.ag_news import TOPICS, load_ag_news
from course.data.datasets.cranfield import Cranfield, load_cranfield
from course.data.datasets.quora_pairs import load_quora_pairs
from course.data.datasets.sample import Entity, load_sample
from course.data.datasets.sst import load_sst
from course.data.datasets.wnut17 import WNUT17_KINDS, load_wnut17

__all__ = [
    "TOPICS",
    "WNUT17_KINDS",
    "Cranfield",
    "Entity",
    "load_ag_news",
    "load_cranfield",
    "load_quora_pairs",
    "load_sample",
    "load_sst",
    "load_wnut17",
]
