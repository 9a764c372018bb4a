"""A terminal's text with its colours, as a picture."""

import html
import os
import re
import shutil
import subprocess
import tempfile

BROWSER = "chromium"
CELL = (9.6, 22)  # pixels of a character
COLOURS = {"31": "#ff6b6b", "32": "#5bd18b", "33": "#e8b84a", "36": "#4fc3f7"}
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #14171c; color: #e6e6e6; }}
pre {{ margin: 0; padding: 18px 22px; font: 16px/22px "DejaVu Sans Mono", monospace; }}
</style><pre>{}</pre>"""


def as_html(text):
    """The text of `tmux capture-pane -e` with its colours, bold and dim parts as HTML."""
    parts, style = [], {}
    for piece in re.split(r"(\x1b\[[0-9;]*m)", text):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if not code:
            shown = html.escape(piece)
            rules = ";".join(style.values())
            parts.append(f'<span style="{rules}">{shown}</span>' if rules and shown else shown)
            continue
        for number in code[1].split(";"):
            if number in COLOURS:
                style["colour"] = f"color:{COLOURS[number]}"
            elif number in ("1", "2"):
                style["weight"] = "font-weight:bold" if number == "1" else "opacity:0.35"
            elif number == "39":
                style.pop("colour", None)
            elif number == "22":
                style.pop("weight", None)
            elif number in ("", "0"):
                style = {}
    return PAGE.format("".join(parts).rstrip())


def picture(text, path):
    """Draws the text into a PNG file; returns whether there is a browser for it."""
    if not shutil.which(BROWSER):
        return False
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).rstrip().split("\n")
    size = (int(max(map(len, lines)) * CELL[0]) + 46, len(lines) * CELL[1] + 36)
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "terminal.html")
        with open(page, "w") as file:
            file.write(as_html(text))
        subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--hide-scrollbars", f"--user-data-dir={folder}/profile", f"--screenshot={path}",
             f"--window-size={size[0]},{size[1]}", "--force-device-scale-factor=2", f"file://{page}"],
            check=True, capture_output=True, timeout=60)
    return True
