#!/usr/bin/env python3
"""Every command of python-mpd2, sent to the house of `cases/mpd_commands.py`; prints the refusals as JSON.

mpd_client.py PORT PASSWORD

The house has the albums One, with a picture, and Two, of two songs of 8 s each, and one zone with one room.
Runs in an environment with python-mpd2 alone; the first check that fails ends it with a message.
"""

import json
import sys
import time

import mpd

HOST = "127.0.0.1"
SONG, OTHER = "One/mpd-One-1.flac", "Two/mpd-Two-1.flac"
CODES = mpd.FailureResponseCode


def known_commands():
    """The commands in the library's own table, also those of a later version."""
    return {name for kind in mpd.MPDClient.__mro__ for made in vars(kind).values() for name in getattr(made, "mpd_commands", None) or ()}


def expect(condition, message):
    if not condition:
        sys.exit(f"failed: {message}")


def wait_until(what, check, within=10):
    end = time.monotonic() + within
    while not (found := check()):
        expect(time.monotonic() < end, f"{what}: not within {within} s")
        time.sleep(0.05)
    return found


# Forms of results


def nothing(found):
    return found is None


def number(found):
    return isinstance(found, str) and found.isdigit()


def names(*wanted):
    return lambda found: isinstance(found, list) and all(isinstance(name, str) for name in found) and set(wanted) <= set(found)


def objects(*keys, count=None):
    """A list of objects, each with one of these keys."""

    def check(found):
        is_right = isinstance(found, list) and found and all(isinstance(each, dict) and any(key in each for key in keys) for each in found)
        return is_right and (count is None or len(found) == count)

    return check


def mapping(*keys, **values):
    return lambda found: isinstance(found, dict) and set(keys) <= set(found) and all(found.get(key) == value for key, value in values.items())


def picture(*keys):
    return lambda found: mapping("binary", *keys)(found) and found["binary"][:2] == b"\xff\xd8" and len(found["binary"]) > 4096


