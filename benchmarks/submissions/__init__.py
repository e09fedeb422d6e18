"""What the benchmarks and the tests hand in: damaged and hostile notebooks, downloads of a class."""
