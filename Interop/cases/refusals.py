"""Things that cannot work: one clear line, the right exit status, no trace of a crash."""

import os

import listening
import sound
from cases import PASSWORD, case, expect
from cases.content import play_to_end
from listening import RATE

# Exit statuses, as docs/reference/exit-status.md has them.
WRONG_USAGE, BAD_MEDIA, NOT_FOUND, UNAVAILABLE, BUSY, REFUSED, NO_ACCESS = 2, 65, 66, 69, 75, 76, 77


def refused(t, arguments, status, words, within=10):
    """Runs `tutti` with these arguments: it must end with this status and one line that contains one of the words."""
    program = t.command(*arguments)
    program.expect_exit(within, status)
    lines = [line for line in program.stderr().splitlines() if line.strip()]
    expect(len(lines) == 1, f"{len(lines)} lines on standard error instead of one: {lines[:4]}")
    line = lines[0].lower()
    expect(any(word.lower() in line for word in words), f"the line names none of {words}: {lines[0]!r}")
    t.note(lines[0])


def good_file(t):
    return t.sounds.encoded("noise-3.flac", t.sounds.noise("noise-3", 3, seed=8))


def room(t, number=1):
    return f"{t.lab.address(number)}:7000"


def file_in(t, name, content):
    path = os.path.join(t.folder, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


@case("refusals.not-audio")
def not_audio(t):
    path = file_in(t, "letter.flac", b"Dear Sir or Madam,\n" * 400)
    refused(t, ["play", path, "--to", room(t)], BAD_MEDIA, ["letter.flac"])


@case("refusals.empty-file")
def empty_file(t):
    path = file_in(t, "empty.m4a", b"")
    refused(t, ["play", path, "--to", room(t)], BAD_MEDIA, ["empty.m4a"])


@case("refusals.no-such-file")
def no_file(t):
    refused(t, ["play", os.path.join(t.folder, "nowhere.flac"), "--to", room(t)], NOT_FOUND, ["nowhere.flac"])


@case("refusals.empty-folder")
def empty_folder(t):
    path = os.path.join(t.folder, "silence")
    os.mkdir(path)
    refused(t, ["play", path, "--to", room(t)], NOT_FOUND, ["silence"])


@case("refusals.unknown-speaker")
def unknown_speaker(t):
    refused(t, ["play", good_file(t), "--to", "Cellar"], NOT_FOUND, ["Cellar"], within=20)


@case("refusals.address-that-does-not-answer")
def no_answer(t):
    refused(t, ["play", good_file(t), "--to", "10.77.0.99:7000"], UNAVAILABLE, ["10.77.0.99"], within=30)


@case("refusals.port-that-is-closed")
def closed_port(t):
    refused(t, ["play", good_file(t), "--to", "10.77.0.11:7999"], UNAVAILABLE, ["10.77.0.11"], within=20)


@case("refusals.wrong-password")
def wrong_password(t):
    wrong = file_in(t, "wrong", f"not-{PASSWORD}\n".encode())
    os.chmod(wrong, 0o600)
    refused(t, ["play", good_file(t), "--to", room(t, 3), "--password-file", wrong], NO_ACCESS, ["password"], within=20)


@case("refusals.password-not-given")
def no_password(t):
    refused(t, ["play", good_file(t), "--to", room(t, 3)], NO_ACCESS, ["password"], within=20)


@case("refusals.right-password-plays")
def right_password(t):
    source = sound.read_wav(t.sounds.noise("noise-3", 3, seed=8))
    right = file_in(t, "right", f"{PASSWORD}\n".encode())
    heard = play_to_end(t, good_file(t), rooms=(3,), options=("--password-file", right))[3]
    result = listening.Finder(source).hear(heard)
    expect(len(result.pieces) == 1 and result.pieces[0].count == len(source), f"heard: {result}")


@case("refusals.unknown-option")
def unknown_option(t):
    refused(t, ["play", good_file(t), "--to", room(t), "--louder"], WRONG_USAGE, ["--louder"])


@case("refusals.no-file-given")
def nothing_to_play(t):
    refused(t, ["play", "--to", room(t)], WRONG_USAGE, ["file", "play"])


@case("refusals.speakers-and-an-output")
def two_places(t):
    refused(t, ["play", good_file(t), "--to", room(t), "--output", "null"], WRONG_USAGE, ["--to", "--output"])


@case("refusals.an-output-that-is-none")
def no_output(t):
    refused(t, ["play", good_file(t), "--output", "tape"], WRONG_USAGE, ["--output", "tape"])


@case("refusals.volume-out-of-range")
def too_loud(t):
    refused(t, ["play", good_file(t), "--to", room(t), "--volume", "101"], WRONG_USAGE, ["--volume"])


@case("refusals.truncated-file-plays-what-is-there")
def truncated(t):
    source = t.sounds.noise("noise-10", 10, seed=9)
    whole = t.sounds.encoded("noise-10.flac", source)
    path = t.sounds.truncated("truncated.flac", whole, share=0.6)
    mark = t.lab.mark()
    player = t.play([path], (1,))
    player.expect_end(within=25)
    t.lab.settle(1)
    result = listening.Finder(sound.read_wav(source)).hear(listening.trim(t.lab.heard(1, mark)))
    pieces = result.pieces
    expect(len(pieces) == 1 and pieces[0].start == 0, f"not the start of the file: {result}")
    # The last FLAC frame of 4608 samples is truncated, and headers take their share.
    expect(pieces[0].count >= 6.0 * RATE - 3 * 4608, f"only {pieces[0].count / RATE:.2f} of 6 s: {result}")


@case("refusals.error-event")
def error_event(t):
    """With --json the cause is an event, too."""
    path = file_in(t, "letter.flac", b"Dear Sir or Madam,\n" * 400)
    player = t.play([path], (1,))
    error = player.wait("error", 10)
    expect(error.get("code") and error.get("message"), f"no code or no message: {t.plain(error)}")
    player.expect_exit(10, BAD_MEDIA)
