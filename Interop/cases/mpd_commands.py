"""The whole set of commands that python-mpd2 knows, and the order in which Home Assistant sends them."""

import json
import os
import re

import environments
import sound
from cases import OURS, case, expect
from cases.mpd import PORT, PYTHON_MPD, Daemon
from servers import Servers

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT, POLLS = (os.path.join(os.path.dirname(HERE), name) for name in ("mpd_client.py", "mpd_polls.py"))
PAGE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "docs", "mpd.md")
PASSWORD = "four-words"
LOOK = 1.0  # seconds that a look of Home Assistant may take, which its user waits for

# The commands that the house refuses, with the beginning of its answer; the page has the same ones.
REFUSED = {
    "crossfade": "Songs overlap by at most 12 seconds",
    "mixrampdelay": "MixRamp is not available",
    "addtagid": "Cannot edit tags of local file",
    "cleartagid": "Cannot edit tags of local file",
    "rangeid": "Parts of songs are not available",
    "kill": "Command only permitted to local clients",
    "config": "Command only permitted to local clients",
    "sticker": "sticker database is disabled",
    "mount": "Mounting is not available",
    "unmount": "Not a mount point",
    "listneighbors": "No neighbor plugin configured",
    "outputvolume": '[5@0] {} unknown command "outputvolume"',
}
# On the page too, but not in the library.
NOT_IN_THE_LIBRARY = {"getfingerprint"}


def refusals_of_page():
    """The commands in the page's table of refusals, with the sentence that it promises, if any."""
    with open(PAGE) as file:
        table = file.read().partition("## Refused commands")[2].partition("\n## ")[0]
    found = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        promised = re.match(r"`([A-Z][^`]*|[a-z]+ [^`]*)`", cells[1]) if len(cells) == 2 else None
        for command in re.findall(r"`([a-z]+)[ `]", cells[0]):
            found[command] = promised.group(1) if promised else ""
    return found


def make(t):
    """A house with a password, a picture in the first album, and room 1 in its zone."""
    secret = os.path.join(t.folder, "mpd-password")
    with open(secret, "w") as file:
        file.write(PASSWORD + "\n")
    os.chmod(secret, 0o600)
    drawn = ("-f", "lavfi", "-i", "testsrc2=size=600x600", "-frames:v", "1")
    made = t.sounds.made("mpd-cover.jpg", lambda part: sound.ffmpeg(*drawn, part))
    cover = os.path.join(t.folder, "cover.jpg")
    with open(made, "rb") as found, open(cover, "wb") as file:
        file.write(found.read())
    house = Daemon(t, {"One": [cover]}, TUTTI_MPD_PASSWORD_FILE=secret)
    house.assign(1, 1)
    return house


def ask(house, program, *words):
    """The result of a program that has python-mpd2."""
    python = os.path.join(environments.programs("python-mpd2", PYTHON_MPD), "python")
    return json.loads(house.run(python, program, str(PORT), PASSWORD, *words, within=100))


@case("mpd.every-command-of-python-mpd2", lab=OURS, timeout=150)
def every_command(t):
    """Each command in the library's own table is answered as MPD answers it, or refused in the words of the page."""
    house = make(t)
    found = ask(house, CLIENT)
    refused = found["refused"]
    expect(set(refused) == set(REFUSED), f"refused are {sorted(set(refused) ^ set(REFUSED))} more or less")
    page = refusals_of_page()
    expect(set(page) - NOT_IN_THE_LIBRARY == set(REFUSED), f"docs/mpd.md differs by {sorted((set(page) - NOT_IN_THE_LIBRARY) ^ set(REFUSED))}")
    for command, messages in refused.items():
        for message in messages:
            expect(message.startswith(REFUSED[command]), f"{command}: “{message}”")
            expect(page[command] in message, f"{command}: “{message}”, but docs/mpd.md has “{page[command]}”")
    client = house.client()
    client.ask(f"password {PASSWORD}")
    for command in NOT_IN_THE_LIBRARY:
        expect(client.ask(f"{command} x")[-1] == f'ACK [5@0] {{}} unknown command "{command}"', f"{command} is not unknown")
    house.stop()
    t.note(f"{found['commands']} commands, {found['checks']} times; {len(refused)} refused")


@case("mpd.home-assistant", lab=OURS, timeout=150)
def home_assistant(t):
    """What Home Assistant sends, in its order, on a new connection each time: it sees each effect, and warns of nothing."""
    source = t.sounds.noise("mpd-speech-20", 20, seed=310)
    speech = t.sounds.encoded("mpd-speech-20.mp3", source, "-codec:a", "libmp3lame", "-b:a", "128k")
    house = make(t)
    with Servers(t) as servers:
        servers.nginx()
        url = f"http://127.0.0.1:8080/{servers.serve(speech)}?authSig=eyJ0.a%2Fb%3D.c~d"
        found = ask(house, POLLS, url)
    expect(found["longest"] < LOOK, f"a look took {found['longest']:.2f} s")
    house.stop()
    t.note(f"{found['looks']} looks, the longest {found['longest'] * 1000:.0f} ms")
