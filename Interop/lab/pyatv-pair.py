#!/usr/bin/env python3
"""Pairs with a speaker for good through pyatv, then plays a file with the credentials. Run it with pyatv's Python.

pyatv-pair.py ADDRESS SECRET FILE    SECRET is a password, or @LOG: the PIN that the speaker's JSON lines show, behind a time or not
"""

import asyncio
import json
import sys

import pyatv
from pyatv.const import Protocol


async def shown(log):
    while True:
        with open(log) as file:
            lines = [json.loads(line[line.index("{") :]) for line in file if '"event":"pin"' in line.replace(" ", "")]
        if lines and lines[-1]["pin"]:
            return lines[-1]["pin"]
        await asyncio.sleep(0.1)


async def main(address, secret, source):
    loop = asyncio.get_running_loop()
    found = [device for device in await pyatv.scan(loop, timeout=4) if str(device.address) == address]
    if not found:
        sys.exit("no speaker found")
    pairing = await pyatv.pair(found[0], Protocol.AirPlay, loop)
    try:
        await pairing.begin()
        if secret.startswith("@"):
            secret = await asyncio.wait_for(shown(secret[1:]), 10)
        pairing.pin(secret)
        await pairing.finish()
        print("paired" if pairing.has_paired else "not paired", flush=True)
    finally:
        await pairing.close()
    # pyatv plays through the RAOP record if there is one, with credentials of its own.
    found[0].set_credentials(Protocol.RAOP, pairing.service.credentials)
    player = await pyatv.connect(found[0], loop)
    try:
        await player.stream.stream_file(source)
        print("played", flush=True)
    finally:
        await asyncio.gather(*player.close())


asyncio.run(main(*sys.argv[1:]))
