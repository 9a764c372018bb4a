"""Makes the pages of the documentation site; scripts/site.py puts them together."""
