"""Search in texts of one's own: an index on disk, BM25, and what marks the words that were found."""
