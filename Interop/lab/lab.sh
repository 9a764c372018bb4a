#!/bin/bash
# The lab: real AirPlay receivers on one machine. Each is a small container (own network, mounts, processes, IPC,
# host name and, if asked, time) with its own D-Bus, avahi, nqptp and shairport-sync. They hang on one bridge that
# lives in a network namespace of its own, so nothing of it touches the machine's network. Needs root.
#
#   lab.sh up N [--backend pipe|pa] [--proto ap2|ap1] [--offset-step SECONDS] [--rate 44100] [--senders K]
#          [--name Room] [--password NODE=WORD]... [--speaker PROGRAM] [-- arguments of the receiver]
#                               N receivers; returns when all of them listen. With --speaker they are `PROGRAM
#                               speaker` of this machine with wave outputs, not shairport-sync; --ppm gives their
#                               devices' errors, e.g. 40,-25
#   lab.sh down                 ends all that `up` started; safe to call twice, and after a failed `up`
#   lab.sh status
#   lab.sh exec NODE CMD...     run CMD of this machine in NODE's network (no avahi or D-Bus of this machine there)
#   lab.sh enter NODE CMD...    run CMD of the lab's root inside NODE, all its namespaces
#   lab.sh browse [NODE]        what avahi sees from NODE
#   lab.sh kill NODE            end NODE's shairport-sync as a crash would; lab.sh restart NODE starts it again
#   lab.sh cut NODE silent|carrier|node    unplugged behind the switch | switch port down | NODE's own port down
#   lab.sh heal NODE
#   lab.sh wire NODE [JSON]     put wire.py between NODE and the switch, or change its faults (ab: from NODE, ba: to
#                               it); lab.sh unwire NODE
#   lab.sh rec FILE [SECONDS]   record all rooms of the pa backend until then or an interrupt: 2N channels, S16LE,
#                               one clock for all rooms; FILE.idx says when each piece came
#   lab.sh cpu NODE             CPU seconds and memory of NODE's shairport-sync and nqptp
#
# Nodes: r1..rN receivers (10.77.0.11, ...), s1..sK senders (10.77.0.1, ...).
# Environment: TUTTI_LAB_STATE folder of this lab's logs and output, TUTTI_LAB_PREFIX of its namespaces (both make
# labs that run at the same time distinct), TUTTI_LAB_CACHE as in make-root.sh, TUTTI_LAB_VERBOSITY (0 to 3).
# Output: pipe: STATE/rN/audio.raw and audio.raw.idx; metadata: STATE/rN/metadata.raw; logs: STATE/rN/*.log.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${TUTTI_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tutti-lab}
root=$cache/root-sid
state=${TUTTI_LAB_STATE:-$here/../../.build/lab/default}
prefix=${TUTTI_LAB_PREFIX:-tutti-lab}
switch=$prefix-sw

die() { echo "lab: $*" >&2; exit 1; }

# ---- processes: a pid file holds the pid and its start time, so that a number used again is never signalled

started_at() { # PID
  local stat
  read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
  # The command name may hold spaces and brackets; the fields after its end are plain. Start time is field 22.
  set -- ${stat##*) }
  echo "${20}"
}

remember() { # PIDFILE PID
  echo "$2 $(started_at "$2")" >"$1"
}

alive() { # PIDFILE -> the pid, if it is still the process that was started
  local pid when
  read -r pid when 2>/dev/null <"$1" && [ "$(started_at "$pid")" = "$when" ] && echo "$pid"
}

stop() { # SIGNAL PIDFILE
  local pid
  pid=$(alive "$2") && kill -s "$1" "$pid" 2>/dev/null
  return 0
}

until_true() { # SECONDS CMD...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}

# ---- network

address() { # NODE
  case $1 in r*) echo "10.77.0.$((10 + ${1#r}))" ;; s*) echo "10.77.0.${1#s}" ;; esac
}

make_node() { # NODE: its network namespace, plugged into the switch
  local node=$1 ns=$prefix-$1
  ip netns add "$ns"
  ip -n "$ns" link set lo up
  ip -n "$ns" link add eth0 type veth peer name "p-$node" netns "$switch"
  # The same address in every run, so that device identifiers stay the same.
  ip -n "$ns" link set eth0 address "$(printf '02:4c:41:42:%02x:%02x' "'${node:0:1}" "${node:1}")"
  ip -n "$switch" link set "p-$node" master br0 up
  # No wait for duplicate address detection: addresses are usable at once.
  ip netns exec "$ns" sysctl -qw net.ipv6.conf.eth0.accept_dad=0 net.ipv6.conf.eth0.dad_transmits=0 2>/dev/null || true
  ip -n "$ns" link set eth0 up
  ip -n "$ns" addr add "$(address "$node")/24" brd + dev eth0
  ip -n "$ns" route add 224.0.0.0/4 dev eth0
}

