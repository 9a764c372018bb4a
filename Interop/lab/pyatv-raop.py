#!/usr/bin/env python3
"""Plays a file to a speaker by AirPlay 1 through pyatv. Run it with pyatv's Python.

pyatv-raop.py ADDRESS FILE [PASSWORD]
"""

import asyncio
import sys

import pyatv
from pyatv import conf
from pyatv.const import Protocol

# Those of AirPlay 2: with them pyatv pairs, as on a speaker that takes nothing else.
SECOND = ("ft", "pk", "features")


async def main(address, source, password=None):
    loop = asyncio.get_running_loop()
    found = [device for device in await pyatv.scan(loop, timeout=4) if str(device.address) == address]
    service = found[0].get_service(Protocol.RAOP) if found else None
    if service is None:
        sys.exit("the speaker does not offer RAOP")
    properties = {name: value for name, value in service.properties.items() if name not in SECOND}
    device = conf.AppleTV(found[0].address, found[0].name)
    device.add_service(conf.ManualService(service.identifier, Protocol.RAOP, service.port, properties, password=password))
    player = await pyatv.connect(device, loop)
    try:
        await player.stream.stream_file(source)
        print("played", flush=True)
    finally:
        await asyncio.gather(*player.close())


asyncio.run(main(*sys.argv[1:]))
