#!/usr/bin/env python3
"""Makes the documentation site, .build/site: pages that open from a file, without a web server.

    scripts/site.py [--docc FOLDER] [--man FOLDER] [--output FOLDER]
    scripts/site.py --programs      only says which programs are missing

From the project's Markdown, the man pages that `tutti reference man FOLDER` wrote, and DocC's data (scripts/docs.sh).
`make site` makes these first. Fails if a link leads nowhere, if a page would request anything from outside, or if a
program that it needs is missing. The same input gives the same bytes.
"""

import argparse
import html
import pathlib
import posixpath
import re
import shutil
import sys
import time

from documentation import api, code, links, manual, markdown, search
from documentation.pages import Entry, Group, Page, framed, link

ROOT = pathlib.Path(__file__).resolve().parent.parent
OWN = pathlib.Path(__file__).resolve().parent / "documentation"
PICTURES = {".png", ".jpg", ".jpeg", ".svg", ".gif", ".webp"}
# A file that the text names is shown if it is not larger.
LARGEST_FILE = 200_000

# The list of pages from which the navigation is made: a heading of the second level begins a group.
CONTENTS = "docs/README.md"


class Site:
    """The files of the project, and the pages that come of them."""

    def __init__(self, docc, manuals):
        self.reference = api.Reference(docc)
        self.manuals = manuals
        self.paths = {}  # the page of each file and folder of the project
        self.waiting = []  # files and folders that a text named, without pages yet
        self.pictures = set()
        self.pages = []

    # From files of the project to addresses

    def resolve(self, source, page, address):
        """Returns the address in the site for an address in the file `source`."""
        if markdown.is_outside(address):
            return address
        path, anchor = markdown.split(address)
        if not path:
            return link(page, page, anchor)
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        return link(page, self.page_of(path), anchor)

    def page_of(self, path):
        """Returns the page of a file or folder of the project, which is made later if it is new."""
        if path in self.paths:
            return self.paths[path]
        file = ROOT / path
        if not file.exists():
            # The check of the links tells of it.
            self.paths[path] = path
        elif article := re.fullmatch(r"Sources/\w+/(\w+)/\1\.docc/(\w+)\.md", path):
            key = f"/documentation/{article[1]}".lower()
            key += "" if article[1] == article[2] else f"/{article[2]}".lower()
            self.paths[path] = self.reference.files[key]
        elif path.startswith("docs/man/"):
            self.paths[path] = f"man/{posixpath.basename(path)}.html"
        elif file.suffix in PICTURES:
            self.pictures.add(path)
            self.paths[path] = path
        elif file.is_dir() and (file / "README.md").exists():
            self.paths[path] = self.page_of(posixpath.join(path, "README.md"))
        elif file.suffix == ".md":
            self.paths[path] = posixpath.splitext(path)[0] + ".html"
            self.waiting.append(path)
        else:
            self.paths[path] = f"files/{path}.html"
            self.waiting.append(path)
        return self.paths[path]

    # Pages

    def add_markdown(self, source):
        path = self.page_of(source)

        def symbol(name):
            key = self.reference.symbol(name)
            return self.reference.address(path, key) if key else None

        text = (ROOT / source).read_text()
        document = markdown.Document(text, lambda address: self.resolve(source, path, address), symbol)
        title = document.title or source
        entries = list(document.entries(title, "Text"))
        self.pages.append(
            Page(path, title, document.body, is_text=True, contents=document.headings, entries=entries)
        )

    def add_file(self, source):
        """Adds the page of a file or a folder that a text names."""
        path, file = self.paths[source], ROOT / source
        title = f"<h1><code>{html.escape(source)}</code></h1>"
        if file.is_dir():
            names = [child.name + ("/" if child.is_dir() else "") for child in file.iterdir() if child.name[0] != "."]
            lines = []
            for name in sorted(names):
                target = self.page_of(posixpath.join(source, name.rstrip("/")))
                lines.append(f'<li><a href="{link(path, target)}">{html.escape(name)}</a></li>')
            body = f"{title}\n<ul>\n" + "\n".join(lines) + "\n</ul>"
        else:
            text = text_of(file)
            inner = code.swift(text) if file.suffix == ".swift" else html.escape(text, quote=False)
            body = f"{title}\n<pre><code>{inner}</code></pre>"
        self.pages.append(Page(path, source, body, entries=[Entry(source, "File")]))

    def add_manuals(self):
        files = sorted(self.manuals.glob("*.[1-8]")) + sorted((ROOT / "docs/man").glob("*.[1-8]"))
        made = {}
        for file in files:
            made.setdefault(file.name, manual.page(file))
        self.pages += [page for page, _ in made.values()]
        self.pages.append(manual.index(made.values()))

    def add_all(self):
        sources = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("*.md"))]
        sources += [
            path.relative_to(ROOT).as_posix()
            for path in sorted((ROOT / "docs").rglob("*.md"))
            if "site" not in path.relative_to(ROOT / "docs").parts[:1]
        ]
        self.paths["README.md"] = "index.html"
        self.waiting.append("README.md")
        self.paths["."] = "index.html"
        for source in sources:
            self.page_of(source)
        while self.waiting:
            source = self.waiting.pop(0)
            if source.endswith(".md"):
                self.add_markdown(source)
            else:
                self.add_file(source)
        self.add_manuals()
        self.pages.append(self.reference.index())
        self.pages += self.reference.pages()
        self.pages.sort(key=lambda page: page.path)

    def groups(self):
        """Returns the navigation: the pages that docs/README.md lists, the modules, and all other texts."""
        titles = {page.path: page.title for page in self.pages}
        groups, listed = [], {"index.html"}
        for heading, names in listed_pages((ROOT / CONTENTS).read_text()):
            pages = []
            for title, path in names:
                target = self.paths.get(path, "")
                if target in titles and target not in listed and not target.startswith("files/"):
                    listed.add(target)
                    pages.append((title, target))
            groups.append(Group(heading, pages))
        modules = [(self.reference.title(key), self.reference.files[key]) for key in self.reference.modules()]
        rest = [
            (page.title, page.path)
            for page in sorted(self.pages, key=lambda page: (page.path.count("/"), page.title))
            if page.is_text and page.path not in listed
        ]
        first = Group("Tutti", [("Introduction", "index.html"), (titles[self.paths[CONTENTS]], self.paths[CONTENTS])])
        rest = [page for page in rest if page[1] != self.paths[CONTENTS]]
        return [
            first,
            *groups,
            Group("Modules", modules),
            Group("Commands", [("Manual pages", "man/index.html")]),
            Group("More", rest),
        ]

    def write(self, folder):
        """Replaces the folder with the site."""
        shutil.rmtree(folder, ignore_errors=True)
        groups = self.groups()
        for page in self.pages:
            file = folder / page.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(framed(page, groups))
        for picture in sorted(self.pictures):
            (folder / picture).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / picture, folder / picture)
        for name in ("style.css", "search.js"):
            shutil.copyfile(OWN / name, folder / name)
        (folder / "search-index.js").write_text(search.index(self.pages))


