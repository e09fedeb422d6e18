"""The mistakes that students make in ranking: each a few lines of wrong code, a sentence and a hint."""
