"""Search in your own texts: an index on disk, BM25, vectors, and a page that marks the words found."""
