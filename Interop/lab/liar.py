#!/usr/bin/env python3
"""A web server of one file that does wrong on purpose.

liar.py WAY FILE PORT
    long     promises a third more than there is, and never gives it
    short    promises two thirds, and sends everything
    drops    knows ranges, and ends every answer after 200,000 bytes with a reset
    norange  knows no ranges, and ends the first answer after 200,000 bytes
    html     gives a page for people
    nothing  gives nothing
    circle   redirects to itself
    endless  a head without end
    valve    gives the file up to a mark, 0 bytes at first, and holds the rest; a request for /mark/N moves the mark
"""

import os
import re
import socket
import struct
import sys
import threading


def send_all(connection, bytes_):
    try:
        connection.sendall(bytes_)
        return True
    except OSError:
        return False


def head(status, *lines):
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode()


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Liar:
    def __init__(self, way, path):
        self.way, self.name = way, os.path.basename(path)
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.answers = 0
        self.mark, self.moved = 0, threading.Condition()

    def serve(self, connection):
        request = b""
        while True:
            while b"\r\n\r\n" not in request:
                piece = connection.recv(65536)
                if not piece:
                    return connection.close()
                request += piece
            text, _, request = request.partition(b"\r\n\r\n")
            self.answers += 1
            if not self.answer(connection, text.decode("latin-1"), self.answers):
                return

    def answer(self, connection, request, number):
        """Whether the connection goes on."""
        found = re.search(r"^range: bytes=(\d+)-(\d*)", request, re.I | re.M)
        first = int(found[1]) if found else 0
        size = len(self.bytes)
        if self.way == "circle":
            return send_all(connection, head("302 Found", f"Location: /{self.name}", "Content-Length: 0"))
        if self.way == "html":
            page = b"<!DOCTYPE html><html><body>Please log in.</body></html>"
            return send_all(connection, head("200 OK", "Content-Type: text/html", f"Content-Length: {len(page)}") + page)
        if self.way == "nothing":
            return send_all(connection, head("200 OK", "Content-Length: 0"))
        if self.way == "valve":
            return self.answer_through_valve(connection, request, found)
        if self.way == "endless":
            send_all(connection, b"HTTP/1.1 200 OK\r\n")
            while send_all(connection, b"X-Header: without end\r\n" * 100):
                pass
            return False
        if self.way == "short":
            send_all(connection, head("200 OK", f"Content-Length: {size * 2 // 3}") + self.bytes)
            connection.close()
            return False
        if self.way == "norange":
            send_all(connection, head("200 OK", f"Content-Length: {size}") + self.bytes[: 200_000 if number == 1 else size])
            if number == 1:
                reset(connection)
            else:
                connection.close()
            return False
        promised = size * 4 // 3 if self.way == "long" else size
        if first >= size and self.way != "long":
            return send_all(connection, head("416 No", f"Content-Range: bytes */{size}", "Content-Length: 0"))
        lines = [f"Content-Range: bytes {first}-{promised - 1}/{promised}", f"Content-Length: {promised - first}", 'ETag: "1"']
        end = min(size, first + 200_000) if self.way == "drops" else size
        send_all(connection, head("206 Partial Content", *lines) + self.bytes[first:end])
        if self.way == "drops" and end < size:
            reset(connection)
        else:
            connection.close()
        return False

    def answer_through_valve(self, connection, request, ranged):
        moved = re.match(r"GET /mark/(\d+) ", request)
        if moved:
            with self.moved:
                self.mark = int(moved[1])
                self.moved.notify_all()
            return send_all(connection, head("200 OK", "Content-Length: 0"))
        size = len(self.bytes)
        at, end = int(ranged[1]) if ranged else 0, int(ranged[2]) + 1 if ranged and ranged[2] else size
        if at >= size:
            return send_all(connection, head("416 No", f"Content-Range: bytes */{size}", "Content-Length: 0"))
        end = min(end, size)
        lines = [f"Content-Length: {end - at}", 'ETag: "1"', "Accept-Ranges: bytes"]
        if ranged:
            lines.append(f"Content-Range: bytes {at}-{end - 1}/{size}")
        if not send_all(connection, head("206 Partial Content" if ranged else "200 OK", *lines)):
            return False
        while at < end:
            with self.moved:
                self.moved.wait_for(lambda: self.mark > at, timeout=1)
                until = min(end, self.mark)
            if until > at and not send_all(connection, self.bytes[at:until]):
                return False
            at = max(at, until)
        return True


def main():
    way, path, port = sys.argv[1:4]
    liar = Liar(way, path)
    listener = socket.create_server(("127.0.0.1", int(port)))
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=liar.serve, args=(connection,), daemon=True).start()


if __name__ == "__main__":
    main()
