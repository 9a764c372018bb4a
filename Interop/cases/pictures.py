"""Films: the picture in a window against the sound of this machine, of our own speaker and of shairport-sync.

The film's pictures name their numbers and have a flash when a click sounds (films/film.py). The window is on an X server without a monitor;
the eyes read it a thousand times a second (films/eyes.py), the ears hear where sound leaves a loudspeaker (films/ears.py). Positive
distances are sound that is later than its picture.
"""

import contextlib
import os
import random
import time
from dataclasses import dataclass, field

import sound
from cases import PIPE, SPEAKERS, case, expect
from cases.live import endpoint, own_speaker
from films import ears, proofs
from films.eyes import Eyes, XServer
from films.film import COLOUR_ROWS, COLOURS, ROWS, Film
from films.steps import flashes, pair
from player import Player

# What the program is told.
PAUSE, RESUME, STEP, SEEK, RATE = "pause", "resume", "step 1", "seek {:.4f}", "rate {:g}"

HERE_GATE, ROOM_GATE = 5, 10  # ms: the median on this machine and our own speaker; on shairport-sync
OVER_A_FRAME = 5  # ms beyond a picture's own time: the worst
STRETCHED_GATE = 15  # ms: the median at other rates; changed time moves an onset by up to a period of the lowest pitch
NEAR = 1.5  # seconds around a command in which a flash may be without its click
SEEK_GATE = 0.150  # seconds: command → the right picture
RATES = {0.5: 6.5, 2: 5}  # with the seconds that each is played
SPARE = 1.5  # a decoder that is so many times faster than the film has no excuse for a missing picture
ROUNDED = 0.002  # seconds: a container's times are rounded to thousandths, so a picture may begin a little later
PORT = 7303  # of our own speaker

SHORT = Film(40, codec="h264-b")
LONG = Film(600, codec="h264-b")


@dataclass
class Showing:
    """A film that plays in a window."""

    film: Film
    screen: XServer
    eyes: Eyes
    player: Player
    commands: list = field(default_factory=list)  # monotonic times
    sections: list = field(default_factory=list)  # (start, end, rate) in which flashes count

    def send(self, command):
        at = self.player.send(command)
        self.commands.append(at)
        return at

    def told(self, command, event, within=5):
        """Sends a command and returns when its event has come."""
        here = self.player.here()
        self.send(command)
        return self.player.wait(event, within, after=here)

    def wait_number(self, number, within, after=0):
        """The first picture with this number or a later one."""
        return self.eyes.wait(lambda seen: seen.number is not None and seen.number >= number, within, after, f"picture {number} or later")

    def seek(self, number, within=5):
        """Seeks to the beginning of a picture's time; returns the command's time and the first picture from there on. Where the film
        plays on meanwhile, that is a later one: the sound does not wait for pictures."""
        here = self.eyes.here()
        at = self.send(SEEK.format(number / float(self.film.fps) + ROUNDED))
        near = range(number, number + int(within * float(self.film.fps)))
        return at, self.eyes.wait(lambda seen: seen.number in near, within, here, f"picture {number} after a seek to it")

    def watch(self, seconds, rate=1.0):
        """Lets the film play; its flashes count meanwhile."""
        start = time.monotonic()
        time.sleep(seconds)
        self.sections.append((start, time.monotonic(), rate))

    def number(self):
        """The number shown last."""
        return next((seen.number for seen in reversed(self.eyes.pictures) if seen.number is not None), None)

    def steps(self, clicks, is_stretched=False):
        """Pairs the flashes of the sections at the film's own rate, or of the others, with these clicks."""
        shown = [
            flash
            for start, end, rate in self.sections
            if (rate != 1) == is_stretched
            for flash in flashes(self.eyes.pictures, self.film, rate, start, end)
        ]
        found = pair(shown, clicks)
        found.lone_flashes = [flash for flash in found.lone_flashes if not any(abs(flash.at - at) < NEAR for at in self.commands)]
        # Clicks outside the sections are nobody's.
        found.lone_clicks = []
        return found


@contextlib.contextmanager
def showing(t, film, *options, path=None, size="1920x1080", has_manager=False, **environment):
    """Plays a film on a screen of its own."""
    path = path or film.made(t.sounds)
    with XServer(t.folder, size, has_manager) as screen, Eyes(screen.name, film.stem, film, t.folder) as eyes:
        words = [t.program, "play", path, "--json", *options]
        player = t._run(Player, words, **{"DISPLAY": screen.name, "WAYLAND_DISPLAY": "", **environment})
        yield Showing(film, screen, eyes, player)


