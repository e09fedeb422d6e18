"""From any text to batches: a corpus becomes token arrays on disk, and these become the rows of every epoch."""
