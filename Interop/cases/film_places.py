"""Films from web servers, through a stall, to a speaker that fails, and longer than their sound: pictures and sound stay together.

What `pictures.py` has for a film that plays undisturbed; its screen, eyes and ears serve here, too.
"""

import os
import signal
import time

import numpy as np

import listening
import sound
from cases import PIPE, case, expect
from cases.live import endpoint, own_speaker
from cases.pictures import HERE_GATE, SHORT, expect_in_step, expect_window, local_output, print_steps, showing
from films import ears
from films.film import Film
from servers import Servers

PORT = 7304  # of our own speaker
STALL = 3  # seconds
HELD = 0.3  # seconds until the window's queue is empty


def expect_held(shown, start, seconds):
    """No other picture appears for a time that has passed."""
    moved = [seen for seen in shown.eyes.pictures if start < seen.at < start + seconds]
    expect(not moved, f"pictures move while no sound plays: {[(seen.number, round(seen.at - start, 2)) for seen in moved[:8]]}")


@case("pictures.stall", timeout=120, quiet=True)
def stall(t):
    """A server that holds back the film's rest: the picture stays with the sound, and goes on with it."""
    film = SHORT
    path, (file, options) = film.made(t.sounds), local_output(t)
    size = os.path.getsize(path)
    with Servers(t) as servers:
        valve = servers.valve(path)
        valve.open(size * 3 // 10)
        with showing(t, film, *options, path=valve.address) as shown:
            expect_window(shown)
            shown.watch(6)
            # What has arrived ends; the last picture stays.
            shown.player.wait("warning", 20, lambda event: event["code"] == "slow")
            stopped = time.monotonic()
            shown.commands.append(stopped)
            time.sleep(STALL)
            expect_held(shown, stopped + HELD, STALL - HELD)
            mark = shown.player.here()
            valve.open(size)
            shown.player.wait("playing", 20, after=mark)
            shown.commands.append(time.monotonic())
            shown.watch(6)
            shown.player.quit()
    found = shown.steps(ears.of_wave(file))
    note = f"{found}; {shown.eyes.figures()}"
    print_steps(t, found)
    expect_in_step(found, film.frame, HERE_GATE, 9, note)
    t.note(note)


@case("pictures.speaker-comes-back", timeout=120, quiet=True)
def speaker_comes_back(t):
    """The speaker dies in mid-film and is started again: time goes on meanwhile, what it had is sent again, both go on in step."""
    film = SHORT
    first, file = own_speaker(t, "Film", PORT)
    with showing(t, film, "--to", endpoint(t, PORT), "--volume", "100") as shown:
        expect_window(shown)
        shown.watch(6)
        before, shown.sections = shown.sections, []
        mark = shown.player.here()
        os.killpg(first.process.pid, signal.SIGKILL)
        shown.commands.append(time.monotonic())
        time.sleep(STALL)
        _, again = own_speaker(t, "Film again", PORT)
        shown.player.wait("warning", 40, lambda event: event["code"] == "back", mark)
        shown.commands.append(time.monotonic())
        time.sleep(1)
        shown.watch(8)
        shown.player.quit()
    time.sleep(0.5)
    after = shown.steps(ears.of_wave(again))
    shown.sections = before
    earlier = shown.steps(ears.of_wave(file))
    note = f"before {earlier}; after {after}; {shown.eyes.figures()}"
    print_steps(t, earlier, after)
    expect_in_step(earlier, film.frame, HERE_GATE, 4, note)
    expect_in_step(after, film.frame, HERE_GATE, 5, note)
    t.note(note)


def hls_case(kind):
    @case(f"pictures.hls-{kind}", timeout=120, quiet=True)
    def hls(t):
        """A film in segments plays, and is sought, in step."""
        film = Film(40, codec="h264-b", audio="aac")
        source, (file, options) = film.made(t.sounds), local_output(t)
        with Servers(t) as servers:
            path = os.path.join(servers.files, f"{film.stem}.m3u8")
            sound.ffmpeg(
                "-i", source, "-map", "0", "-c", "copy", "-f", "hls", "-hls_time", "4", "-hls_playlist_type", "vod",
                "-hls_segment_type", kind, "-hls_fmp4_init_filename", "init.mp4", path,
            )  # fmt: skip
            stored = float(np.median(film.stored(path))) * 1000
            nginx = servers.nginx()
            with showing(t, film, *options, path=f"{nginx.address}{film.stem}.m3u8") as shown:
                expect_window(shown)
                shown.watch(7)
                shown.seek(21 * film.beat + 3)
                shown.watch(5)
                shown.player.quit()
        found = shown.steps(ears.of_wave(file))
        found.each = [(second, distance - stored) for second, distance in found.each]
        note = f"{found}, {stored:+.1f} ms in the file; {shown.eyes.figures()}"
        print_steps(t, found)
        expect_in_step(found, film.frame, HERE_GATE, 8, note)
        t.note(note)


for kind in ("mpegts", "fmp4"):
    hls_case(kind)


@case("pictures.hls-of-four-sizes", timeout=90)
def sizes(t):
    """Of a playlist with several sizes the largest is shown, wherever it stands."""
    film = Film(10, audio="aac")
    source, (file, options) = film.made(t.sounds), local_output(t)
    widths = (320, 640, 960, 480)
    with Servers(t) as servers:
        words = [word for index, width in enumerate(widths) for word in ("-map", "0:v", "-map", "0:a", f"-s:v:{index}", f"{width}x{width * 9 // 16}")]
        sound.ffmpeg(
            "-i", source, *words, "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "400k", "-g", "50", "-c:a", "copy", "-f", "hls", "-hls_time", "2",
            "-hls_playlist_type", "vod", "-master_pl_name", "all.m3u8", "-var_stream_map",
            " ".join(f"v:{index},a:{index},name:{width}" for index, width in enumerate(widths)), os.path.join(servers.files, "size-%v.m3u8"),
        )  # fmt: skip
        nginx = servers.nginx()
        with showing(t, film, *options, path=f"{nginx.address}all.m3u8") as shown:
            shown.player.wait("playing", 20)
            time.sleep(5)
            shown.player.quit()
        parts = [line.split()[2] for line in nginx.requests() if line.split()[2].endswith(".ts")]
    counts = {width: sum(f"/size-{width}" in part for part in parts) for width in widths}
    t.note(f"segments of each width: {counts}")
    # The sound is that of the first.
    expect(counts[960] >= 4 and max(counts[640], counts[480]) <= 3, f"segments of each width: {counts}")


@case("pictures.longer-than-the-sound", timeout=60)
def longer(t):
    """Sound of 5 s in a film of 8: the pictures go on in silence, to the last."""
    film = Film(8)
    (file, options), path = local_output(t), t.place(f"{film.stem}.mkv")
    sound.ffmpeg("-i", film.made(t.sounds), "-map", "0", "-c:v", "copy", "-af", "atrim=end=5", "-c:a", "flac", path)
    with showing(t, film, *options, path=path) as shown:
        expect_window(shown)
        shown.player.expect_end(within=30)
    expect(not shown.player.all("warning"), f"warnings: {shown.player.all('warning')}")
    last = max(seen.number for seen in shown.eyes.pictures if seen.number is not None)
    heard = len(listening.read_raw(file, skip_bytes=44)) / listening.RATE
    t.note(f"the last picture was {last} of {film.count}, {heard:.2f} s were played")
    expect(last >= film.count - 2, f"the last picture was {last} of {film.count}")
    expect(7.9 < heard < 8.6, f"{heard:.2f} s were played")


@case("pictures.two-films", timeout=60, quiet=True)
def two_films(t):
    """The second film of a list: its pictures begin with its sound, without a gap in either."""
    films = Film(6), Film(6, 854, 480)
    file, options = local_output(t)
    paths = [film.made(t.sounds) for film in films]
    with showing(t, films[0], *options, paths[1], path=paths[0]) as shown:
        expect_window(shown)
        shown.watch(11)
        shown.player.expect_end(within=20)
    clicks = ears.of_wave(file)
    expect(len(clicks) == 12, f"{len(clicks)} clicks of 12")
    found = shown.steps(clicks)
    # The second film's pictures from its start on.
    numbers = [seen for seen in shown.eyes.pictures if seen.number is not None]
    turn = next(index for index, (one, other) in enumerate(zip(numbers, numbers[1:])) if other.number < one.number) + 1
    first, gap = numbers[turn], numbers[turn].at - numbers[turn - 1].at
    begun = clicks[6].at
    note = f"{found}; the second film's first picture was {first.number}, {(first.at - begun) * 1000:+.1f} ms after its sound, {gap * 1000:.0f} ms after the one before"
    t.note(note)
    print_steps(t, found)
    expect_in_step(found, films[0].frame, HERE_GATE, 8, note)
    expect(first.number <= 3 and abs(first.at - begun) < 0.1 + first.number * films[0].frame, note)
