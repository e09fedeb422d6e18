"""Where commands write: what came of them to one stream, and how it goes and what went wrong to the other."""

from __future__ import annotations

from rich.console import Console

output = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)
