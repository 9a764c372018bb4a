"""The documentation of the modules as pages, from the data that DocC writes for its own web page.

A type, an article and a symbol at the top of a module have a page of their own. A symbol without symbols below it
stands in full on the page that lists it.
"""

import html
import json
import pathlib
import posixpath
import re

from . import code
from .pages import Entry, Page, anchor_mark, link

ROOT = "api"
# Kinds of DocC's symbols that never stand on another symbol's page.
TYPES = {"module", "class", "struct", "enum", "protocol", "extension"}
# DocC's words for the kinds of pages, and ours.
KINDS = {"Framework": "Module", "API Collection": "Article"}


class Reference:
    """All pages of DocC's data in a folder."""

    def __init__(self, folder):
        data = pathlib.Path(folder) / "data" / "documentation"
        self.nodes = {}
        for path in sorted(data.rglob("*.json")):
            node = json.loads(path.read_text())
            self.nodes[address(node)] = node
        self.by_identifier = {node["identifier"]["url"]: key for key, node in self.nodes.items()}
        self.listed_by = {}
        for key in sorted(self.nodes):
            for section in self.nodes[key].get("topicSections", []):
                for identifier in section["identifiers"]:
                    self.listed_by.setdefault(identifier, []).append(key)
        self.files = {}  # the page's path of each node that has a page
        self.anchors = {}  # the anchor of each node that stands on another's page
        taken = set()
        for key in sorted(self.nodes):
            if self.has_page(key):
                self.files[key] = file_name(key, taken)
        for key in sorted(self.nodes):
            if key not in self.files:
                self.anchors[key] = anchor(self.nodes[key])
        self.names = self.all_names()

    # Where a symbol stands

    def parent(self, key):
        """Returns the node that lists a node, the one above it first; None for a module."""
        node = self.nodes[key]
        paths = node.get("hierarchy", {}).get("paths") or [[]]
        above = self.by_identifier.get(paths[0][-1]) if paths[0] else None
        listing = self.listed_by.get(node["identifier"]["url"], [])
        return above if above in listing or not listing else listing[0]

    def has_page(self, key):
        node, parent = self.nodes[key], self.parent(key)
        if self.is_conformance(key):
            return False
        if node["kind"] == "article" or node["metadata"].get("symbolKind") in TYPES or parent is None:
            return True
        if node.get("topicSections"):
            return True
        if self.nodes[parent]["metadata"].get("symbolKind") == "module":
            return True
        return parent not in self.listed_by.get(node["identifier"]["url"], [])

    @staticmethod
    def is_conformance(key):
        """Whether a node is DocC's list of the members that fulfil a protocol. They stand on the type's page."""
        return key.endswith("-implementations")

    def place(self, key):
        """Returns the path and the anchor at which a node stands."""
        if key in self.files:
            return self.files[key], ""
        return self.place(self.parent(key))[0], "" if self.is_conformance(key) else self.anchors[key]

    def address(self, source, key):
        return link(source, *self.place(key))

    # Names

    def full_name(self, key):
        """Returns a symbol's name with those of its types: `AVPlayer.Status.failed`."""
        node = self.nodes[key]
        if node["kind"] == "article" or node["metadata"].get("symbolKind") == "module":
            return node["metadata"]["title"]
        steps, name = key.split("/"), ""
        for end in range(4, len(steps) + 1):
            above = self.nodes.get("/".join(steps[:end]))
            if above:
                # A type inside another has the outer one's name in its title.
                title = above["metadata"]["title"].removeprefix(name + ".")
                name = f"{name}.{title}" if name else title
        return name

    def all_names(self):
        names = {}
        for key in sorted(self.nodes):
            if self.nodes[key]["kind"] == "symbol":
                names.setdefault(self.full_name(key), key)
        return names

    def symbol(self, name):
        """Returns the node of a symbol that a text names in code, or None."""
        key = self.names.get(name)
        # A module's name and a word in lower case mean a symbol too seldom.
        return key if key and (re.match(r"[A-Z][A-Za-z]{2}", name) or re.match("k[A-Z]", name)) else None

    def modules(self):
        return [key for key in sorted(self.nodes) if self.parent(key) is None]

    def title(self, key):
        return self.nodes[key]["metadata"]["title"]

    # Pages

    def pages(self):
        inside = {}
        for key in sorted(self.anchors):
            above = self.parent(key)
            while above not in self.files:
                above = self.parent(above)
            inside.setdefault(above, []).append(key)
        for key in sorted(self.files):
            yield SymbolPage(self, key, set(inside.get(key, ()))).page()

    def index(self):
        """Returns the page that lists the modules."""
        path = f"{ROOT}/index.html"
        lines = "\n".join(
            f'<tr><td><a href="{link(path, self.files[key])}"><code>{html.escape(self.title(key))}</code></a></td>'
            f'<td>{Text(self, path, self.nodes[key]).inline(self.nodes[key].get("abstract", []))}</td></tr>'
            for key in self.modules()
        )
        return Page(
            path=path,
            title="Modules",
            body=f'<h1>Modules</h1>\n<div class="wide"><table>\n{lines}\n</table></div>',
            entries=[Entry("Modules", "API")],
        )