make_switch() {
  ip netns add "$switch"
  ip -n "$switch" link add br0 type bridge mcast_snooping 0 stp_state 0 forward_delay 0
  ip -n "$switch" link set br0 up
  ip -n "$switch" link set lo up
}

# The switch's port that leads to NODE: behind the bad wire, if there is one.
port() { if [ -f "$state/$1/wire.pid" ]; then echo "x-$1"; else echo "p-$1"; fi; }

# ---- containers

start_container() { # NODE TIME_OFFSET: runs STATE/NODE/init.sh inside the lab's root, in NODE's network if it has one
  local node=$1 offset=$2 dir=$state/$1 time=() command
  [ "$offset" = 0 ] || time=(--time --monotonic "$offset" --boottime "$offset")
  cat >"$dir/outer.sh" <<SCRIPT
set -e
hostname "$node"
mount --make-rprivate /
mount --bind "$root" "$root"
for d in run tmp dev mnt; do mount -t tmpfs tmpfs "$root/\$d"; done
for d in null zero full random urandom tty; do touch "$root/dev/\$d"; mount --bind "/dev/\$d" "$root/dev/\$d"; done
mkdir -p "$root/dev/shm" "$root/mnt/node" "$root/mnt/pa"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t proc proc "$root/proc"
mount --bind "$dir" "$root/mnt/node"
mount --bind "$state/pa" "$root/mnt/pa"
exec chroot "$root" /bin/bash /mnt/node/init.sh
SCRIPT
  command=(unshare --mount --pid --ipc --uts --fork --kill-child "${time[@]}" /bin/bash "$dir/outer.sh")
  [ -e "/run/netns/$prefix-$node" ] && command=(ip netns exec "$prefix-$node" "${command[@]}")
  setsid "${command[@]}" </dev/null >"$dir/console.log" 2>&1 &
  remember "$dir/pid" $!
}

init_of() { # NODE -> the pid, as seen here, of the first process inside
  local pid children
  pid=$(alive "$state/$1/pid") || die "$1 is not running"
  children=$(cat "/proc/$pid/task/$pid/children")
  [ -n "$children" ] || die "$1 is not running"
  echo "${children%% *}"
}

# The same for a speaker of our own: a program of this machine, so without the lab's root.
start_speaker() { # NODE TIME_OFFSET
  local node=$1 offset=$2 dir=$state/$1 time=() command
  [ "$offset" = 0 ] || time=(--time --monotonic "$offset" --boottime "$offset")
  cat >"$dir/outer.sh" <<SCRIPT
set -e
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs /mnt
mkdir /mnt/node
mount --bind "$dir" /mnt/node
for d in /run/avahi-daemon /run/dbus; do [ ! -d \$d ] || mount -t tmpfs tmpfs \$d; done
exec /bin/bash /mnt/node/init.sh
SCRIPT
  command=(unshare --mount --pid --ipc --uts --fork --kill-child "${time[@]}" /bin/bash "$dir/outer.sh")
  setsid ip netns exec "$prefix-$node" "${command[@]}" </dev/null >"$dir/console.log" 2>&1 &
  remember "$dir/pid" $!
}

speaker_init() { # PROGRAM NAME PPM PASSWORD ARGUMENTS...
  local program=$1 name=$2 ppm=$3 password=()
  [ -n "$4" ] && password=(--password "$4")
  shift 4
  cat <<SCRIPT
export HOME=/mnt/node XDG_STATE_HOME=/mnt/node
while :; do
  ${program@Q} speaker --name ${name@Q} --output wave:/mnt/node/audio.wav@${ppm}ppm --json \
    --volume-curve fixed --metadata-pipe /mnt/node/metadata ${password[*]@Q} ${*@Q} >> /mnt/node/speaker.json 2>> /mnt/node/speaker.log &
  echo \$! > /mnt/node/shairport-sync.pid
  wait \$!; echo "status \$?" >> /mnt/node/ended
  until [ -e /mnt/node/restart ]; do sleep 0.05; done
  rm -f /mnt/node/restart
done
SCRIPT
}

