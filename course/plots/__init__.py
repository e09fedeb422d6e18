"""Plots of attention, masks, curves and errors, and diagrams of BERT's parts; each has an alternative text."""

from course.plots.charts import (
    plot_attention,
    plot_confusion,
    plot_curves,
    plot_guesses,
    plot_mask,
    plot_reliability,
)
from course.plots.diagrams import draw_attention, draw_bert, draw_blocks
from course.plots.picture import Picture

__all__ = [
    "Picture",
    "draw_attention",
    "draw_bert",
    "draw_blocks",
    "plot_attention",
    "plot_confusion",
    "plot_curves",
    "plot_guesses",
    "plot_mask",
    "plot_reliability",
]