def address(node):
    return node["variants"][0]["paths"][0]


def anchor(node):
    return posixpath.basename(node["identifier"]["url"])


def kind_of(node):
    """Returns the kind of a page in words, such as "Instance Method"."""
    heading = node["metadata"].get("roleHeading") or ("Article" if node["kind"] == "article" else "")
    return KINDS.get(heading, heading)


def file_name(key, taken):
    """Returns a path for a node that every file system takes."""
    steps = [re.sub(r"[^a-z0-9._-]+", "-", step).strip("-") or "operator" for step in key.split("/")[2:]]
    base = "/".join([ROOT, *steps])
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name + ".html"


class Text:
    """Turns DocC's content into HTML for the page at `path`; `node` has the references."""

    def __init__(self, reference, path, node):
        self.reference, self.path, self.node = reference, path, node

    def target(self, identifier):
        """Returns the node's key behind an identifier, or None."""
        known = self.reference.by_identifier.get(identifier)
        if known:
            return known
        url = self.node["references"].get(identifier, {}).get("url", "")
        return url if url in self.reference.nodes else None

    def inline(self, content):
        return "".join(self.inline_part(part) for part in content)

    def inline_part(self, part):
        match part["type"]:
            case "text":
                return html.escape(part["text"], quote=False)
            case "codeVoice":
                inner = f"<code>{html.escape(part['code'], quote=False)}</code>"
                key = self.reference.symbol(part["code"])
                if key and self.reference.place(key)[0] != self.path:
                    return f'<a href="{html.escape(self.reference.address(self.path, key))}">{inner}</a>'
                return inner
            case "emphasis" | "newTerm":
                return f"<em>{self.inline(part['inlineContent'])}</em>"
            case "strong" | "inlineHead":
                return f"<strong>{self.inline(part['inlineContent'])}</strong>"
            case "reference":
                return self.mention(part["identifier"], part.get("overridingTitleInlineContent"))
            case "link":
                return f'<a href="{html.escape(part["destination"])}">{html.escape(part["title"])}</a>'
        raise ValueError(f"{self.path}: unknown text {part['type']}")

    def mention(self, identifier, title=None):
        """Returns a symbol's or an article's name as a link."""
        entry = self.node["references"].get(identifier, {})
        key = self.target(identifier)
        name = entry.get("title") or (self.reference.title(key) if key else posixpath.basename(identifier))
        inner = self.inline(title) if title else html.escape(name, quote=False)
        if not title and (entry.get("kind", "symbol") == "symbol"):
            inner = f"<code>{inner}</code>"
        if key is None:
            return f'<a href="{html.escape(entry["url"])}">{inner}</a>' if "://" in entry.get("url", "") else inner
        return f'<a href="{html.escape(self.reference.address(self.path, key))}">{inner}</a>'

    def blocks(self, content, level=0):
        """Returns paragraphs, lists and the like; `level` is added to that of headings."""
        return "\n".join(self.block(block, level) for block in content)

    def block(self, block, level):
        match block["type"]:
            case "paragraph":
                return f"<p>{self.inline(block['inlineContent'])}</p>"
            case "heading":
                depth = min(block["level"] + level, 6)
                inner = html.escape(block["text"], quote=False)
                if level:
                    return f"<h{depth}>{inner}</h{depth}>"
                mark = anchor_mark(block["anchor"])
                return f'<h{depth} id="{html.escape(block["anchor"])}">{inner} {mark}</h{depth}>'
            case "codeListing":
                text = "\n".join(block["code"])
                inner = code.swift(text) if block.get("syntax") == "swift" else html.escape(text, quote=False)
                return f"<pre><code>{inner}</code></pre>"
            case "aside":
                name = html.escape(block.get("name") or block["style"].capitalize())
                return f'<div class="aside"><p class="label">{name}</p>\n{self.blocks(block["content"], level)}</div>'
            case "unorderedList" | "orderedList":
                tag = "ul" if block["type"] == "unorderedList" else "ol"
                items = "".join(f"<li>{self.blocks(item['content'], level)}</li>\n" for item in block["items"])
                return f"<{tag}>\n{items}</{tag}>"
            case "termList":
                items = "".join(
                    f"<dt>{self.inline(item['term']['inlineContent'])}</dt>"
                    f"<dd>{self.blocks(item['definition']['content'], level)}</dd>\n"
                    for item in block["items"]
                )
                return f"<dl>\n{items}</dl>"
            case "table":
                rows = [
                    "<tr>" + "".join(self.cell(cell, "th" if head else "td", level) for cell in row) + "</tr>\n"
                    for head, row in ((block["header"] == "row" and not number, row) for number, row in enumerate(block["rows"]))
                ]  # fmt: skip
                return f'<div class="wide"><table>\n{"".join(rows)}</table></div>'
        raise ValueError(f"{self.path}: unknown block {block['type']}")

    def cell(self, cell, tag, level):
        inner = self.blocks(cell, level)
        inner = re.sub(r"^<p>(.*)</p>$", r"\1", inner, flags=re.DOTALL) if inner.count("<p>") == 1 else inner
        return f"<{tag}>{inner}</{tag}>"

    def declaration(self, tokens):
        """Returns a declaration as HTML; a long one has a line for each parameter."""
        pieces = [(self.token(token), token["text"], token["kind"]) for token in tokens]
        if sum(len(text) for _, text, _ in pieces) <= 76:
            return "".join(piece for piece, _, _ in pieces)
        named, opened, depth, parts = False, False, 0, []
        for piece, text, kind in pieces:
            named = named or kind == "identifier" or (kind == "keyword" and text in ("init", "subscript"))
            if kind != "text" or not named:
                parts.append("\n" if kind == "text" and text == " " and self.is_after_attribute(parts) else piece)
                continue
            for sign in text:
                written = html.escape(sign, quote=False)
                if sign in "([<{":
                    depth += 1
                    if sign == "(" and depth == 1 and not opened:
                        opened = True
                        written += "\n    "
                elif sign in ")]}" or (sign == ">" and not (parts and parts[-1] == "-")):
                    depth -= 1
                    if sign == ")" and depth == 0 and opened is True:
                        opened = None
                        written = "\n)"
                elif sign == "," and depth == 1 and opened:
                    written += "\n   "
                parts.append(written)
        return re.sub(r" +\n", "\n", "".join(parts)).replace("(\n    \n)", "()")

    @staticmethod
    def is_after_attribute(parts):
        return bool(parts) and parts[-1].startswith('<span class="attribute">')

    def token(self, token):
        inner = html.escape(token["text"], quote=False)
        key = self.target(token["identifier"]) if "identifier" in token else None
        if key:
            return f'<a href="{html.escape(self.reference.address(self.path, key))}">{inner}</a>'
        if token["kind"] in ("keyword", "attribute", "string", "number"):
            return f'<span class="{token["kind"]}">{inner}</span>'
        if token["kind"] == "identifier":
            return f"<b>{inner}</b>"
        return inner


