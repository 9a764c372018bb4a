"""Man pages as pages of the site."""

import html
import re
import subprocess

from .pages import Entry, Page

PROGRAM = "mandoc"
PACKAGE = "mandoc"


def page(path):
    """Returns the page of the man page in the file `path`, such as `tutti-play.1`."""
    body = subprocess.run(
        [PROGRAM, "-T", "html", "-O", "fragment,man=%N.%S.html", str(path)], capture_output=True, text=True, check=True
    ).stdout
    name, _, section = path.name.rpartition(".")
    title = f"{name}({section})"
    # The head and the foot repeat the title and have a date.
    body = re.sub(r'<table class="(?:head|foot)">.*?</table>\n?', "", body, flags=re.DOTALL)
    body = re.sub(r"<(/?)h2\b", r"<\1h3", body)
    body = re.sub(r"<(/?)h1\b", r"<\1h2", body)
    body = re.sub(r'<a class="permalink" href="(#[^"]*)">(.*?)</a>', r"\2", body)
    summary = re.search(r'<span class="Nd">(.*?)</span>', body, re.DOTALL)
    text = html.unescape(re.sub(r"<[^>]+>", "", body))
    headings = [
        (int(level), html.unescape(anchor), html.unescape(re.sub(r"<[^>]+>", "", inner)).capitalize())
        for level, anchor, inner in re.findall(r'<h([23])[^>]* id="([^"]*)"[^>]*>(.*?)</h\1>', body, re.DOTALL)
    ]
    made = Page(
        path=f"man/{path.name}.html",
        title=title,
        body=f'<div class="manual"><h1>{html.escape(title)}</h1>\n{body}</div>',
        contents=headings,
        trail=[("Manual pages", "man/index.html")],
        entries=[Entry(title, "manual", " ".join(text.split()))],
    )
    return made, " ".join(html.unescape(re.sub(r"<[^>]+>", "", summary[1])).split()) if summary else ""


def index(pages):
    """Returns the list of all man pages, each with its summary."""
    lines = "\n".join(
        f'<tr><td><a href="{page.path.removeprefix("man/")}">{html.escape(page.title)}</a></td>'
        f"<td>{html.escape(summary)}</td></tr>"
        for page, summary in pages
    )
    return Page(
        path="man/index.html",
        title="Manual pages",
        body=f'<h1>Manual pages</h1>\n<div class="wide"><table>\n{lines}\n</table></div>',
        entries=[Entry("Manual pages", "manual")],
    )
