"""`tutti doctor`: takes the steps of a play to one speaker, and names the trouble."""

import subprocess

import numpy as np

import listening
from cases import KINDS, OURS, PASSWORD, case, expect
from cases.standins import STANDINS

STAGES = ["name", "address", "port", "info", "access", "session", "events", "record", "stream", "clock", "anchor", "sound"]
# The exit statuses of diagnoses by their codes, as docs/reference/exit-status.md has them; 1 for others.
STATUSES = {
    **dict.fromkeys(("unknown-speaker",), 66),
    **dict.fromkeys(("unreachable", "silent", "lost", "closed", "clock", "not-heard"), 69),
    **dict.fromkeys(("busy", "clock-ports"), 75),
    **dict.fromkeys(("refused", "unsupported", "not-a-speaker"), 76),
    **dict.fromkeys(("password-needed", "password-wrong", "pin-needed", "pin-wrong", "forbidden"), 77),
}


def examine(t, *arguments, within=40):
    """Runs `tutti doctor --json`; returns its stages by name and its diagnosis."""
    program = t.command("doctor", *arguments, "--json")
    program.exit(within)
    lines = program.events
    stages = {line["stage"]: line for line in lines if line["event"] == "stage"}
    expect(lines and lines[-1]["event"] == "diagnosis", f"the last line is no diagnosis: {lines[-1:]}")
    program.expect_exit(1, 0 if lines[-1]["ok"] else STATUSES.get(lines[-1]["code"], 1))
    t.note(lines[-1]["message"])
    return stages, lines[-1]


def expect_trouble(t, arguments, stage, words, within=40):
    stages, diagnosis = examine(t, *arguments, within=within)
    expect(diagnosis["stage"] == stage and not diagnosis["ok"], f"not the stage '{stage}': {diagnosis}")
    expect(stages[stage]["outcome"] != "passed", f"the stage passed: {stages[stage]}")
    for word in words:
        expect(word in diagnosis["message"], f"the diagnosis does not say '{word}': {diagnosis['message']}")
    return stages


def expect_good(stages, diagnosis, without=()):
    expect(diagnosis["ok"] and diagnosis["code"] == "accepted", f"no good diagnosis: {diagnosis}")
    expect(set(stages) == set(STAGES) - set(without), f"other stages: {list(stages)}")
    expect(all(stage["outcome"] == "passed" for stage in stages.values()), f"not all passed: {stages}")


def loud_seconds(t, room, mark):
    t.lab.settle(room)
    return np.count_nonzero(t.lab.heard(room, mark).any(axis=1)) / listening.RATE


def expect_tone(t, room, mark):
    seconds = loud_seconds(t, room, mark)
    expect(0.95 < seconds < 1.05, f"room {room} played {seconds:.2f} s of sound, not a second of tone")


@case("doctor.a-buffered-speaker-is-well", lab=KINDS)
def buffered(t):
    mark = t.lab.mark()
    stages, diagnosis = examine(t, t.lab.name(1))
    expect_good(stages, diagnosis)
    expect(stages["session"]["detail"].startswith("buffered, PTP"), f"another session: {stages['session']}")
    expect_tone(t, 1, mark)


@case("doctor.a-realtime-session-is-well-and-silent", lab=KINDS)
def realtime_silent(t):
    mark = t.lab.mark()
    expect_good(*examine(t, t.lab.endpoint(2), "--stream", "realtime", "--silent"))
    seconds = loud_seconds(t, 2, mark)
    expect(seconds == 0, f"{seconds} s of sound in silence")


@case("doctor.an-airplay-1-speaker-is-well", lab=KINDS)
def airplay_1(t):
    mark = t.lab.mark()
    stages, diagnosis = examine(t, t.lab.endpoint(3), "--stream", "airplay1")
    expect_good(stages, diagnosis, without=("access", "events"))
    expect(stages["clock"]["detail"].startswith("NTP, asked"), f"no word of the clock: {stages['clock']}")
    expect_tone(t, 3, mark)


@case("doctor.our-speaker-shows-that-it-follows", lab=OURS)
def ours(t):
    mark = t.lab.mark()
    stages, diagnosis = examine(t, t.lab.name(1))
    expect_good(stages, diagnosis)
    expect("PTP, asked" in stages["clock"]["detail"], f"no word of the clock: {stages['clock']}")
    expect_tone(t, 1, mark)


