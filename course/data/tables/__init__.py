"""Files of one's own as people have them: compressed or not, with marks or without, tables of four kinds."""
