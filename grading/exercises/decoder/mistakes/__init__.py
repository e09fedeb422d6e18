"""The mistakes that students make when models write: each a few lines of wrong code, a sentence and a hint."""