def local_output(t):
    file = t.place("heard.wav")
    return file, ("--output", f"wave:{file}")


def expect_window(shown):
    shown.player.wait("playing", 20)
    shown.eyes.wait_window(10)
    shown.commands.append(time.monotonic())


# In step


def short_course(shown, with_rates):
    """8 s of film, a pause, three seeks, and other rates."""
    expect_window(shown)
    shown.watch(8)
    shown.told(PAUSE, "paused")
    time.sleep(0.3)  # what is in the window's queue
    still = shown.eyes.here()
    time.sleep(1)
    moved = shown.eyes.pictures[still:]
    expect(not moved, f"the picture moves in a pause: {[seen.number for seen in moved]}")
    shown.told(RESUME, "playing")
    shown.watch(2.5)
    chance = random.Random(7)
    for _ in range(3):
        shown.seek(chance.randrange(2 * shown.film.beat, (shown.film.seconds - 8) * shown.film.beat))
        shown.watch(2.5)
    if with_rates:
        shown.seek(5 * shown.film.beat + 3)
        for rate, seconds in RATES.items():
            shown.send(RATE.format(rate))
            time.sleep(0.5)
            shown.watch(seconds, rate)
        shown.send(RATE.format(1))
        time.sleep(0.5)
        shown.watch(3)
    shown.player.quit()


def long_course(shown, seconds=600, seeks=20):
    """Ten minutes, with a seek every half minute."""
    expect_window(shown)
    chance = random.Random(11)
    part = seconds / (seeks + 1)
    for index in range(seeks + 1):
        if index:
            shown.seek(chance.randrange(2 * shown.film.beat, (shown.film.seconds - int(part) - 4) * shown.film.beat))
        shown.watch(part)
    shown.player.quit()


def in_step(t, place, film, course):
    """Plays a film at a place: "local", "own-speaker" or "shairport-sync". Returns the steps, those at other rates, and a note."""
    path = film.made(t.sounds)
    if place == "local":
        file, options = local_output(t)
    elif place == "own-speaker":
        _, file = own_speaker(t, "Film", PORT)
        options = ("--to", endpoint(t, PORT), "--volume", "100")
    else:
        loudspeaker = ears.Loudspeaker(t)
        options = ("--to", t.lab.endpoint(1))
    with showing(t, film, *options, path=path) as shown:
        course(shown)
    time.sleep(0.5)  # what the output still writes
    clicks = loudspeaker.clicks() if place == "shairport-sync" else ears.of_wave(file)
    found, stretched = shown.steps(clicks), shown.steps(clicks, is_stretched=True)
    doubt = f"; the loudspeaker's time ±{loudspeaker.doubt * 500:.1f} ms" if place == "shairport-sync" else ""
    note = f"{found}" + (f"; at other rates {stretched}" if stretched.each else "") + f"; {shown.eyes.figures()}{doubt}"
    print_steps(t, found, stretched)
    return found, stretched, note


def print_steps(t, *steps):
    """Each second's distance, for a look afterwards."""
    with open(os.path.join(t.folder, "steps.txt"), "w") as file:
        file.write("".join(f"{found}\n{found.listed()}\n" for found in steps))


def expect_in_step(found, frame, gate, least, note, may_lack=False):
    """`frame`: seconds that a picture is shown. `may_lack`: at other rates a part of the sound is left out, and a click with it."""
    expect(len(found.each) >= least, f"only {len(found.each)} of {least} pairs: {note}")
    expect(may_lack or not found.lone_flashes, f"flashes without a click: {[flash.second for flash in found.lone_flashes]}; {note}")
    expect(abs(found.median) <= gate, note)
    expect(abs(found.worst) <= frame * 1000 + OVER_A_FRAME, f"{note}; {found.listed()}")


def short_case(place, gate, film, with_rates):
    def run(t):
        found, stretched, note = in_step(t, place, film, lambda shown: short_course(shown, with_rates))
        expect_in_step(found, film.frame, gate, 12, note)
        if with_rates:
            expect_in_step(stretched, film.frame / min(RATES), STRETCHED_GATE, 5, note, may_lack=True)
        t.note(note)

    lab = SPEAKERS if place == "shairport-sync" else PIPE
    case(f"pictures.{place}", lab=lab, timeout=150, alone=True)(run)


