"""The index of the search: a script, as a page that was opened from a file may read nothing else."""

import json

# Longer texts are cut: a reader who searches for words that stand so late has others.
LONGEST = 2400


def index(pages):
    """Returns the text of search-index.js."""
    kinds, entries = [], []
    for number, page in enumerate(pages):
        for entry in page.entries:
            if entry.kind not in kinds:
                kinds.append(entry.kind)
            text = entry.text[:LONGEST]
            entries.append([entry.title, kinds.index(entry.kind), number, entry.anchor, text])
    data = {"pages": [page.path for page in pages], "kinds": kinds, "entries": entries}
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # One entry a line, so that two versions can be compared.
    return "window.searchIndex = " + written.replace('],["', '],\n["') + ";\n"