class SymbolPage:
    """The page of one node, with the symbols that stand on it."""

    def __init__(self, reference, key, inside):
        self.reference, self.key, self.inside = reference, key, inside
        self.node = reference.nodes[key]
        self.path = reference.files[key]
        self.text = Text(reference, self.path, self.node)
        self.contents = []
        self.taken = set()
        self.entries = []

    def page(self):
        name = self.reference.full_name(self.key)
        self.note(self.node, self.key, "")
        parts = [self.head(name), self.described(self.node, self.text, 0), *self.topics()]
        forgotten = [key for key in self.inside if not self.reference.is_conformance(key)]
        if forgotten:
            raise ValueError(f"{self.path}: nothing shows {forgotten}")
        body = "\n".join(part for part in parts if part)
        return Page(
            path=self.path,
            title=name,
            body=f'<div class="symbol-page">\n{body}\n</div>',
            trail=self.trail(),
            contents=self.contents,
            entries=self.entries,
        )

    def trail(self):
        trail, key = [], self.reference.parent(self.key)
        while key:
            trail.insert(0, (self.reference.title(key), self.reference.files[key]))
            key = self.reference.parent(key)
        return [("Modules", f"{ROOT}/index.html"), *trail]

    def note(self, node, key, anchor):
        """Notes a symbol for the search."""
        text = re.sub(r"<[^>]+>", "", Text(self.reference, self.path, node).inline(node.get("abstract", [])))
        kind = kind_of(node)
        module = next((module["name"] for module in node["metadata"].get("modules", [])), "")
        kind = " · ".join(part for part in (kind, module) if part and part != self.reference.full_name(key))
        self.entries.append(Entry(self.reference.full_name(key), kind, html.unescape(text), anchor))

    def head(self, name):
        kind = kind_of(self.node)
        is_symbol = self.node["kind"] == "symbol" and self.node["metadata"].get("symbolKind") != "module"
        title = f"<code>{breakable(name)}</code>" if is_symbol else html.escape(name)
        return f'<p class="kind">{html.escape(kind)}</p>\n<h1>{title}</h1>' if kind else f"<h1>{title}</h1>"

    def described(self, node, text, level):
        """Returns declaration, summary, parameters and discussion of a node."""
        parts = []
        if node.get("deprecationSummary"):
            parts.append(f'<div class="aside"><p class="label">Deprecated</p>\n{text.blocks(node["deprecationSummary"], level)}</div>')
        abstract = text.inline(node.get("abstract", []))
        sections = node.get("primaryContentSections", [])
        for section in sections:
            if section["kind"] == "declarations":
                for declaration in section["declarations"]:
                    parts.append(f'<pre class="declaration"><code>{text.declaration(declaration["tokens"])}</code></pre>')
        if abstract:
            parts.append(f'<p class="abstract">{abstract}</p>')
        for section in sections:
            match section["kind"]:
                case "declarations":
                    pass
                case "parameters":
                    parts.append(self.parameters(section["parameters"], text, level))
                case "content":
                    parts.append(self.content(section["content"], text, level))
                case "mentions":
                    mentions = ", ".join(text.mention(mention) for mention in section["mentions"])
                    parts.append(f'<p class="related"><b>Mentioned in</b> {mentions}</p>')
                case unknown:
                    raise ValueError(f"{self.path}: unknown section {unknown}")
        for section in node.get("relationshipsSections", []):
            related = ", ".join(
                self.related(identifier, text)
                for identifier in section["identifiers"]
                if not identifier.endswith("s16SendableMetatypeP")
            )
            title = html.escape(section["title"].capitalize())
            parts.append(f'<p class="related"><b>{title}</b> {related}</p>')
        return "\n".join(parts)

    @staticmethod
    def related(identifier, text):
        """Returns the name of a type that a type inherits from, or the like, without Swift's and Foundation's module."""
        return re.sub(r"<code>(?:Swift|Foundation)\.", "<code>", text.mention(identifier))

    @staticmethod
    def parameters(parameters, text, level):
        lines = "".join(
            f"<dt><code>{html.escape(parameter['name'])}</code></dt><dd>{text.blocks(parameter['content'], level)}</dd>\n"
            for parameter in parameters
        )
        return f'<dl class="parameters">\n{lines}</dl>'

    def content(self, content, text, level):
        """Returns a discussion. Its first heading is DocC's own and says nothing."""
        content = [
            block
            for block in content
            if not (block["type"] == "heading" and block["text"] in ("Overview", "Discussion") and block["level"] == 2)
        ]
        if not level:
            for block in content:
                if block["type"] == "heading":
                    self.contents.append((block["level"], block["anchor"], block["text"]))
        return text.blocks(content, level)

    def topics(self):
        """Yields the lists of symbols below this one, and those beside it."""
        for section in self.node.get("topicSections", []):
            yield self.topic(section, section.get("title"))
        for section in self.node.get("defaultImplementationsSections", []):
            yield self.topic(section, "Default implementations")
        beside = [
            identifier
            for section in self.node.get("seeAlsoSections", [])
            for identifier in section["identifiers"]
            if self.text.target(identifier)
        ]
        if beside and len(beside) <= 40:
            mentions = ", ".join(self.text.mention(identifier) for identifier in beside)
            yield f'<p class="related"><b>See also</b> {mentions}</p>'

    def topic(self, section, title):
        parts = []
        if title:
            place = unique("topic-" + re.sub(r"\W+", "-", title.lower()), self.taken)
            self.contents.append((2, place, title))
            parts.append(f'<h2 id="{place}">{html.escape(title)} {anchor_mark(place)}</h2>')
        rows = []
        for identifier in section["identifiers"]:
            key = self.text.target(identifier)
            if key in self.inside and self.reference.is_conformance(key):
                for below in self.reference.nodes[key]["topicSections"]:
                    members = [self.text.target(member) for member in below["identifiers"]]
                    parts += [self.member(member) for member in members if member in self.inside]
                    self.inside.difference_update(members)
            elif key in self.inside:
                if rows:
                    parts.append(listing(rows))
                    rows = []
                parts.append(self.member(key))
                self.inside.remove(key)
            else:
                rows.append(self.row(identifier, key))
        if rows:
            parts.append(listing(rows))
        return "\n".join(parts)

    def row(self, identifier, key):
        entry = self.node["references"].get(identifier, {})
        return self.text.mention(identifier), self.text.inline(entry.get("abstract", []))

    def member(self, key):
        """Returns a symbol that has no page of its own."""
        node = self.reference.nodes[key]
        anchor = self.reference.anchors[key]
        title = node["metadata"]["title"]
        self.note(node, key, anchor)
        self.contents.append((3, anchor, title))
        text = Text(self.reference, self.path, node)
        return (
            f'<section class="member">\n<h3 id="{html.escape(anchor)}"><code>{breakable(title)}</code> {anchor_mark(anchor)}</h3>\n'
            f"{self.described(node, text, 2)}\n</section>"
        )


def listing(rows):
    lines = "\n".join(f"<li>{name}{f' <span>{text}</span>' if text else ''}</li>" for name, text in rows)
    return f'<ul class="symbols">\n{lines}\n</ul>'


def breakable(name):
    """Returns a name as HTML in which a line may break after a dot, a colon and a parenthesis."""
    return re.sub(r"([.:(])(?=[^)])", r"\1<wbr>", html.escape(name, quote=False))


def unique(name, taken):
    base, number = name, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name