short_case("local", HERE_GATE, SHORT, with_rates=True)
# Other rates are made before the sound goes to an output.
short_case("own-speaker", HERE_GATE, SHORT, with_rates=False)
# AAC at the rate at which it passes through to the speaker.
short_case("shairport-sync", ROOM_GATE, Film(40, codec="h264-b", audio="aac", sound_rate=44_100), with_rates=False)


@case("pictures.route-change", timeout=120, quiet=True)
def route_change(t):
    """From this machine to our own speaker in mid-film: in step with either."""
    film = SHORT
    path, here = film.made(t.sounds), t.place("heard.wav")
    _, there = own_speaker(t, "Film", PORT)
    with showing(t, film, "--to", "local", path=path, TUTTI_OUTPUT=f"wave:{here}") as shown:
        expect_window(shown)
        shown.watch(6)
        on_machine, shown.sections = shown.sections, []
        mark = shown.player.here()
        shown.send(f"join {endpoint(t, PORT)}")
        shown.player.wait("member", 10, lambda event: event["state"] == "playing", mark)
        shown.send(f"volume {endpoint(t, PORT)} 100")
        shown.told("leave local", "member")
        time.sleep(1)
        shown.watch(8)
        shown.player.quit()
    time.sleep(0.5)
    after = shown.steps(ears.of_wave(there))
    shown.sections = on_machine
    before = shown.steps(ears.of_wave(here))
    note = f"here {before}; there {after}; {shown.eyes.figures()}"
    print_steps(t, before, after)
    expect_in_step(before, film.frame, HERE_GATE, 4, note)
    expect_in_step(after, film.frame, HERE_GATE, 5, note)
    t.note(note)


# The screen


def expect_every_click(clicks, film, note):
    expect(len(clicks) == film.seconds, f"{len(clicks)} clicks of {film.seconds}: {note}")
    spaces = [later.at - earlier.at for earlier, later in zip(clicks, clicks[1:])]
    expect(max(abs(space - 1) for space in spaces) < 0.002, f"the sound has a gap: clicks are {[round(space, 3) for space in spaces]} s apart; {note}")


@case("pictures.no-display")
def no_display(t):
    """Without a display the film's sound plays, and the status is 0."""
    film = Film(8)
    file, options = local_output(t)
    words = ["env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", t.program, "play", film.made(t.sounds), "--json", *options]
    player = t._run(Player, words)
    player.expect_end(within=30)
    expect(not player.all("error"), f"errors: {player.all('error')}")
    expect_every_click(ears.of_wave(file), film, player.stderr()[-200:])


@case("pictures.no-video")
def no_video(t):
    """With `--no-video` there is a display, but no window."""
    film = Film(8)
    file, options = local_output(t)
    with showing(t, film, *options, "--no-video") as shown:
        shown.player.expect_end(within=30)
        expect(shown.eyes.window is None and not shown.eyes.pictures, f"a window was there: {shown.eyes.window}")
    expect_every_click(ears.of_wave(file), film, "--no-video")


@case("pictures.display-lost")
def display_lost(t):
    """The X server ends in mid-film: the sound goes on to the end, without a gap."""
    film = Film(12)
    file, options = local_output(t)
    with showing(t, film, *options) as shown:
        expect_window(shown)
        shown.wait_number(4 * film.beat, 15)
        shown.screen.kill()
        shown.player.expect_end(within=30)
    expect(shown.eyes.is_lost, "the screen was not lost")
    warnings = [event.get("message") for event in shown.player.all("warning")]
    t.note(f"warnings: {warnings}")
    expect_every_click(ears.of_wave(file), film, f"warnings: {warnings}")