channel_map() { # ROOMS -> aux0,aux1,...
  seq -s, -f 'aux%.0f' 0 $((2 * $1 - 1))
}

# One null sink for all rooms, a channel pair each: they share one virtual DAC clock, so that one recording of its
# monitor compares rooms in samples.
start_pulseaudio() { # ROOMS RATE
  local rooms=$1 rate=$2 i
  {
    echo "load-module module-native-protocol-unix socket=/mnt/pa/sock auth-anonymous=1"
    echo "load-module module-null-sink sink_name=room rate=$rate format=s16le channels=$((2 * rooms)) channel_map=$(channel_map "$rooms")"
    for i in $(seq 1 "$rooms"); do
      echo "load-module module-remap-sink sink_name=r$i master=room channels=2 master_channel_map=aux$((2 * i - 2)),aux$((2 * i - 1)) channel_map=front-left,front-right remix=no"
    done
  } >"$state/pa/pa.conf"
  cat >"$state/pa/init.sh" <<'SCRIPT'
mkdir -p /run/pulse /tmp/h
export HOME=/tmp/h XDG_RUNTIME_DIR=/run/pulse
exec pulseaudio -n --daemonize=no --exit-idle-time=-1 --disallow-exit --use-pid-file=no --realtime=no \
  --high-priority=no --log-level=info --log-time=yes --log-target=file:/mnt/node/pa.log -F /mnt/node/pa.conf
SCRIPT
  start_container pa 0
  until_true 10 test -S "$state/pa/sock" || die "PulseAudio did not start: $(tail -n 3 "$state/pa/pa.log" 2>&1)"
}

receiver_configuration() { # NODE NAME BACKEND PROTO RATE PASSWORD
  local output=$3 service=airplay2 password=
  [ -n "$6" ] && password="password = \"$6\";"
  [ "$3" = pa ] && output=pulseaudio
  [ "$4" = ap1 ] && service=classic
  cat <<CONF
general = {
  name = "$2"; service_type = "$service"; mdns_backend = "avahi"; output_backend = "$output";
  output_rate = $5; output_format = "S16_LE"; output_channels = 2;
  ignore_volume_control = "yes"; // so that samples stay comparable; the volume is read from the metadata
  $password
};
sessioncontrol = { session_timeout = 60; };
metadata = { enabled = "yes"; include_cover_art = "yes"; pipe_name = "/mnt/node/metadata"; };
diagnostics = { log_show_time_since_startup = "yes"; log_verbosity = ${TUTTI_LAB_VERBOSITY:-2}; statistics = "yes"; };
pipe = { name = "/mnt/node/audio"; output_rate = $5; output_format = "S16_LE"; output_channels = 2; };
pulseaudio = { server = "unix:/mnt/pa/sock"; sink = "$1"; application_name = "$1"; };
CONF
}

receiver_init() { # PROTO SHAIRPORT_ARGUMENTS...
  local proto=$1
  shift
  cat <<'SCRIPT'
export HOME=/tmp
mkdir -p /run/dbus /run/avahi-daemon
dbus-daemon --system --fork --nopidfile 2>/mnt/node/dbus.log
cat > /tmp/avahi.conf <<AVAHI
[server]
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
AVAHI
avahi-daemon --no-drop-root --no-chroot --no-rlimits -f /tmp/avahi.conf > /mnt/node/avahi.log 2>&1 &
until [ -S /run/avahi-daemon/socket ]; do sleep 0.05; done
SCRIPT
  # shairport-sync ends at once when it finds no nqptp: its shared memory and its control port, UDP 9000.
  [ "$proto" = ap2 ] && cat <<'SCRIPT'
nqptp -vv > /mnt/node/nqptp.log 2>&1 &
until [ -e /dev/shm/nqptp ] && grep -q ':2328 ' /proc/net/udp; do sleep 0.02; done
SCRIPT
  # `ended` gets a line for every end, so that a test sees a crash; a restart is asked for by a file.
  cat <<SCRIPT
while :; do
  shairport-sync -c /mnt/node/shairport-sync.conf ${*@Q} >> /mnt/node/shairport-sync.log 2>&1 &
  echo \$! > /mnt/node/shairport-sync.pid
  wait \$!; echo "status \$?" >> /mnt/node/ended
  until [ -e /mnt/node/restart ]; do sleep 0.05; done
  rm -f /mnt/node/restart
done
SCRIPT
}

