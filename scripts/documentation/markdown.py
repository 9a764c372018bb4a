"""Markdown as pages: GitHub's own renderer, GitHub's anchors, and links that fit the site."""

import html
import re
import subprocess
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from . import code
from .pages import Entry, anchor_mark

PROGRAM = "cmark-gfm"
PACKAGE = "cmark-gfm"
EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist", "footnotes"]


def rendered(text):
    """Returns the HTML of a Markdown text, as GitHub shows it."""
    command = [PROGRAM, "--unsafe"]
    for extension in EXTENSIONS:
        command += ["--extension", extension]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def slug(text, taken):
    """Returns GitHub's anchor of a heading, and notes it in `taken`."""
    base = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
    anchor, number = base, 0
    while anchor in taken:
        number += 1
        anchor = f"{base}-{number}"
    taken.add(anchor)
    return anchor


class Document(HTMLParser):
    """A rendered text on its way into a page.

    `resolve(address)` returns the address of a link or a picture in the site. `symbol(name)` returns the address of the
    page of a symbol that is named in code, or None.
    """

    VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}

    def __init__(self, text, resolve, symbol):
        super().__init__(convert_charrefs=False)
        self.resolve, self.symbol = resolve, symbol
        self.parts = []
        self.headings = []  # (level, anchor, text)
        self.sections = [("", "", [])]  # (anchor, heading, words)
        self.taken = set()
        self.heading = None  # the parts and the text of the heading that is open
        self.block = None  # the language and the text of the code block that is open
        self.span = None  # the text of the code span that is open
        self.links = 0
        self.feed(rendered(text))
        self.close()

    @property
    def body(self):
        return "".join(self.parts)

    @property
    def title(self):
        return next((text for level, _, text in self.headings if level == 1), "")

    def entries(self, title, kind):
        """Yields a search result for the page and for each of its chapters."""
        for anchor, heading, words in self.sections:
            text = " ".join("".join(words).split())
            if heading and heading != title:
                yield Entry(f"{title}: {heading}", kind, text, anchor)
            elif text or heading:
                yield Entry(title, kind, text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if re.fullmatch("h[1-6]", tag):
            self.heading = (int(tag[1]), len(self.parts), [])
            return
        if tag == "pre":
            self.block = ("", [])
            return
        if tag == "code" and self.block is not None:
            self.block = ((values.get("class") or "").removeprefix("language-"), self.block[1])
            return
        if tag == "code":
            self.span = []
            return
        if tag == "a":
            self.links += 1
        for name in ("href", "src", "srcset"):
            if values.get(name):
                values[name] = self.resolve(values[name])
        if tag == "table":
            self.parts.append('<div class="wide">')
        self.parts.append(f"<{tag}{self.written(values)}>")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    @staticmethod
    def written(values):
        return "".join(f' {name}="{html.escape(value or "")}"' for name, value in values.items())

    def handle_endtag(self, tag):
        if self.heading and re.fullmatch("h[1-6]", tag):
            return self.end_heading()
        if tag == "pre" and self.block is not None:
            return self.end_block()
        if tag == "code":
            return self.end_span() if self.span is not None else None
        if tag == "a":
            self.links -= 1
        if tag not in self.VOID:
            self.parts.append(f"</{tag}>")
        if tag == "table":
            self.parts.append("</div>")
        if tag in ("p", "li", "td", "th", "dd", "dt"):
            self.sections[-1][2].append(" ")

    def end_heading(self):
        level, place, words = self.heading
        text = "".join(words)
        anchor = slug(text, self.taken)
        inner = "".join(self.parts[place:])
        self.parts[place:] = [f'<h{level} id="{html.escape(anchor)}">{inner} {anchor_mark(anchor)}</h{level}>']
        self.headings.append((level, anchor, text))
        self.sections.append((anchor if level > 1 else "", text, []))
        self.heading = None

    def end_block(self):
        language, words = self.block
        text = "".join(words)
        inner = code.swift(text) if language == "swift" else html.escape(text, quote=False)
        self.parts.append(f"<pre><code>{inner}</code></pre>")
        self.sections[-1][2].append(text)
        self.block = None

    def end_span(self):
        text = "".join(self.span)
        # No line breaks after the hyphens of an option.
        whole = ' class="whole"' if "-" in text and len(text) <= 24 else ""
        # A long name with labels may break after each of them.
        shown = html.escape(text, quote=False)
        shown = re.sub(r"([.:(])(?=\w)", r"\1<wbr>", shown) if len(text) > 24 and "(" in text else shown
        inner = f"<code{whole}>{shown}</code>"
        address = None if self.links or self.heading else self.symbol(text)
        self.parts.append(f'<a href="{html.escape(address)}">{inner}</a>' if address else inner)
        (self.heading[2] if self.heading else self.sections[-1][2]).append(text)
        self.span = None

    def handle_data(self, data):
        self.add(data, html.escape(data, quote=False))

    def handle_entityref(self, name):
        self.add(html.unescape(f"&{name};"), f"&{name};")

    def handle_charref(self, name):
        self.add(html.unescape(f"&#{name};"), f"&#{name};")

    def add(self, text, written):
        if self.block is not None:
            self.block[1].append(text)
        elif self.span is not None:
            self.span.append(text)
        else:
            (self.heading[2] if self.heading else self.sections[-1][2]).append(text)
            self.parts.append(written)


def is_outside(address):
    """Whether an address leads out of the project."""
    parts = urlsplit(address)
    return bool(parts.scheme or parts.netloc)


def split(address):
    """Returns the path and the anchor of an address inside the project."""
    path, _, anchor = address.partition("#")
    return unquote(path), unquote(anchor)