@case("pictures.full-screen", timeout=90)
def full_screen(t):
    """The picture fills the screen, with its colours."""
    film = Film(12)
    file, options = local_output(t)
    with showing(t, film, *options, "--full-screen", size="1280x720", has_manager=True) as shown:
        expect_window(shown)
        shown.wait_number(2 * film.beat + 3, 15)
        kept = shown.eyes.keep()
        expect(shown.eyes.window is not None, "the window is gone before the end")
        shown.player.quit()
    expect(kept is not None and kept.pixels.shape[:2] == (720, 1280), f"the window has {kept.pixels.shape[1::-1] if kept else None} of 1280x720")
    expect(kept.number is not None and not kept.is_flash, "the picture has no code, or shows a flash")
    far = {}
    for index, colour in enumerate(COLOURS):
        # The middle of a patch: a scaler blurs its edges.
        left, right = (index + 0.2) / len(COLOURS), (index + 0.8) / len(COLOURS)
        seen = kept.colour(left, (COLOUR_ROWS[0] + 0.4) / ROWS, right, (COLOUR_ROWS[1] - 0.4) / ROWS)
        far[colour] = max(abs(float(one) - wanted) for one, wanted in zip(seen, colour))
    t.note(f"colours are at most {max(far.values()):.1f} of 255 off")
    expect(max(far.values()) <= 6, f"colours are off: {far}")


# Pictures one by one


def jump(pictures):
    """The first number that does not go on from the one before."""
    for before, after in zip(pictures, pictures[1:]):
        if after.number is not None and before.number is not None and not before.number <= after.number <= before.number + 6:
            return after.number
    return None


def seeks(t):
    """Seeks to ten places, five while the film plays and five in a pause; returns how long each took, and a note."""
    film = Film(60, 1920, 1080, "24", "h264-b")
    file, options = local_output(t)
    path, chance, took = film.made(t.sounds), random.Random(24), []
    with showing(t, film, *options, path=path) as shown:
        expect_window(shown)
        shown.wait_number(film.beat, 15)
        for index in range(10):
            if index == 5:
                shown.told(PAUSE, "paused")
                time.sleep(0.3)
            while abs((target := chance.randrange(film.beat, film.count - 4 * film.beat)) - shown.number()) < 2 * film.beat:
                pass
            before = max(0, shown.eyes.here() - 1)
            at, picture = shown.seek(target)
            first = jump(shown.eyes.pictures[before:])
            passed = 0 if index >= 5 else int((picture.at - at) * float(film.fps)) + 1
            expect(target <= first <= target + passed, f"after a seek to picture {target} the first one was {first}")
            took.append(picture.at - at)
            time.sleep(0.7)
            if index >= 5:
                expect(shown.number() == target, f"in a pause picture {shown.number()} is shown, not {target}")
        shown.player.quit()
    return took, f"command → right picture {[round(one * 1000) for one in took]} ms (the last five in a pause); {shown.eyes.figures()}"


@case("pictures.seek", timeout=120, alone=True)
def seek(t):
    """The first picture after a seek is the right one, and it comes soon."""
    took, note = seeks(t)
    t.note(note)
    expect(max(took) <= SEEK_GATE, note)


def decoder_speed(path, film):
    """How many times faster than the film ffmpeg's decoder alone is."""
    start = time.monotonic()
    sound.ffmpeg("-i", path, "-map", "0:v", "-f", "null", "-")
    return film.seconds / (time.monotonic() - start)


def smooth(t, seconds):
    """Plays 1080p60; returns missing and repeated numbers, a note, and the decoder's speed."""
    film = Film(seconds, 1920, 1080, "60", busy=True)
    path = film.made(t.sounds)
    speed = decoder_speed(path, film)
    file, options = local_output(t)
    with showing(t, film, *options, path=path) as shown:
        expect_window(shown)
        shown.player.expect_end(within=seconds + 30)
    seen = [picture for picture in shown.eyes.pictures if picture.number is not None]
    expect(len(seen) > 1, "no pictures were seen")
    numbers = [picture.number for picture in seen]
    # The window opens while the sound begins already, and its first drawing takes longer than a picture.
    seen = [picture for picture in seen if picture.number >= numbers[0] + film.beat / 2]
    numbers = [picture.number for picture in seen]
    expect(len(seen) > 1, "no pictures were seen after the first half second")
    missing, unwatched = [], []
    for before, after in zip(seen, seen[1:]):
        # On a busy machine the eyes, too, may not have looked while a picture was there.
        was_watched = 2 * after.doubt < 0.6 * film.frame
        (missing if was_watched else unwatched).extend(range(before.number + 1, after.number))
    missing += range(numbers[-1] + 1, film.count - 1)  # the window may close with the last one
    repeated = [after for before, after in zip(numbers, numbers[1:]) if after <= before]
    spaces = sorted(later.at - earlier.at for earlier, later in zip(seen[5:], seen[6:]))
    dropped = [event["dropped"] for event in shown.player.events if "dropped" in event]
    note = (
        f"{len(numbers)} of {film.count} pictures, {len(missing)} missing {missing[:8]}, {len(repeated)} repeated, {len(unwatched)} not watched; "
        f"{spaces[len(spaces) // 2] * 1e3:.1f} ms apart, 99 of 100 within {spaces[int(0.99 * len(spaces))] * 1e3:.1f}, worst {spaces[-1] * 1e3:.1f} ms; "
        f"the program dropped {dropped[-1] if dropped else 'no known number of'}; the decoder alone {speed:.1f} × real time; {shown.eyes.figures()}"
    )
    return missing, repeated, (dropped[-1] if dropped else 0), speed, note


