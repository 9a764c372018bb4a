"""Films with known pictures and clicks, eyes that read the pictures from a screen, and ears that hear the clicks.

`film.py` makes films, `display.py` speaks to an X server, `eyes.py` watches a window, `ears.py` finds clicks, `steps.py` pairs both,
`proofs.py` tests all of them: `Interop/films/proofs.py` runs alone.
"""
