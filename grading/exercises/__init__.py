"""One package for each chapter: checks, known mistakes, right solutions, equivalent mutants and the sample class."""
