"""Complete, repeatable trainings, from text to a measured model. README.md has the results of most of them, and the
card of the encoder in datasets/ has that encoder's."""
