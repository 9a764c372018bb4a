#!/usr/bin/env python3
"""Home Assistant as a client of the house of `cases/mpd_commands.py`, by python-mpd2's asynchronous part.

mpd_polls.py PORT PASSWORD URL    looks at the state, plays URL, and sends each action of a media player; prints times as JSON

The order of the commands is that of its integration; each look and each action has a new connection.
"""

import asyncio
import contextlib
import json
import sys
import time

import mpd
import mpd.asyncio
from mpd_client import CODES, HOST, expect


class Polls:
    """Home Assistant as a client: the asynchronous library, and a new connection for each look and each command."""

    def __init__(self, port, password):
        self.port, self.password = int(port), password
        self.times = []

    @contextlib.asynccontextmanager
    async def connected(self):
        client = mpd.asyncio.MPDClient()
        await client.connect(HOST, self.port)
        await client.password(self.password)
        try:
            yield client
        finally:
            client.disconnect()

    async def look(self):
        """One look: the state, the song, its picture and the playlists."""
        begun = time.monotonic()
        async with self.connected() as client:
            commands = list(await client.commands())
            status, song = await client.status(), await client.currentsong()
            playlists = [each["playlist"] for each in await client.listplaylists()]
            found = None
            if song.get("file") and "readpicture" in commands:
                found = await self.picture(client.readpicture, song["file"])
            if song.get("file") and not found and "albumart" in commands:
                found = await self.picture(client.albumart, song["file"])
        self.times.append(time.monotonic() - begun)
        for key in ("state", "repeat", "random", "single", "playlistlength"):
            expect(key in status, f"the status has no {key}: {status}")
        return status, song, playlists, found

    @staticmethod
    async def picture(command, file):
        try:
            return await command(file)
        except mpd.CommandError as error:
            # Another code is a warning in the user's log at each look.
            expect(error.errno is CODES.NO_EXIST, f"the picture of {file}: {error.errno} {error.msg}")
            return None

    async def send(self, *commands):
        """Commands of one action, in order on one connection."""
        async with self.connected() as client:
            for name, *arguments in commands:
                await getattr(client, name)(*arguments)

    async def wait(self, what, check, within=15):
        end = time.monotonic() + within
        while not check(*(found := await self.look())[:2]):
            expect(time.monotonic() < end, f"{what}: not within {within} s, but {found[:2]}")
            await asyncio.sleep(0.1)
        return found

    async def run(self, url):
        status, song, playlists, found = await self.look()
        expect(status["state"] == "stop" and song == {} and playlists == [] and found is None, f"at the beginning: {status}, {song}, {found}")
        # An address is played as it is given, a signature with it.
        await self.send(("clear",), ("add", url), ("play",))
        status, song, *_ = await self.wait("the address plays", lambda status, song: status["state"] == "play" and float(status["elapsed"]) > 0.5)
        expect(song["file"] == url, f"the address is {song['file']}")
        await self.volume(status)
        await self.send(("clear",), ("add", "One"), ("add", "Two"), ("play",))
        await self.wait("the library plays", lambda status, song: status["state"] == "play" and song.get("title") == "Song One 1")
        *_, found = await self.look()
        expect(found and found["type"] == "image/jpeg" and found["binary"][:2] == b"\xff\xd8", "the song has no picture")
        await self.transport()
        await self.modes()
        await self.playlist()
        return {"looks": len(self.times), "longest": max(self.times)}

    async def volume(self, status):
        expect("volume" in status, "no volume: Home Assistant shows no slider")
        await self.send(("setvol", 50))
        await self.wait("volume 50", lambda status, _: status["volume"] == "50")
        # A step is 5 from the last look.
        for wanted in (55, 50, 45, 0, 50):
            await self.send(("setvol", wanted))
            await self.wait(f"volume {wanted}", lambda status, _, wanted=wanted: int(status["volume"]) == wanted)
        for beyond in (105, -5):
            try:
                await self.send(("setvol", beyond))
            except mpd.CommandError as error:
                expect(error.errno is CODES.ARG, f"setvol {beyond}: {error.errno} {error.msg}")
            else:
                sys.exit(f"failed: setvol {beyond} is not refused")

    async def transport(self):
        await self.send(("pause", 1))
        await self.wait("the pause", lambda status, _: status["state"] == "pause")
        await self.send(("seekcur", 4.25))
        await self.wait("the position", lambda status, _: abs(float(status["elapsed"]) - 4.25) < 0.2)
        await self.send(("pause", 0))
        await self.wait("the end of the pause", lambda status, _: status["state"] == "play")
        await self.send(("next",))
        await self.wait("the next song", lambda _, song: song["title"] == "Song One 2")
        await self.send(("previous",))
        await self.wait("the song before", lambda _, song: song["title"] == "Song One 1")
        await self.send(("stop",))
        await self.wait("the end", lambda status, _: status["state"] == "stop")
        await self.send(("play",))
        await self.wait("a new start", lambda status, _: status["state"] == "play")

    async def modes(self):
        for commands, wanted in (
            ((("repeat", 1), ("single", 0)), {"repeat": "1", "single": "0"}),
            ((("repeat", 1), ("single", 1)), {"repeat": "1", "single": "1"}),
            ((("repeat", 0), ("single", 0)), {"repeat": "0", "single": "0"}),
            ((("random", 1),), {"random": "1"}),
            ((("random", 0),), {"random": "0"}),
        ):
            await self.send(*commands)
            await self.wait(f"{wanted}", lambda status, _, wanted=wanted: wanted.items() <= status.items())

    async def playlist(self):
        await self.send(("save", "Evening"))
        *_, playlists, _ = await self.look()
        expect(playlists == ["Evening"], f"the playlists are {playlists}")
        await self.send(("clear",), ("load", "Evening"), ("play",))
        await self.wait("the playlist plays", lambda status, _: status["state"] == "play" and status["playlistlength"] == "4")
        await self.send(("clear",))
        status, *_ = await self.look()
        expect(status["state"] == "stop" and status["playlistlength"] == "0", f"after clear: {status}")


def main():
    port, password, url = sys.argv[1:]
    print(json.dumps(asyncio.run(Polls(port, password).run(url))))


if __name__ == "__main__":
    main()
