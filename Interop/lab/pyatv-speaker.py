#!/usr/bin/env python3
"""A speaker that only pairs: pyatv's own accessory, as its proxy has it. Run it with pyatv's Python.

pyatv-speaker.py ADDRESS PORT PIN    prints a JSON line for each thing that happens
"""

import asyncio
import json
import plistlib
import sys

from pyatv.auth.hap_session import HAPSession
from pyatv.protocols.airplay.server_auth import AirPlayServerAuth
from pyatv.support import http

INFO = {
    "name": "Python",
    "model": "AppleTV6,2",
    "deviceID": "FF:EE:DD:CC:BB:AA",
    # Audio, HomeKit pairing, transient pairing, PTP, buffered audio.
    "features": 1 << 9 | 1 << 38 | 1 << 40 | 1 << 41 | 1 << 46 | 1 << 48,
    "statusFlags": 0x8,
    "sourceVersion": "550.10",
    "pi": "a1023589-a2ef-47de-8596-42f6fe5caacd",
}


def tell(event, **more):
    print(json.dumps({"event": event, **more}), flush=True)


class Speaker(AirPlayServerAuth):
    def __init__(self, pin):
        super().__init__("Python", pin=pin)
        self.session_cipher = None
        self.add_route("POST", "^/pair-remove$", self.remove)

    def handle_request(self, request):
        tell(
            "request",
            path=request.path,
            agent=request.headers.get("User-Agent"),
            client=request.headers.get("X-Apple-Client-Name"),
            kind=request.headers.get("X-Apple-HKP"),
            encrypted=self.session_cipher is not None,
        )
        return super().handle_request(request)

    def handle_info(self, request):
        body = plistlib.dumps(INFO, fmt=plistlib.FMT_BINARY)
        return self.answer(request, body, "application/x-apple-binary-plist")

    def remove(self, request):
        tell("removed")
        return self.answer(request, bytes([6, 1, 2]), "application/octet-stream")

    @staticmethod
    def answer(request, body, kind):
        headers = {"CSeq": request.headers["CSeq"], "Content-Type": kind}
        return http.HttpResponse("RTSP", "1.0", 200, "OK", headers, body)

    def enable_encryption(self, output_key, input_key):
        tell("verified")
        self.session_cipher = HAPSession()
        self.session_cipher.enable(output_key, input_key)

    @staticmethod
    def has_paired():
        tell("paired")


class Connection(http.BasicHttpServer):
    def __init__(self, speaker):
        super().__init__(speaker)
        self.speaker, self.is_encrypted = speaker, False

    def process_received(self, data):
        if self.is_encrypted:
            return self.speaker.session_cipher.decrypt(data)
        return data

    def process_sent(self, data):
        # The answer that ends the verification is the last one in the clear.
        if self.is_encrypted:
            return self.speaker.session_cipher.encrypt(data)
        self.is_encrypted = self.speaker.session_cipher is not None
        return data


async def main(address, port, pin):
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(Speaker(int(pin))), address, int(port))
    tell("ready")
    async with server:
        await server.serve_forever()


asyncio.run(main(*sys.argv[1:]))
