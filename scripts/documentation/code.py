"""Colours for Swift code."""

import html
import re

KEYWORDS = (
    "actor associatedtype async await as break case catch class consuming continue default defer deinit do else enum "
    "extension fallthrough false fileprivate final for func get guard if import in init inout internal is isolated "
    "lazy let mutating nil nonisolated open operator override precedencegroup private protocol public repeat "
    "required rethrows return self Self sending set some static struct subscript super switch throw throws true try "
    "typealias unowned var weak where while any"
)
TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*")'
    rf"|(?P<attribute>[@#][A-Za-z]+)|(?<![\w.])(?P<keyword>{'|'.join(KEYWORDS.split())})(?!\w)",
    re.DOTALL,
)


def swift(text):
    """Returns Swift code as HTML with a `span` around comments, strings, attributes and keywords."""
    parts, end = [], 0
    for match in TOKEN.finditer(text):
        parts.append(html.escape(text[end : match.start()], quote=False))
        parts.append(f'<span class="{match.lastgroup}">{html.escape(match[0], quote=False)}</span>')
        end = match.end()
    return "".join(parts) + html.escape(text[end:], quote=False)
