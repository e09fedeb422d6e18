"""The course as a site: `python -m website` builds it from the notebooks, the docstrings, the README and docs/.

`chapters`, `reference` and `texts` first write the pages into one folder; Sphinx then builds HTML from them (`conf`).
"""
