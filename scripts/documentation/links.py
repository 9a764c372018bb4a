"""Checks that every link of the site leads somewhere inside it, and that no page requests anything from outside."""

import pathlib
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

# What a browser requests by itself.
REQUESTS = {
    *[(tag, "src") for tag in ("img", "script", "source", "iframe", "video", "audio", "embed")],
    *[(tag, "srcset") for tag in ("img", "source")],
    ("link", "href"),
    ("object", "data"),
}
# What a reader follows.
FOLLOWED = {("a", "href")}


class Addresses(HTMLParser):
    """The ids of a page, and the addresses in it with their lines."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.twice, self.addresses, self.styles = set(), set(), [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                (self.twice if value in self.ids else self.ids).add(value)
            if name == "style":
                self.styles.append(value or "")
            if (tag, name) in REQUESTS or (tag, name) in FOLLOWED:
                self.addresses.append(((tag, name) in REQUESTS, value or "", self.getpos()[0]))


def check(folder):
    """Returns a line for each mistake in the files of a folder, and the number of links that were followed."""
    root = pathlib.Path(folder)
    pages = {path.relative_to(root).as_posix(): Addresses(path.read_text()) for path in sorted(root.rglob("*.html"))}
    complaints, count = [], 0
    for path, page in pages.items():
        complaints += [f"{path}: two places have the id {anchor}" for anchor in sorted(page.twice)]
        complaints += [f"{path}: a style requests {style}" for style in page.styles if "url(" in style]
        for is_request, address, line in page.addresses:
            count += 1
            problem = mistake(root, path, pages, is_request, address)
            if problem:
                complaints.append(f"{path}:{line}: {problem}")
    for name, pattern in [("style.css", r"url\([^)]*\)|@import\b"), ("search.js", r"\bfetch\(|XMLHttpRequest|https?:")]:
        complaints += [f"{name}: requests {found}" for found in re.findall(pattern, (root / name).read_text())]
    return complaints, count


def mistake(root, path, pages, is_request, address):
    """Returns what is wrong with an address on a page, or None."""
    parts = urlsplit(address)
    if parts.scheme == "data" and is_request:
        return None
    if parts.scheme in ("http", "https", "mailto") and not is_request:
        return None
    if parts.scheme or parts.netloc:
        return f"{address} is outside the site"
    if parts.path.startswith("/"):
        return f"{address} is a path of a web server"
    target = path
    if parts.path:
        target = pathlib.PurePosixPath(path).parent.joinpath(unquote(parts.path)).as_posix()
        steps = []
        for step in target.split("/"):
            if step == "..":
                if not steps:
                    return f"{address} leaves the site"
                steps.pop()
            elif step != ".":
                steps.append(step)
        target = "/".join(steps)
        if not (root / target).is_file():
            return f"{address} does not exist"
    if parts.fragment:
        if target not in pages:
            return f"{address} has an anchor, but is no page"
        if unquote(parts.fragment) not in pages[target].ids:
            return f"{address}: no such anchor"
    return None
