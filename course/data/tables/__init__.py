"""Read your own tables and text files: compressed or not, with a byte order mark or without, tables of four kinds."""
