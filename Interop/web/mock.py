#!/usr/bin/env python3
"""A server that answers like `tutti serve`, with a simulated house: to work on the pages, and to test them, without a build.

mock.py [--port 8399] [--demo] [--code 123456] [--hostile]

Only the Python library is needed. `POST /mock/restart` acts as a new start of the server, `POST /mock/drop` {"seconds"} refuses
connections for a while, `POST /mock/reset` makes a new house, `PATCH /mock/zones/{z}` and `/mock/rooms/{r}` set fields: tests use them.
A field of a room that is set to null becomes unknown.
"""

import argparse
import json
import os
import re
import secrets
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pictures
from house import House, Refusal
from routes import ROUTES

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGES = os.path.join(PROJECT, "Sources", "Surfaces", "HouseWeb", "Pages")
TYPES = {
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json",
}
POLICY = "default-src 'self'; img-src 'self' data: https: http:; style-src 'self'; script-src 'self'"
BODY_LIMIT = 1 << 20
TICK = 0.5
HEARTBEAT = 15


class Server(ThreadingHTTPServer):
    """The house, its lock, and the connections that follow its events."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, is_demo=False, code=None, is_hostile=False):
        super().__init__(("127.0.0.1", port), Handler)
        self.is_demo, self.code, self.is_hostile, self.token = is_demo, code, is_hostile, secrets.token_hex(16)
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.down_until, self.depths, self.depths_count = 0.0, {}, 0
        self.reset()
        threading.Thread(target=self.run_clock, daemon=True).start()

    def reset(self):
        with self.changed:
            self.house, self.epoch = House(self.is_hostile), secrets.token_hex(3)
            self.changed.notify_all()

    def restart(self, seconds):
        """Acts as a process that ends and starts again: listeners lose their connections; the state stays."""
        with self.changed:
            self.epoch, self.down_until = secrets.token_hex(3), time.time() + seconds
            self.house.revision, self.house.changes = 0, []
            self.changed.notify_all()

    def handle_error(self, request, client_address):
        """A client that goes away is no error of the server."""

    def run_clock(self):
        while True:
            time.sleep(TICK)
            with self.changed:
                depths = self.house.tick(time.time())
                if depths:
                    self.depths, self.depths_count = depths, self.depths_count + 1
                self.changed.notify_all()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    # Small answers must not wait for the acknowledgement of the one before.
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.answer_request("GET")

    def do_POST(self):
        self.answer_request("POST")

    def do_PUT(self):
        self.answer_request("PUT")

    def do_PATCH(self):
        self.answer_request("PATCH")

    def do_DELETE(self):
        self.answer_request("DELETE")

    def answer_request(self, method):
        path, _, query = self.path.partition("?")
        path = urllib.parse.unquote(path)
        fields = {key: values[-1] for key, values in urllib.parse.parse_qs(query).items()}
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(min(length, BODY_LIMIT))
        kind = (self.headers.get("Content-Type") or "").split(";")[0]
        try:
            is_sound = kind.startswith("audio/") or kind == "application/octet-stream"
            body = raw if is_sound else json.loads(raw) if raw else {}
        except ValueError:
            return self.refuse(400, "invalid", "The body is not JSON.")
        if path.startswith("/mock/"):
            return self.act_on_server(method, path[6:], body)
        if time.time() < self.server.down_until:
            self.close_connection = True
            return None
        if not path.startswith("/api/v1/"):
            return self.send_page(path)
        return self.answer_api(method, path[7:], fields, body)

    def answer_api(self, method, path, fields, body):
        if path == "/access":
            return self.answer_access(method, body)
        if not self.is_allowed():
            return self.refuse(401, "access", "This house wants a code.")
        if path == "/events":
            return self.send_events(fields)
        if path.startswith("/pictures/"):
            return self.send(200, "image/svg+xml", pictures.draw(path[10:]).encode(), "private, max-age=31536000, immutable")
        for verb, pattern, action in ROUTES:
            match = re.fullmatch(pattern, path)
            if match and verb == method:
                return self.carry_out(action, match.groups(), fields, body)
        return self.refuse(404, "notFound", f"There is nothing at {path}.")

    def carry_out(self, action, parts, fields, body):
        server = self.server
        try:
            with server.changed:
                answer = action(server, [int(p) if p.isdecimal() else p for p in parts], fields, body)
                if answer is None or isinstance(answer, list):
                    answer = {"revision": server.house.revision, **({"entries": answer} if answer else {})}
                server.changed.notify_all()
        except Refusal as refusal:
            return self.refuse(refusal.status, refusal.code, refusal.detail)
        except (KeyError, TypeError, ValueError) as error:
            return self.refuse(400, "invalid", f"The request lacks something: {error}")
        return self.send_json(200, answer)

    # Access

    def is_allowed(self):
        return self.server.code is None or f"tutti-token={self.server.token}" in (self.headers.get("Cookie") or "")

    def answer_access(self, method, body):
        if method == "GET":
            return self.send_json(200, {"isAllowed": self.is_allowed(), "isLocal": True})
        if body.get("code") != self.server.code:
            return self.refuse(403, "wrongCode", "The code is wrong. Check it, and try again.")
        cookie = f"tutti-token={self.server.token}; HttpOnly; SameSite=Strict; Path=/"
        return self.send_json(200, {"token": self.server.token}, cookie)

    # Events

    def send_events(self, fields):
        server = self.server
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.flush()
        self.close_connection = True
        last = self.headers.get("Last-Event-ID") or fields.get("after") or ""
        try:
            self.follow(server, last)
        except OSError:
            pass

    def follow(self, server, last):
        epoch, _, number = last.partition("-")
        beat, depths_count = time.time(), 0
        with server.changed:
            own_epoch, house = server.epoch, server.house
            seen = int(number) if epoch == own_epoch and number.isdecimal() else None
            oldest = house.changes[0][0] if house.changes else house.revision + 1
        if seen is None or seen + 1 < oldest or seen > house.revision:
            with server.changed:
                seen, snapshot = house.revision, house.snapshot(time.time())
            self.write_event("house", snapshot, f"{own_epoch}-{seen}")
        while True:
            with server.changed:
                while server.epoch == own_epoch and house.revision == seen and server.depths_count == depths_count:
                    if not server.changed.wait(HEARTBEAT):
                        break
                if server.epoch != own_epoch:
                    return
                missed = [change for change in house.changes if change[0] > seen]
                depths = server.depths if server.depths_count != depths_count else None
                depths_count = server.depths_count
            for revision, name, data in missed:
                self.write_event(name, data, f"{own_epoch}-{revision}")
                seen = revision
            if depths:
                self.write_event("depths", {"depths": depths})
            if time.time() - beat > HEARTBEAT:
                beat = time.time()
                self.wfile.write(b": here\n\n")
                self.wfile.flush()

    def write_event(self, name, data, identity=None):
        lines = f"id: {identity}\n" if identity else ""
        self.wfile.write(f"{lines}event: {name}\ndata: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()

    # Answers

    def send_page(self, path):
        name = path[1:] or "index.html"
        full = os.path.join(PAGES, name)
        if not re.fullmatch(r"[a-z0-9.-]+", name) or not os.path.isfile(full):
            return self.refuse(404, "notFound", f"There is no page {path}.")
        with open(full, "rb") as file:
            return self.send(200, TYPES[name.rsplit(".", 1)[-1]], file.read(), "no-cache")

    def send_json(self, status, answer, cookie=None):
        self.send(status, "application/json; charset=utf-8", json.dumps(answer).encode(), "no-store", cookie)

    def refuse(self, status, code, detail):
        problem = {"type": "about:blank", "title": code, "status": status, "detail": detail, "code": code}
        self.send(status, "application/problem+json", json.dumps(problem).encode(), "no-store")

    def send(self, status, kind, data, caching, cookie=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", caching)
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:
            self.close_connection = True

    # What only tests use

    def act_on_server(self, method, path, body):
        server = self.server
        kind, _, name = path.partition("/")
        if kind == "reset":
            server.reset()
        elif kind == "restart":
            server.restart(body.get("seconds", 0))
        elif kind == "drop":
            with server.changed:
                server.down_until = time.time() + body.get("seconds", 1)
        else:
            with server.changed:
                table = server.house.zones if kind == "zones" else server.house.rooms
                key = int(name) if kind == "zones" else name
                table[key].update(body)
                table[key] = {field: value for field, value in table[key].items() if kind == "zones" or value is not None}
                (server.house.emit_zone if kind == "zones" else server.house.emit_room)(key)
                server.changed.notify_all()
        self.send_json(200, {})


def start(**options):
    """Starts a server in this process, on a free port; returns its address."""
    server = Server(0, **options)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8399)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--code")
    parser.add_argument("--hostile", action="store_true", help="texts in the library that must do no harm")
    options = parser.parse_args()
    server = Server(options.port, options.demo, options.code, options.hostile)
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
