"""What the benchmarks and the tests hand in: right solutions, damaged and hostile notebooks, downloads of a class."""
