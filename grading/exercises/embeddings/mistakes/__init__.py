"""The mistakes that students make with embeddings: each a few lines of wrong code, a sentence and a hint."""
