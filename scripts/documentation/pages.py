"""A page of the site, its frame, and links between pages."""

import html
import posixpath
from dataclasses import dataclass, field
from urllib.parse import quote


@dataclass
class Entry:
    """A search result: a page, or a place in it."""

    title: str
    kind: str
    text: str = ""
    anchor: str = ""


@dataclass
class Page:
    """One HTML file. Paths are relative to the site's folder; links in `body` are relative to the page."""

    path: str
    title: str
    body: str
    is_text: bool = False  # made from Markdown
    trail: list = field(default_factory=list)  # (title, path) of the pages above
    contents: list = field(default_factory=list)  # (level, anchor, text) of the headings
    entries: list = field(default_factory=list)


def link(source, target, anchor=""):
    """Returns the relative address of `target` for the page `source`."""
    fragment = "#" + quote(anchor, safe="()[]:,;.!*'~$&+=@/?-_") if anchor else ""
    if target == source and anchor:
        return fragment
    return quote(posixpath.relpath(target, posixpath.dirname(source) or ".")) + fragment


def anchor_mark(anchor):
    """Returns the link that a heading shows under the pointer."""
    return f'<a class="mark" href="{html.escape(link("", "", anchor))}" aria-label="Link to this place">#</a>'


@dataclass
class Group:
    """A list of pages in the navigation."""

    title: str
    pages: list  # (title, path)


def framed(page, groups):
    """Returns the whole text of a page's file."""
    root = posixpath.relpath(".", posixpath.dirname(page.path) or ".")
    root = "" if root == "." else root + "/"
    trail = "".join(
        f'<a href="{link(page.path, path)}">{html.escape(title)}</a> <span aria-hidden="true">›</span> '
        for title, path in page.trail
    )
    trail = f'<nav class="trail" aria-label="Pages above">{trail}</nav>\n' if trail else ""
    return f"""<!doctype html>
<html lang="en" data-root="{root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title_in_window(page.title))}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{root}style.css">
<script src="{root}search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="{root}index.html">Tutti</a>
<form id="search" role="search" hidden>
<input type="search" placeholder="Search" aria-label="Search" autocomplete="off" spellcheck="false"
 role="combobox" aria-expanded="false" aria-controls="results">
<ul id="results" role="listbox" hidden></ul>
</form>
<a class="menu" href="#pages">Pages</a>
</header>
<div class="columns">
<main id="content">
{trail}{page.body}
</main>
{contents(page)}<nav id="pages" aria-label="Pages">
{navigation(page, groups)}</nav>
</div>
</body>
</html>
"""


def title_in_window(title):
    return title if title == "Tutti" else f"{title} – Tutti"


def contents(page):
    """Returns the list of the page's headings; nothing for a short page."""
    headings = [(level, anchor, text) for level, anchor, text in page.contents if level in (2, 3)]
    if len(headings) < 3:
        return ""
    # Only the chapters, if there would be too many lines.
    if len(headings) > 40:
        headings = [heading for heading in headings if heading[0] == 2]
    lines = "\n".join(
        f'<li class="level{level}"><a href="{html.escape(link("", "", anchor))}">{html.escape(text)}</a></li>'
        for level, anchor, text in headings
    )
    return f'<aside class="contents" aria-label="On this page"><h2>On this page</h2>\n<ul>\n{lines}\n</ul></aside>\n'


def navigation(page, groups):
    lines = []
    for group in groups:
        lines.append(f"<h2>{html.escape(group.title)}</h2>\n<ul>\n")
        for title, path in group.pages:
            here = ' aria-current="page"' if path == page.path else ""
            lines.append(f'<li><a href="{link(page.path, path)}"{here}>{html.escape(title)}</a></li>\n')
        lines.append("</ul>\n")
    return "".join(lines)