class Commands:
    """Sends commands, and notes which have been checked."""

    def __init__(self, port, password):
        self.port, self.password = int(port), password
        self.checked, self.refused, self.count = set(), {}, 0
        self.client = self.connect()

    def connect(self):
        client = mpd.MPDClient()
        client.timeout = 20
        client.connect(HOST, self.port)
        return client

    def ask(self, command, *arguments):
        """The result of a command that succeeds."""
        self.checked.add(command)
        self.count += 1
        try:
            return getattr(self.client, command.replace(" ", "_"))(*arguments)
        except mpd.MPDError as error:
            sys.exit(f"failed: {command} {arguments}: {type(error).__name__} {getattr(error, 'msg', None) or error}")

    def check(self, command, arguments, form):
        found = self.ask(command, *arguments)
        expect(form(found), f"{command} {arguments}: {found!r}")
        return found

    def fails(self, command, arguments, code, words):
        """A command that fails as in MPD."""
        self.checked.add(command)
        self.count += 1
        try:
            found = getattr(self.client, command.replace(" ", "_"))(*arguments)
        except mpd.CommandError as error:
            # The library does not parse an answer with an empty name, as MPD's about an unknown command has.
            message = error.msg if error.errno else str(error)
            expect(error.errno in (code, None) and words in message, f"{command} {arguments}: {error.errno} {message}")
            return message
        sys.exit(f"failed: {command} {arguments}: not refused but {found!r}")

    def refuses(self, command, arguments, code, words):
        """A command that the house does not have, where MPD may have it."""
        self.refused.setdefault(command.split(" ")[0], []).append(self.fails(command, arguments, code, words))

    def status(self, **wanted):
        found = self.ask("status")
        wrong = {key: found.get(key) for key, value in wanted.items() if found.get(key) != value}
        expect(not wrong, f"the status has {wrong} instead of {wanted}")
        return found

    def wait_status(self, **wanted):
        wait_until(f"status {wanted}", lambda: wanted.items() <= self.ask("status").items())

    def ids(self):
        return [song["id"] for song in self.ask("playlistid")]

    def files(self):
        return [song["file"] for song in self.ask("playlistinfo")]

    # The subjects

    def run(self):
        for subject in (self.connection, self.database, self.queue, self.edits, self.options, self.playback):
            subject()
        for subject in (self.playlists, self.outputs, self.partitions, self.messages, self.refusals, self.ends):
            subject()
        # A version of the library with a new command comes here first.
        unknown, gone = known_commands() - self.checked, self.checked - known_commands()
        expect(not unknown and not gone, f"no check for {sorted(unknown)}; not in the library: {sorted(gone)}")
        return {"refused": self.refused, "commands": len(self.checked), "checks": self.count}

    def connection(self):
        self.check("ping", (), nothing)
        self.fails("status", (), CODES.PERMISSION, "permission")
        locked = self.check("notcommands", (), names("status", "play"))
        self.check("commands", (), names("password", "ping", "close"))
        self.fails("password", ("wrong",), CODES.PASSWORD, "incorrect password")
        self.check("password", (self.password,), nothing)
        self.check("notcommands", (), lambda found: found == [])
        all_of = self.check("commands", (), names(*locked))
        here = {name.split(" ")[0] for name in known_commands()}
        lacking = here - set(all_of)
        expect(lacking == LISTED_NOWHERE, f"`commands` lacks {sorted(lacking)}")
        self.check("tagtypes", (), names("Artist", "AlbumArtist", "Title", "Album", "Track", "Genre", "Date", "Disc"))
        self.check("tagtypes", ("clear",), lambda found: found == [])
        self.check("tagtypes", ("all",), lambda found: found == [])
        self.check("urlhandlers", (), names("http://", "https://"))
        self.check("decoders", (), objects("plugin"))
        self.check("binarylimit", (4096,), nothing)
        self.check("clearerror", (), nothing)

    def database(self):
        for command in ("update", "rescan"):
            self.check(command, (), number)
            wait_until("the end of the update", lambda: "updating_db" not in self.ask("status"))
        self.check("stats", (), mapping("uptime", "playtime", "db_playtime", "db_update", songs="4", albums="2", artists="2"))
        self.check("lsinfo", (), objects("directory", count=2))
        self.check("lsinfo", ("One",), objects("file", count=2))
        self.check("listfiles", ("",), objects("directory", count=2))
        self.check("listall", (), objects("file", "directory", count=6))
        self.check("listallinfo", ("Two",), objects("file", "directory", count=3))
        for arguments in (("album", "Two"), ("(album == 'Two')",), ("album", "Two", "sort", "Title", "window", (0, 2))):
            self.check("find", arguments, objects("title", count=2))
        self.check("search", ("any", "song tWo"), objects("title", count=2))
        self.check("list", ("album",), lambda found: found == [{"album": "One"}, {"album": "Two"}])
        self.check("list", ("album", "group", "artist"), objects("artist", count=2))
        self.check("count", ("album", "Two"), mapping(songs="2", playtime="16"))
        self.check("readcomments", (SONG,), mapping("artist", "album", title="Song One 1"))
        self.check("albumart", (SONG,), picture())
        self.check("readpicture", (SONG,), picture("type"))
        self.check("readpicture", (OTHER,), lambda found: found == {})
        self.fails("albumart", (OTHER,), CODES.NO_EXIST, "")
        self.fails("lsinfo", ("Three",), CODES.NO_EXIST, "No such directory")
        self.fails("find", ("colour", "red"), CODES.ARG, "")

    def queue(self):
        self.check("add", ("One",), nothing)
        self.check("addid", (OTHER,), number)
        self.check("addid", (OTHER, 0), number)
        self.check("findadd", ("album", "Two"), nothing)
        self.check("searchadd", ("title", "song one 2"), nothing)
        expect(len(self.files()) == 7, f"the queue is {self.files()}")
        self.check("playlist", (), lambda found: len(found) == 7 and found[0].strip() == f"file: {OTHER}")
        self.check("playlistinfo", (), objects("pos", count=7))
        self.check("playlistinfo", (0,), objects("id", count=1))
        self.check("playlistinfo", ((1, 3),), objects("id", count=2))
        self.check("playlistinfo", ((1,),), objects("id", count=6))
        self.check("playlistid", (), objects("id", count=7))
        self.check("playlistid", (self.ids()[2],), objects("id", count=1))
        self.check("playlistfind", ("album", "One"), objects("file", count=3))
        self.check("playlistsearch", ("title", "SONG"), objects("file", count=7))
        version = int(self.ask("status")["playlist"])
        self.check("move", (0, 1), nothing)
        self.check("plchanges", (version,), objects("file", count=2))
        self.check("plchangesposid", (version,), lambda found: [change["cpos"] for change in found] == ["0", "1"])
        self.fails("add", ("Three",), CODES.NO_EXIST, "No such directory")
        self.fails("addid", ("One",), CODES.NO_EXIST, "")

    def edits(self):
        def moved(command, arguments, wanted):
            before = self.ids()
            self.check(command, arguments, nothing)
            found = self.ids()
            expect(found == [before[place] for place in wanted], f"{command} {arguments}: {before} becomes {found}")

        ids = self.ids()
        moved("move", ((0, 2), 1), (2, 0, 1, 3, 4, 5, 6))
        moved("moveid", (ids[6], 0), (6, 0, 1, 2, 3, 4, 5))
        moved("swap", (0, 6), (6, 1, 2, 3, 4, 5, 0))
        moved("swapid", (self.ids()[0], self.ids()[1]), (1, 0, 2, 3, 4, 5, 6))
        moved("delete", (6,), range(6))
        moved("delete", ((4, 6),), range(4))
        moved("deleteid", (self.ids()[0],), (1, 2, 3))
        moved("shuffle", ((2, 3),), (0, 1, 2))
        before = sorted(self.ids())
        self.check("shuffle", (), nothing)
        expect(sorted(self.ids()) == before, "shuffle has lost a song")
        self.check("prio", (10, 0), nothing)
        self.check("prioid", (10, self.ids()[0]), nothing)
        self.fails("delete", (99,), CODES.ARG, "Bad song index")
        self.fails("deleteid", (999_999,), CODES.NO_EXIST, "No such song")
        self.check("clear", (), nothing)
        expect(self.files() == [], "a cleared queue has songs")

    def options(self):
        for option in ("repeat", "random", "consume", "single"):
            for value in (1, 0):
                self.check(option, (value,), nothing)
                self.wait_status(**{option: str(value)})
        self.check("single", ("oneshot",), nothing)
        self.wait_status(single="oneshot")
        self.check("single", (0,), nothing)
        self.check("crossfade", (5,), nothing)
        self.wait_status(xfade="5")
        self.check("crossfade", (0,), nothing)
        self.check("mixrampdb", (-17,), nothing)
        self.check("mixrampdelay", ("nan",), nothing)
        self.check("replay_gain_mode", ("track",), nothing)
        self.check("replay_gain_status", (), lambda found: found == "track")
        self.check("replay_gain_mode", ("off",), nothing)
        self.check("setvol", (40,), nothing)
        self.wait_status(volume="40")
        self.check("volume", (-5,), nothing)
        self.wait_status(volume="35")
        self.fails("setvol", (101,), CODES.ARG, "Number too large")
        self.fails("repeat", (2,), CODES.ARG, "Boolean")

    def playback(self):
        self.fails("next", (), CODES.PLAYER_SYNC, "Not playing")
        self.check("add", ("One",), nothing)
        self.check("add", ("Two",), nothing)
        self.check("play", (0,), nothing)
        self.wait_status(state="play", song="0")
        self.check("status", (), mapping("songid", "elapsed", "time", "duration", "nextsong", "nextsongid", "playlist", playlistlength="4"))
        self.check("currentsong", (), mapping("id", "time", "duration", title="Song One 1", pos="0", file=SONG))
        self.check("pause", (1,), nothing)
        self.wait_status(state="pause")
        for command, arguments, song in (
            ("next", (), 1), ("previous", (), 0), ("seek", (2, 3), 2), ("seekid", (self.ids()[3], 2.5), 3), ("playid", (self.ids()[1],), 1),
        ):  # fmt: skip
            self.check(command, arguments, nothing)
            self.wait_status(song=str(song))
        self.check("pause", (1,), nothing)
        self.wait_status(state="pause")
        for time_of, place in ((4, 4), ("+1.5", 5.5), ("-2", 3.5)):
            self.check("seekcur", (time_of,), nothing)
            wait_until(f"seekcur {time_of}", lambda place=place: abs(float(self.ask("status")["elapsed"]) - place) < 0.2)
        self.check("pause", (0,), nothing)
        self.wait_status(state="play")
        self.check("pause", (), nothing)
        self.wait_status(state="pause")
        self.check("play", (), nothing)
        self.wait_status(state="play")
        self.check("stop", (), nothing)
        self.wait_status(state="stop")
        self.fails("play", (99,), CODES.ARG, "Bad song index")
        self.fails("playid", (999_999,), CODES.NO_EXIST, "No such song")

    def playlists(self):
        self.check("save", ("kept",), nothing)
        self.fails("save", ("kept",), CODES.EXIST, "exists")
        self.check("listplaylists", (), lambda found: [each["playlist"] for each in found] == ["kept"])
        self.check("listplaylist", ("kept",), names(SONG, OTHER))
        self.check("listplaylistinfo", ("kept",), objects("title", count=4))
        self.check("clear", (), nothing)
        self.check("load", ("kept",), nothing)
        self.check("load", ("kept", (0, 1)), nothing)
        expect(len(self.files()) == 5, f"after load: {self.files()}")
        self.check("playlistadd", ("kept", SONG), nothing)
        self.check("playlistmove", ("kept", 4, 0), nothing)
        self.check("playlistdelete", ("kept", 1), nothing)
        found = self.ask("listplaylist", "kept")
        expect(found[0] == SONG and len(found) == 4 and SONG not in found[1:], f"the playlist is {found}")
        self.check("searchaddpl", ("kept", "title", "song two"), nothing)
        expect(len(self.ask("listplaylist", "kept")) == 6, "searchaddpl has not added two songs")
        self.check("rename", ("kept", "other"), nothing)
        self.check("playlistclear", ("other",), nothing)
        self.check("listplaylist", ("other",), lambda found: found == [])
        self.check("rm", ("other",), nothing)
        self.check("listplaylists", (), lambda found: found == [])
        self.fails("load", ("nowhere",), CODES.NO_EXIST, "No such playlist")

    def outputs(self):
        self.check("outputs", (), objects("outputid"))
        own = next(output for output in self.ask("outputs") if output["outputenabled"] == "1")
        expect({"outputid", "outputname", "plugin", "outputenabled"} <= set(own), f"an output is {own}")

        def is_enabled(value):
            wait_until(f"the output is {value}", lambda: next(
                each for each in self.ask("outputs") if each["outputid"] == own["outputid"])["outputenabled"] == value)

        for command, value in (("disableoutput", "0"), ("enableoutput", "1"), ("toggleoutput", "0"), ("toggleoutput", "1")):
            self.check(command, (own["outputid"],), nothing)
            is_enabled(value)
        self.fails("enableoutput", (999,), CODES.NO_EXIST, "No such audio output")

    def partitions(self):
        (first,) = [each["partition"] for each in self.check("listpartitions", (), objects("partition"))]
        own = next(output for output in self.ask("outputs") if output["outputenabled"] == "1")
        self.check("newpartition", ("Attic",), nothing)
        self.fails("newpartition", ("Attic",), CODES.EXIST, "exists")
        wait_until("the new partition", lambda: {"partition": "Attic"} in self.ask("listpartitions"))
        self.check("partition", ("Attic",), nothing)
        self.status(partition="Attic")
        self.check("moveoutput", (own["outputname"],), nothing)
        wait_until("the output moves", lambda: any(each["outputenabled"] == "1" for each in self.ask("outputs")))
        self.check("partition", (first,), nothing)
        self.fails("delpartition", ("Attic",), CODES.UNKNOWN, "still has outputs")
        self.check("moveoutput", (own["outputname"],), nothing)
        wait_until("the output is back", lambda: any(each["outputenabled"] == "1" for each in self.ask("outputs")))
        self.check("delpartition", ("Attic",), nothing)
        self.fails("delpartition", (first,), CODES.UNKNOWN, "default partition")

    def messages(self):
        self.check("subscribe", ("talk",), nothing)
        self.fails("subscribe", ("talk",), CODES.EXIST, "already subscribed")
        self.check("channels", (), lambda found: found == ["talk"])
        self.check("sendmessage", ("talk", "hello"), nothing)
        self.check("readmessages", (), lambda found: found == [{"channel": "talk", "message": "hello"}])
        self.check("unsubscribe", ("talk",), nothing)
        self.fails("sendmessage", ("talk", "hello"), CODES.NO_EXIST, "nobody is subscribed")
        other = self.connect()
        other.password(self.password)
        other.random(1)
        self.check("idle", ("options",), lambda found: found == ["options"])
        other.random(0)
        other.disconnect()

    def refusals(self):
        """The page docs/mpd.md has the same ones."""
        (entry,) = [self.ask("addid", SONG)]
        stored = "sticker database is disabled"
        for command, arguments in (
            ("get", ("song", SONG, "stars")), ("set", ("song", SONG, "stars", 5)), ("delete", ("song", SONG, "stars")),
            ("list", ("song", SONG)), ("find", ("song", "", "stars")),
        ):  # fmt: skip
            self.refuses(f"sticker {command}", arguments, CODES.UNKNOWN, stored)
        self.refuses("crossfade", (13,), CODES.ARG, "at most 12 seconds")
        self.refuses("mixrampdelay", (2,), CODES.ARG, "MixRamp is not available")
        self.refuses("addtagid", (entry, "Title", "Mine"), CODES.PERMISSION, "Cannot edit tags")
        self.refuses("cleartagid", (entry, "Title"), CODES.PERMISSION, "Cannot edit tags")
        self.refuses("rangeid", (entry, (1, 2)), CODES.ARG, "Parts of songs")
        self.refuses("config", (), CODES.PERMISSION, "local clients")
        self.refuses("mount", ("far", "nfs://10.0.0.1/music"), CODES.UNKNOWN, "Mounting is not available")
        self.refuses("unmount", ("far",), CODES.ARG, "Not a mount point")
        self.refuses("listneighbors", (), CODES.UNKNOWN, "No neighbor plugin")
        self.refuses("outputvolume", (0, 50), CODES.UNKNOWN, 'unknown command "outputvolume"')
        self.check("listmounts", (), lambda found: found == [{"mount": ""}])
        self.fails("find", ("(Artist =~ 'a.*')",), CODES.ARG, "Regular expressions are not available")
        self.check("clear", (), nothing)

    def ends(self):
        """`kill` and `close` have no result in the library: the answer is read behind its back."""
        self.check("kill", (), lambda found: not callable(found) or found is mpd.MPDClient.NOOP)
        try:
            self.client.ping()
        except mpd.CommandError as error:
            expect(error.errno is CODES.PERMISSION and "local clients" in error.msg, f"kill: {error.errno} {error.msg}")
            self.refused["kill"] = [error.msg]
        else:
            sys.exit("failed: kill is not refused")
        expect(self.client._read_line() is None, "nothing answers after `kill`")
        self.ask("close")
        expect(self.client._rbfile.readline() == b"", "`close` does not end the connection")
        self.client.disconnect()


# Of no use to a client: `commands` does not list what always fails, as MPD's does not.
LISTED_NOWHERE = {"sticker", "mount", "unmount", "listneighbors", "outputvolume"}


def main():
    port, password = sys.argv[1:]
    print(json.dumps(Commands(port, password).run()))


if __name__ == "__main__":
    main()