@case("doctor.a-name-that-nobody-has", lab=OURS)
def nobody(t):
    expect_trouble(t, ["Cellar"], "name", ["Cellar", t.lab.name(1)])


@case("doctor.an-address-without-a-speaker", lab=OURS)
def no_speaker(t):
    expect_trouble(t, [f"{t.lab.address(1)}:7777"], "port", ["nothing listens", "port"])
    expect_trouble(t, ["10.77.0.99"], "port", ["does not answer", "switched on"])


@case("doctor.a-clock-that-the-speaker-does-not-take", lab=KINDS)
def wrong_clock(t):
    expect_trouble(t, [t.lab.endpoint(1), "--clock", "ntp"], "session", ["--clock ptp"])


@case("doctor.a-password", lab=OURS)
def password(t):
    name = t.lab.name(3)
    expect_trouble(t, [name], "access", ["--password"])
    expect_trouble(t, [name, "--password", "wrong"], "access", ["the password of"])
    mark = t.lab.mark()
    expect_good(*examine(t, name, "--password", PASSWORD))
    expect_tone(t, 3, mark)


@case("doctor.another-sender-keeps-its-speaker", lab=OURS)
def taken(t):
    path = t.sounds.encoded("noise-10.flac", t.sounds.noise("noise-10", 10, seed=9))
    mark = t.lab.mark()
    player = t.play([path], (1,))
    player.wait_position(1, within=15)
    expect_trouble(t, [t.lab.name(1)], "info", ["--take-over"])
    player.expect_end(within=30)
    t.lab.settle(1)
    heard = listening.trim(t.lab.heard(1, mark))
    expect(abs(len(heard) - 10 * listening.RATE) < 20, f"the other sender played {len(heard)} frames")


# ---- other makers' devices (Interop/standins)


def standin_case(name, timeout=60):
    return case(f"doctor.{name}", lab=STANDINS, timeout=timeout)


@standin_case("every-family-is-well-or-wants-a-pin", timeout=150)
def families(t):
    """Each row of the table of devices, with the sender's cures: nothing is doubtful, and what the user must do is said."""
    listed = subprocess.run([t.standins, "--list"], capture_output=True, text=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines() if not line.startswith("\t")]
    expect(len(names) >= 13, f"few families: {names}")
    for name in names:
        standin = t.standin(2, name, name=f"The {name}")
        if name in ("apple-tv", "apple-tv-3"):
            expect_trouble(t, [standin.name], "access", ["tutti pair"])
        else:
            without = ("access", "events") if name == "denon" else ()
            expect_good(*examine(t, standin.endpoint, "--silent"), without=without)
        standin.close()


def expect_named(t, manners, stage, words, *options):
    """A device of no known family with these manners: its trouble is named."""
    standin = t.standin(2, *manners)
    expect_trouble(t, [standin.endpoint, "--silent", *options], stage, words, within=60)
    standin.close()


@standin_case("clocks-that-are-not-taken", timeout=120)
def clocks(t):
    expect_named(t, ["never-probes"], "clock", ["never asked for our clock", "319 and 320", "--clock ntp"])
    expect_named(t, ["keeps-its-clock"], "clock", ["its own clock", "--clock theirs"])
    expect_named(t, ["refuses-ntp"], "session", ["--clock ptp"], "--clock", "ntp")


@standin_case("anchors-that-are-not-taken", timeout=120)
def anchors(t):
    expect_named(t, ["refuses-first-anchors=60"], "anchor", ["refuses every start"])
    expect_named(t, ["never-starts-buffered"], "anchor", ["--stream realtime"])


@standin_case("silence-is-asked-for")
def silence(t):
    """A device that answers 200 to everything: only the user hears that it is silent."""
    standin = t.standin(2, "stays-silent")
    stages, diagnosis = examine(t, standin.endpoint)
    expect_good(stages, diagnosis)
    program = t.command("doctor", standin.endpoint, "--ask", "--json", answer="no")
    program.expect_exit(40, STATUSES["not-heard"])
    last = program.events[-1]
    expect(last["code"] == "not-heard" and not last["ok"], f"another diagnosis: {last}")
    t.note(last["message"])
