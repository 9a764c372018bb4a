"""The row of bench.py about endless radio: a player whose clock runs a thousand times as fast."""

import http.server
import json
import subprocess
import threading

import web

HOURS = (1, 6, 12, 24)
# Pieces sent at once.
PIECE = 1 << 16


class Radio(http.server.BaseHTTPRequestHandler):
    """The same music endlessly, as fast as it is read."""

    music = b""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "audio/mpeg")
        self.send_header("icy-name", "Endless")
        self.end_headers()
        try:
            while True:
                for start in range(0, len(self.music), PIECE):
                    self.wfile.write(self.music[start : start + PIECE])
        except OSError:
            pass  # the player has ended

    def log_message(self, *_):
        pass


def endless(t):
    web.programs(t)
    path = t.sounds.encoded("radio-60.mp3", t.sounds.music("radio-60", 60, seed=21), "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0")
    with open(path, "rb") as file:
        Radio.music = file.read()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Radio) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/radio.mp3"
        command = [t.apps, "endless", address, str(HOURS[-1])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
        server.shutdown()
    events = [json.loads(line) for line in done.stdout.splitlines()]
    memory = {event["hour"]: event["kilobytes"] / 1e3 for event in events if event["event"] == "hour"}
    if HOURS[-1] not in memory:
        raise web.Failed(f"not played to its end: {events[-1] if events else done.stderr}")
    return ", ".join(f"{memory[hour]:.1f}" for hour in HOURS) + f" MB after {', '.join(map(str, HOURS))} h"


def register(row):
    row("endless", "24 h of an MP3 stream without end, as fast as it comes: resident memory", "flat")(endless)