def listed_pages(text):
    """Yields each heading of a list of pages, with the titles and paths of the links below it."""
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        links_in_it = re.findall(r"\[([^\]]+)\]\(([^)#\s]+)[^)]*\)", body)
        folder = posixpath.dirname(CONTENTS)
        yield heading.strip(), [
            (titled(title), posixpath.normpath(posixpath.join(folder, path)))
            for title, path in links_in_it
            if not markdown.is_outside(path)
        ]


def titled(name):
    """Returns the text of a link in a sentence as a title; a name such as `tutti.conf(5)` stays."""
    return name if re.search(r"[.(@]", name) else name[0].upper() + name[1:]


def text_of(file):
    if file.stat().st_size > LARGEST_FILE:
        return f"{file.stat().st_size} bytes"
    try:
        return file.read_text()
    except UnicodeDecodeError:
        return f"{file.stat().st_size} bytes, no text"


def need_programs():
    programs = ((markdown.PROGRAM, markdown.PACKAGE), (manual.PROGRAM, manual.PACKAGE))
    missing = [package for program, package in programs if not shutil.which(program)]
    if missing:
        raise SystemExit(f"Missing Debian packages, needed to make the site: sudo apt-get install {' '.join(missing)}")


def main():
    parser = argparse.ArgumentParser(description="Makes the documentation site, pages that open from a file.")
    parser.add_argument("--docc", type=pathlib.Path, default=ROOT / "docs/site", help="what scripts/docs.sh made")
    parser.add_argument("--man", type=pathlib.Path, default=ROOT / ".build/man", help="what `tutti reference man` made")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / ".build/site")
    parser.add_argument("--programs", action="store_true", help="only say which programs are missing")
    options = parser.parse_args()
    start = time.monotonic()
    need_programs()
    if options.programs:
        return 0
    if not (options.docc / "data").exists():
        raise SystemExit(f"no data of DocC in {options.docc}: run scripts/docs.sh first")
    if not any(options.man.glob("*.1")):
        raise SystemExit(f"no man pages in {options.man}: run `tutti reference man {options.man}` first")
    site = Site(options.docc, options.man)
    site.add_all()
    site.write(options.output)
    complaints, count = links.check(options.output)
    for complaint in complaints:
        print(f"error: {complaint}", file=sys.stderr)
    symbols = sum(1 for node in site.reference.nodes.values() if node["kind"] == "symbol")
    print(
        f"{options.output}: {len(site.pages)} pages, {symbols} symbols, {count} links, {len(complaints)} mistakes, "
        f"{time.monotonic() - start:.0f} s"
    )
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
