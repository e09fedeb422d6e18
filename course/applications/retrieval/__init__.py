"""What matching and ranking need around the lessons: texts to find, candidates, training, and stored results."""
