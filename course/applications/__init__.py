"""Applications built on the lessons: search, ranking, tagging, translation and smaller models."""