tap() { # NODE FIFO
  mkfifo "$state/$1/$2"
  setsid python3 "$here/tap.py" "$state/$1/$2" "$state/$1/$2.raw" </dev/null >"$state/$1/$2.tap.log" 2>&1 &
  remember "$state/$1/$2.tap.pid" $!
}

listens() { # NODE: is a process bound to the AirPlay 2 or the AirPlay 1 port?
  [ -n "$(ip netns exec "$prefix-$1" ss -Hltn '( sport = :7000 or sport = :5000 )')" ]
}

# ---- commands

up() {
  local rooms=$1 backend=pipe proto=ap2 step=0 rate=44100 senders=1 name=Room extra=() i node speaker= ppm=()
  local -A passwords=()
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --backend) backend=$2 ;; --proto) proto=$2 ;; --offset-step) step=$2 ;; --rate) rate=$2 ;;
      --senders) senders=$2 ;; --name) name=$2 ;; --password) passwords[${2%%=*}]=${2#*=} ;;
      --speaker) speaker=$2 ;; --ppm) IFS=, read -ra ppm <<<"$2" ;;
      --) shift; extra=("$@"); break ;;
      *) die "unknown option $1" ;;
    esac
    shift 2
  done
  [ -e "$state/up" ] && die "already up; lab.sh down first"
  [ -n "$speaker" ] || "$here/make-root.sh" >/dev/null
  rm -rf "$state"
  mkdir -p "$state/pa"
  state=$(cd "$state" && pwd) # the containers' scripts need the whole path
  echo "$rooms $rate" >"$state/up"
  make_switch
  for i in $(seq 1 "$senders"); do make_node "s$i"; done
  [ "$backend" = pa ] && start_pulseaudio "$rooms" "$rate"
  for i in $(seq 1 "$rooms"); do
    node=r$i
    mkdir -p "$state/$node"
    make_node "$node"
    if [ -n "$speaker" ]; then
      speaker_init "$speaker" "$name $i" "${ppm[i - 1]:-0}" "${passwords[$node]:-}" "${extra[@]}" >"$state/$node/init.sh"
      tap "$node" metadata
      start_speaker "$node" $((step * i))
      continue
    fi
    receiver_configuration "$node" "$name $i" "$backend" "$proto" "$rate" "${passwords[$node]:-}" \
      >"$state/$node/shairport-sync.conf"
    receiver_init "$proto" "${extra[@]}" >"$state/$node/init.sh"
    [ "$backend" = pipe ] && tap "$node" audio
    tap "$node" metadata
    start_container "$node" $((step * i))
  done
  for i in $(seq 1 "$rooms"); do
    until_true 20 listens "r$i" ||
      die "r$i does not listen: $(tail -qn 5 "$state/r$i/"{shairport-sync,speaker,console}.log 2>/dev/null)"
  done
  echo "up: $rooms receivers ($proto, $backend), $senders senders; state in $state"
}

gone() {
  local file
  for file in "$state"/*/pid "$state"/*/*.pid; do
    [[ $file != */shairport-sync.pid ]] && [ -f "$file" ] && alive "$file" >/dev/null && return 1
  done
  return 0
}