@case("pictures.smooth", timeout=150, alone=True)
def smooth_short(t):
    """1080p at 60 pictures a second: each is shown, once, where the decoder alone keeps up."""
    missing, repeated, dropped, speed, note = smooth(t, 10)
    t.note(note)
    expect(not repeated, note)
    expect(not missing or speed < SPARE, note)


@case("pictures.step", timeout=60)
def step(t):
    """In a pause `step` shows the next picture, one for each command."""
    film = Film(12)
    file, options = local_output(t)
    with showing(t, film, *options) as shown:
        expect_window(shown)
        shown.wait_number(2 * film.beat, 15)
        shown.told(PAUSE, "paused")
        time.sleep(0.3)
        first = shown.number()
        for count in range(1, 6):
            here = shown.eyes.here()
            shown.send(STEP)
            seen = shown.eyes.wait(lambda picture: picture.number is not None, 3, here, f"picture after step {count}")
            expect(seen.number == first + count, f"step {count} from picture {first} shows {seen.number}")
            time.sleep(0.1)
        time.sleep(0.3)
        expect(shown.number() == first + 5, f"the picture goes on by itself: {shown.number()}, not {first + 5}")
        shown.player.quit()


SUBTITLES = ((2.0, 4.0, "The first words"), (6.0, 7.5, "And others"))
EDGE = 0.2  # seconds around a subtitle's times that are not looked at


def clock_text(seconds):
    return f"00:00:{int(seconds):02},{round(seconds % 1 * 1000):03}"


@case("pictures.subtitles", timeout=60)
def subtitles(t):
    """Words of an .srt file beside the film appear in the lower third, in their times only."""
    film = Film(10, flash=0)
    folder = os.path.join(t.folder, "with subtitles")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{film.stem}.mkv")
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
    os.symlink(film.made(t.sounds), path)
    with open(os.path.join(folder, f"{film.stem}.srt"), "w") as file:
        for index, (start, end, text) in enumerate(SUBTITLES, 1):
            file.write(f"{index}\n{clock_text(start)} --> {clock_text(end)}\n{text}\n\n")
    file, options = local_output(t)
    looks = []
    with showing(t, film, *options, path=path) as shown:
        expect_window(shown)
        while not shown.player.all("ended"):
            kept = shown.eyes.keep()
            if kept is not None and kept.number is not None:
                looks.append((kept.number / float(film.fps), int((kept.part(0, 2 / 3, 1, 1).min(2) > 200).sum())))
            time.sleep(0.08)
        shown.player.expect_exit(5)
    expect(len(looks) > 50, f"only {len(looks)} looks")
    wrong = []
    for at, white in looks:
        if any(abs(at - edge) < EDGE for start, end, _ in SUBTITLES for edge in (start, end)):
            continue
        due = any(start <= at < end for start, end, _ in SUBTITLES)
        if (white >= 50) != due or (not due and white):
            wrong.append(f"{at:.2f} s: {white}")
    t.note(f"{len(looks)} looks, up to {max(white for _, white in looks)} white pixels")
    expect(not wrong, f"white pixels of the lower third at wrong times: {', '.join(wrong[:10])}")


# The measurement itself


def proof_case(name):
    def run(t):
        note = proofs.PROOFS[name](t.folder)
        if note:
            t.note(note)

    case(f"pictures.proof-of-{name}", timeout=90, alone=name == "eyes")(run)


for name in proofs.PROOFS:
    proof_case(name)
