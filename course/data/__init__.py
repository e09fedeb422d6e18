"""From files to ids: data sets, tables, corpora and text."""
