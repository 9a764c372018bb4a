"""The scripts and configurations that run inside a lab's containers, as texts. A node's own folder is /mnt/node there."""

import os
from shlex import join, quote

# ---- the first script of a container, as root of this machine, in the container's namespaces


def in_root(root, node, folder, sound):
    """Changes to the lab's root, with the node's folder and that of the sound server inside, and runs init.sh there."""
    inside, folder, sound = (quote(path) for path in (root, folder, sound))
    return f"""set -e
hostname {quote(node)}
mount --make-rprivate /
mount --bind {inside} {inside}
cd {inside}
for d in run tmp dev mnt etc/avahi/services; do mount -t tmpfs tmpfs $d; done
for d in null zero full random urandom tty; do touch dev/$d; mount --bind /dev/$d dev/$d; done
mkdir -p dev/shm mnt/node mnt/pa
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t proc proc proc
mount --bind {folder} mnt/node
mount --bind {sound} mnt/pa
exec chroot . /bin/bash /mnt/node/init.sh
"""


def on_machine(folder):
    """The same for a speaker of our own: a program of this machine, so without the lab's root."""
    return f"""set -e
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs /mnt
mkdir /mnt/node
mount --bind {quote(folder)} /mnt/node
for d in /run/avahi-daemon /run/dbus; do [ ! -d $d ] || mount -t tmpfs tmpfs $d; done
exec /bin/bash /mnt/node/init.sh
"""


# ---- what runs inside


def again_and_again(command):
    """Runs a receiver until it ends, and once more whenever the file `restart` is there.

    `ended` gets a line for every end, so that a test sees a crash.
    """
    return f"""while :; do
  {command} &
  echo $! > /mnt/node/shairport-sync.pid
  wait $!; echo "status $?" >> /mnt/node/ended
  until [ -e /mnt/node/restart ]; do sleep 0.05; done
  rm -f /mnt/node/restart
done
"""


def speaker(program, name, ppm, password, arguments):
    """A speaker of our own, whose device is a wave file and runs wrong by so many parts in a million."""
    words = [program, "speaker", "--name", name, "--output", f"wave:/mnt/node/audio.wav@{ppm}ppm", "--json"]
    words += ["--volume-curve", "fixed", "--metadata-pipe", "/mnt/node/metadata"]
    words += (["--password", password] if password else []) + list(arguments)
    command = f"{join(words)} >> /mnt/node/speaker.json 2>> /mnt/node/speaker.log"
    return "export HOME=/mnt/node XDG_STATE_HOME=/mnt/node\n" + again_and_again(command)


AVAHI = """[server]
use-ipv4=yes
use-ipv6=yes
allow-interfaces=eth0
ratelimit-interval-usec=1000000
ratelimit-burst=1000
[wide-area]
enable-wide-area=no
[publish]
publish-aaaa-on-ipv4=yes
publish-hinfo=no
publish-workstation=no
"""


def raop_service(name, fields, port=5000):
    """An AirPlay 1 record for avahi: an old speaker's, with these fields in place of its own."""
    usual = {"txtvers": "1", "tp": "UDP", "cn": "0,1", "et": "0,1", "sr": "44100", "ss": "16", "ch": "2", "pw": "false", "am": "Old1,1"}
    texts = "".join(f"<txt-record>{key}={value}</txt-record>" for key, value in (usual | fields).items())
    service = f"<service><type>_raop._tcp</type><port>{port}</port>{texts}</service>"
    return f'<?xml version="1.0"?><service-group><name>{name}</name>{service}</service-group>\n'


def shairport(protocol, arguments):
    """shairport-sync with its own D-Bus, avahi and, for AirPlay 2, nqptp."""
    begin = """export HOME=/tmp
mkdir -p /run/dbus /run/avahi-daemon
cp /mnt/node/*.service /etc/avahi/services/ 2>/dev/null
dbus-daemon --system --fork --nopidfile 2>/mnt/node/dbus.log
avahi-daemon --no-drop-root --no-chroot --no-rlimits -f /mnt/node/avahi.conf > /mnt/node/avahi.log 2>&1 &
until [ -S /run/avahi-daemon/socket ]; do sleep 0.05; done
"""
    if protocol == "ap2":
        # shairport-sync ends at once when it finds no nqptp: its shared memory and its control port, UDP 9000.
        begin += """nqptp -vv > /mnt/node/nqptp.log 2>&1 &
until [ -e /dev/shm/nqptp ] && grep -q ':2328 ' /proc/net/udp; do sleep 0.02; done
"""
    command = join(["shairport-sync", "-c", "/mnt/node/shairport-sync.conf", *arguments])
    return begin + again_and_again(f"{command} >> /mnt/node/shairport-sync.log 2>&1")


def shairport_configuration(node, name, receivers, protocol, password):
    output = "pulseaudio" if receivers.backend == "pa" else receivers.backend
    service = "classic" if protocol == "ap1" else "airplay2"
    secret = f'password = "{password}";' if password else ""
    tolerance = f"drift_tolerance_in_seconds = {receivers.tolerance};" if receivers.tolerance else ""
    verbosity, rate = os.environ.get("TUTTI_LAB_VERBOSITY", "2"), receivers.rate
    return f"""general = {{
  name = "{name}"; service_type = "{service}"; mdns_backend = "avahi"; output_backend = "{output}";
  output_rate = {rate}; output_format = "S16_LE"; output_channels = 2;
  ignore_volume_control = "yes"; // so that samples stay comparable; the volume is read from the metadata
  {secret} {tolerance}
}};
sessioncontrol = {{ session_timeout = 60; }};
metadata = {{ enabled = "yes"; include_cover_art = "yes"; pipe_name = "/mnt/node/metadata"; }};
diagnostics = {{ log_show_time_since_startup = "yes"; log_verbosity = {verbosity}; statistics = "yes"; }};
pipe = {{ name = "/mnt/node/audio"; output_rate = {rate}; output_format = "S16_LE"; output_channels = 2; }};
pulseaudio = {{ server = "unix:/mnt/pa/sock"; sink = "{node}"; application_name = "{node}"; }};
"""


# ---- the sound server

PULSEAUDIO = """mkdir -p /run/pulse /tmp/h
export HOME=/tmp/h XDG_RUNTIME_DIR=/run/pulse
exec pulseaudio -n --daemonize=no --exit-idle-time=-1 --disallow-exit --use-pid-file=no --realtime=no \\
  --high-priority=no --log-level=info --log-time=yes --log-target=file:/mnt/node/pa.log -F /mnt/node/pa.conf
"""


def channel_map(rooms):
    return ",".join(f"aux{channel}" for channel in range(2 * rooms))


def pulseaudio_configuration(rooms, rate):
    """One null sink for all rooms, a channel pair each: they share one virtual DAC clock, so that one recording of its
    monitor compares rooms in samples."""
    lines = [
        "load-module module-native-protocol-unix socket=/mnt/pa/sock auth-anonymous=1",
        f"load-module module-null-sink sink_name=room rate={rate} format=s16le channels={2 * rooms} channel_map={channel_map(rooms)}",
    ]
    for room in range(rooms):
        lines.append(
            f"load-module module-remap-sink sink_name=r{room + 1} master=room channels=2 "
            f"master_channel_map=aux{2 * room},aux{2 * room + 1} channel_map=front-left,front-right remix=no"
        )
    return "\n".join(lines) + "\n"