down() {
  local file ns
  for file in "$state"/*/*.tap.pid "$state"/*/wire.pid; do [ -f "$file" ] && stop TERM "$file"; done
  # KILL: unshare --fork ignores TERM; --kill-child and the pid namespace then end everything inside.
  for file in "$state"/*/pid; do [ -f "$file" ] && stop KILL "$file"; done
  until_true 10 gone || echo "lab: some processes of $state do not end" >&2
  rm -f "$state"/*/pid "$state"/*/*.pid
  for ns in $(ip netns list | awk -v p="$prefix-" 'index($1, p) == 1 { print $1 }'); do ip netns del "$ns"; done
  rm -f "$state/up"
}

cut() { # NODE HOW
  case $2 in
    silent) ip -n "$switch" link set "$(port "$1")" nomaster ;;
    carrier) ip -n "$switch" link set "p-$1" down ;;
    node) ip -n "$prefix-$1" link set eth0 down ;;
    *) die "cut how? silent, carrier or node" ;;
  esac
}

heal() { # NODE
  ip -n "$prefix-$1" link set eth0 up
  ip -n "$switch" link set "$(port "$1")" master br0
  ip -n "$switch" link set "p-$1" up
  # A port that was down has lost its routes.
  ip -n "$prefix-$1" route replace 224.0.0.0/4 dev eth0 2>/dev/null || true
}

wire() { # NODE [JSON]
  local node=$1 control=$state/$1/wire.json i
  printf '%s' "${2:-"{}"}" >"$control.new"
  mv "$control.new" "$control"
  [ -f "$state/$node/wire.pid" ] && return
  ip -n "$switch" link add "w-$node" type veth peer name "x-$node"
  # Whole frames with their checksums must pass the relay.
  for i in "w-$node" "x-$node" "p-$node"; do
    ip netns exec "$switch" sysctl -qw "net.ipv6.conf.$i.disable_ipv6=1"
    ip netns exec "$switch" ethtool -K "$i" tx off tso off gso off gro off >/dev/null 2>&1 || true
  done
  ip netns exec "$prefix-$node" ethtool -K eth0 tx off tso off gso off gro off >/dev/null 2>&1 || true
  ip -n "$switch" link set "p-$node" nomaster up
  ip -n "$switch" link set "x-$node" master br0 up
  ip -n "$switch" link set "w-$node" up
  rm -f "$control.stats"
  setsid ip netns exec "$switch" python3 "$here/wire.py" "p-$node" "w-$node" "$control" \
    </dev/null >"$state/$node/wire.log" 2>&1 &
  remember "$state/$node/wire.pid" $!
  until_true 10 test -s "$control.stats" || die "wire.py did not start: $(cat "$state/$node/wire.log")"
}

unwire() { # NODE
  stop TERM "$state/$1/wire.pid"
  rm -f "$state/$1/wire.pid"
  ip -n "$switch" link del "w-$1"
  ip -n "$switch" link set "p-$1" master br0
}

rec() { # FILE [SECONDS]
  local rooms rate seconds=${2:-3600}
  read -r rooms rate <"$state/up"
  # Not in the time namespaces: the recorder's time stamps are on this machine's own clock.
  # --foreground: an interrupt of this script's process group reaches parec.
  nsenter -t "$(init_of pa)" -m -p -i -u -r -w timeout --foreground -s INT "$seconds" \
    parec -s unix:/mnt/pa/sock -d room.monitor --rate="$rate" --channels=$((2 * rooms)) \
    --channel-map="$(channel_map "$rooms")" --format=s16le --raw --latency-msec=20 |
    python3 "$here/stamp.py" "$1" || true
}

enter() { # NODE CMD...
  local pid
  pid=$(init_of "$1")
  shift
  exec nsenter -t "$pid" -m -p -i -u -n -T -r -w "$@"
}

run_in_network() { # NODE CMD...
  local ns=$prefix-$1
  shift
  # Sockets in the file system cross network namespaces: without this a program would browse the machine's own
  # network through its avahi daemon. `ip netns exec` gives the command its own mounts.
  exec ip netns exec "$ns" sh -c 'for d in /run/avahi-daemon /run/dbus; do
    [ ! -d $d ] || mount -t tmpfs tmpfs $d; done; exec "$@"' lab "$@"
}

usage_of() { # NODE: CPU seconds and memory of its programs
  local net pid name
  net=$(readlink "/proc/$(init_of "$1")/ns/net")
  for pid in /proc/[0-9]*; do
    name=$(tr '\0' '\n' 2>/dev/null <"$pid/cmdline" | sed '1{s,.*/,,;q}') || continue
    [[ $name == shairport-sync || $name == nqptp || $name == tutti ]] && [ "$(readlink "$pid/ns/net")" = "$net" ] || continue
    awk -v name="$name" -v hz="$(getconf CLK_TCK)" \
      '{ sub(/.*\) /, ""); printf "%s cpu_s=%.2f ", name, ($12 + $13) / hz }' "$pid/stat"
    awk '/VmRSS|VmHWM/ { printf "%s=%s kB ", $1, $2 } END { print "" }' "$pid/status"
  done
}

command=${1:-}
[ $# -gt 0 ] && shift
case $command in
  up | down | cut | heal | wire | unwire | rec | enter) "$command" "$@" ;;
  exec) run_in_network "$@" ;;
  cpu) usage_of "$@" ;;
  kill) enter "$1" bash -c 'kill -9 "$(cat /mnt/node/shairport-sync.pid)"' ;;
  restart) touch "$state/$1/restart" ;;
  browse)
    for type in _airplay._tcp _raop._tcp; do "$0" enter "${1:-r1}" timeout 10 avahi-browse -rtp "$type"; done ;;
  status)
    [ -e "$state/up" ] || { echo "down"; exit; }
    for file in "$state"/*/pid; do
      echo "$(basename "$(dirname "$file")") $(alive "$file" || echo gone)"
    done ;;
  *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
esac
