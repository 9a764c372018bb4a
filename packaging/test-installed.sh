#!/bin/bash
# Installs, uses, upgrades and purges the packages on this machine, which it changes: for the roots of scripts/packages.sh.
#
#   test-installed.sh download FOLDER      fetches everything that the test installs; needs the network
#   test-installed.sh test FOLDER          the test; works without network
#
# FOLDER has tutti.deb, tutti-next.deb (the same with a later version), tarball/ (the unpacked archive of the program),
# and `version`, what `tutti --version` must print. One line for each step: ok, skipped or FAILED, and the step's output
# when it failed. Exit status: 0 if all steps passed.
set -uo pipefail
folder=${2:?}
export DEBIAN_FRONTEND=noninteractive
apt=(apt-get -y -q --no-install-recommends -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold)
depends=$(dpkg-deb -f "$folder/tutti.deb" Depends)
# The programs that read man pages and completions, and look at units and metadata.
readers="man-db bash-completion zsh fish appstream desktop-file-utils"

failed=0
step() { # NAME COMMAND...
  local name=$1 output status
  shift
  # Not as a condition: there `set -e` would have no effect.
  output=$(set -e; "$@" 2>&1)
  status=$?
  if [ $status = 0 ]; then
    echo "ok       $name"
  else
    echo "FAILED   $name"
    tail -n 40 <<<"$output" | sed 's/^/           /'
    failed=1
  fi
}

# Fails with a sentence.
fail() { echo "$*"; return 1; }

# Runs a command as a user without rights, as a login would.
as_listener() { runuser -u listener -- env -i HOME=/home/listener USER=listener PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 TERM=dumb "$@"; }

download() {
  apt-get update -q && "${apt[@]}" --download-only satisfy "$depends" && "${apt[@]}" --download-only install $readers
}

# The files and accounts of the machine, without what package managers and the kernel keep for themselves.
inventory() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path "$folder" -o -path /var/lib/dpkg \
    -o -path /var/lib/apt -o -path /var/cache/apt -o -path /var/log -o -path /home/listener \) -prune -o -print | sort
  find /run -mindepth 1 -path /run/systemd -prune -o -print | sort
  sort /etc/passwd /etc/group /etc/shadow /etc/gshadow /etc/subuid /etc/subgid
}

install_dependencies() { "${apt[@]}" satisfy "$depends"; }

install_package() { # FILE
  local log
  log=$("${apt[@]}" install "$1") || { echo "$log"; return 1; }
  echo "$log"
  grep -q '^0 upgraded, 1 newly installed, 0 to remove' <<<"$log" || fail "apt changed more than the package"
}

has_capabilities() {
  local found
  found=$(getcap /usr/bin/tutti)
  # getcap writes the first part with '=', further ones with '=' or '+'.
  [[ $found =~ cap_net_bind_service[=+]ep && $found =~ cap_sys_nice[=+]ei ]] || fail "getcap: $found"
}

has_accounts() {
  getent passwd tutti && id tutti
  [ "$(getent passwd tutti | cut -d: -f6)" = /var/lib/tutti ] || fail "home of tutti"
  [[ " $(id -Gn tutti) " == *" audio "* ]] || fail "tutti is not in the group audio"
}

has_folder() {
  [ "$(stat -c '%a %U %G' /run/tutti)" = "2770 root audio" ] || fail "/run/tutti: $(stat -c '%a %U %G' /run/tutti)"
}

# Nothing is enabled by the installation: the owner decides.
is_not_enabled() {
  local links
  links=$(find /etc/systemd -name 'tutti*')
  [ -z "$links" ] || fail "enabled: $links"
}

# An unknown key or value is a warning by itself.
verify_units() {
  systemd-analyze --man=no --recursive-errors=no verify /usr/lib/systemd/system/tutti.service
  XDG_RUNTIME_DIR=/tmp systemd-analyze --user --man=no --recursive-errors=no verify /usr/lib/systemd/user/tutti.service
}

welcome() {
  local output
  output=$(as_listener tutti 2>&1) || { echo "$output"; return 1; }
  echo "$output"
  grep -q 'tutti play song.flac' <<<"$output" || fail "no example" || return
  ! grep -qiE '\b319\b|\b320\b|not permitted|denied|error' <<<"$output" || fail "an error in the welcome"
}

version_is() { # PROGRAM
  local found
  found=$(as_listener "$1" --version)
  [ "$found" = "$(cat "$folder/version")" ] || fail "prints '$found' instead of '$(cat "$folder/version")'"
}

demo() {
  local output
  output=$(as_listener bash -c 'cd && tutti demo --folder demo 2>&1 && rm -r demo') || { echo "$output"; return 1; }
  echo "$output"
  [ "$(grep -cE 'frames lost +[A-Za-z ]+: 0$' <<<"$output")" = 3 ] || fail "frames were lost" || return
  grep -qE 'edited queue in every room +yes' <<<"$output" || fail "the edited queue was not heard"
}

# A sender of an ordinary user binds UDP 319 and 320, by the capability alone.
clock_ports() {
  local speaker sender ports
  [ "$(cat /proc/sys/net/ipv4/ip_unprivileged_port_start)" -gt 320 ] || fail "any user may bind the ports here" || return
  head -c 2000000 /dev/zero >/tmp/silence.raw
  as_listener tutti speaker --name Kitchen --output null --address 127.0.0.1 --port 7000 >/tmp/speaker.log 2>&1 &
  speaker=$!
  sleep 1
  as_listener tutti play --to 127.0.0.1:7000 --format s16le/44100/2 - </tmp/silence.raw >/tmp/sender.log 2>&1 &
  sender=$!
  sleep 3
  # 013F and 0140 are 319 and 320.
  ports=$(awk '{ print $2 }' /proc/net/udp /proc/net/udp6 | grep -oE ':(013F|0140)$' | sort -u | tr '\n' ' ')
  kill $sender $speaker || true
  wait $sender $speaker || true
  cat /tmp/speaker.log /tmp/sender.log
  [ "$ports" = ":013F :0140 " ] || fail "ports of the clock: $ports"
}

# The program as the unit starts it: user, group, folders, capabilities, no new privileges, no more rights than these.
start_service() {
  local user group
  unit() { sed -n "s/^$1=//p" /usr/lib/systemd/system/tutti.service /lib/systemd/system/tutti.service 2>/dev/null | head -n 1; }
  user=$(unit User) group=$(unit Group)
  install -d -m "$(unit StateDirectoryMode)" -o "$user" -g "$group" "/var/lib/$(unit StateDirectory)"
  local set
  set=$(unit AmbientCapabilities | tr 'A-Z ' 'a-z,' | sed 's/cap_/+/g')
  # shellcheck disable=SC2046
  env -i LANG=C.UTF-8 PATH=/usr/bin:/bin HOME=/var/lib/tutti USER="$user" STATE_DIRECTORY=/var/lib/tutti RUNTIME_DIRECTORY=/run/tutti \
    setpriv --reuid "$user" --regid "$group" --init-groups --inh-caps="-all,$set" --ambient-caps="-all,$set" \
    --bounding-set="-all,$set" --no-new-privs $(unit ExecStart) >/tmp/service.log 2>&1 &
  service=$!
  for ((i = 0; i < 50; i++)); do
    page >/dev/null 2>&1 && return
    kill -0 $service 2>/dev/null || break
    sleep 0.2
  done
  cat /tmp/service.log
  fail "the page does not answer"
}
# The first line of the answer of the web page.
page() { (exec 3<>/dev/tcp/127.0.0.1/8321 && printf 'GET / HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3 && head -n 1 <&3); }
stop_service() {
  kill -TERM $service
  for ((i = 0; i < 50; i++)); do kill -0 $service 2>/dev/null || { wait $service; return; }; sleep 0.1; done
  fail "the service does not end"
}
serve() {
  local service status code
  start_service || return
  status=0
  page | grep -q ' 200 ' || { echo "the page: $(page)"; status=1; }
  tutti status --host 127.0.0.1:8321 || status=1
  # As sudo has it: without the variables that systemd gives the service.
  code=$(runuser -u tutti -- env -i HOME=/var/lib/tutti USER=tutti PATH=/usr/bin:/bin LANG=C.UTF-8 tutti serve --code) || status=1
  [[ $code =~ ^[0-9]{6}$ ]] || { echo "the code for another device: '$code'"; status=1; }
  # 0x800400 is CAP_NET_BIND_SERVICE and CAP_SYS_NICE.
  grep '^Cap' "/proc/$service/status"
  grep -q '^CapEff:.*0000000000800400$' "/proc/$service/status" || { echo "capabilities differ from the unit's"; status=1; }
  [ "$(stat -c '%a %U' /var/lib/tutti)" = "700 tutti" ] || { echo "/var/lib/tutti: $(stat -c '%a %U' /var/lib/tutti)"; status=1; }
  stop_service || status=1
  cat /tmp/service.log
  return $status
}

upgrade() {
  local before after log
  before=$(dpkg-query -W -f '${Version}' tutti)
  # The owner's settings stay, without a question.
  echo '# changed by the owner' >>/etc/tutti/tutti.toml
  # One that the owner has added; the purge must remove it.
  echo secret >/etc/tutti/mqtt-password
  log=$("${apt[@]}" install "$folder/tutti-next.deb") || { echo "$log"; return 1; }
  echo "$log"
  after=$(dpkg-query -W -f '${Version}' tutti)
  dpkg --compare-versions "$after" gt "$before" || fail "version $before, then $after" || return
  grep -q 'changed by the owner' /etc/tutti/tutti.toml || fail "the settings of the owner are lost" || return
  has_capabilities || return
  is_not_enabled
}

purge() {
  "${apt[@]}" purge tutti || return
  inventory >/tmp/after.txt
  diff /tmp/before.txt /tmp/after.txt || fail "the machine is not as it was before the installation"
}

man_pages() {
  local file warnings status=0
  for file in /usr/share/man/man[15]/tutti*; do
    warnings=$(MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$file" 2>&1 >/dev/null)
    [ -z "$warnings" ] || { echo "$file: $warnings"; status=1; }
  done
  man tutti | sed -n 1,5p
  man tutti-play | grep -- '--to' >/dev/null || { echo "man tutti-play names no option"; status=1; }
  man 5 tutti.conf | grep music >/dev/null || { echo "man tutti.conf names no key"; status=1; }
  return $status
}

completes_bash() {
  as_listener bash -c '
    . /usr/share/bash-completion/bash_completion
    if declare -F _comp_load >/dev/null; then _comp_load tutti; else _completion_loader tutti; fi
    COMP_WORDS=(tutti spea) COMP_CWORD=1 COMP_LINE="tutti spea" COMP_POINT=10
    function=$(complete -p tutti | sed -n "s/.*-F \([^ ]*\).*/\1/p")
    $function tutti spea tutti
    printf "%s\n" "${COMPREPLY[@]}"' | tee /dev/stderr | grep '^speakers' >/dev/null
}
completes_zsh() {
  # shellcheck disable=SC2016
  as_listener zsh -fc 'fpath=(/usr/share/zsh/vendor-completions $fpath); autoload -Uz compinit; compinit -u -D; print ${_comps[tutti]}; autoload +X _tutti' |
    tee /dev/stderr | grep -x _tutti >/dev/null
}
completes_fish() { as_listener fish -c 'complete -C "tutti spea"' | tee /dev/stderr | grep '^speakers' >/dev/null; }

metadata() {
  local file
  file=$(dpkg -L tutti | grep '/metainfo/.*\.xml$')
  [ "$(basename "$file")" = "$(sed -n 's|^ *<id>\(.*\)</id>|\1.metainfo.xml|p' "$file")" ] || fail "name of $file" || return
  appstreamcli validate --no-net "$file" || return
  [ -s /usr/share/icons/hicolor/scalable/apps/tutti.svg ] || fail "no icon"
}

dpkg_verify() { # PACKAGE
  local changed
  changed=$(dpkg --verify "$1")
  [ -z "$changed" ] || fail "$changed"
}

# The archive for other distributions, on the libraries that the package left. The user of the service, its folder and
# the settings stay.
tarball() { # USER PREFIX
  local run=() unit=/home/listener/.config/systemd/user/tutti.service before after
  inventory_here() { (inventory; find /home/listener | sort) | grep -vE '^(/etc/tutti|/run/tutti|tutti:|audio:)'; }
  if [ "$1" = root ]; then unit=/etc/systemd/system/tutti.service; else run=(as_listener); fi
  before=$(inventory_here)
  "${run[@]}" "$folder/tarball/install.sh" --prefix "$2" || return
  version_is "$2/bin/tutti" || return
  grep -q "^ExecStart=$2/bin/tutti serve" "$unit" || fail "$unit starts another program" || return
  if [ "$1" = root ]; then getcap "$2/bin/tutti" | grep net_bind || fail "no capability" || return; fi
  "${run[@]}" "$folder/tarball/install.sh" --prefix "$2" || fail "a second installation" || return
  "${run[@]}" "$2/share/tutti/uninstall.sh" || return
  after=$(inventory_here)
  diff <(echo "$before") <(echo "$after") || fail "files are left"
}
# Without a library, nothing is installed and the message names the package.
tarball_missing() {
  local library output status=0
  library=$(ldconfig -p | sed -n 's/.*libsonic.so.0 .*=> //p' | head -n 1)
  mv "$library" "$library.away"
  output=$(as_listener "$folder/tarball/install.sh" --prefix /home/listener/none 2>&1) || status=$?
  mv "$library.away" "$library"
  echo "$output"
  [ $status = 1 ] && [ ! -e /home/listener/none ] && grep -q 'libsonic.so.0 .*libsonic0' <<<"$output"
}

test_all() {
  useradd --create-home --shell /bin/bash listener
  step "the dependencies can be installed on a minimal machine" install_dependencies
  [ $failed = 0 ] || return
  # A message for each library and user that came with the dependencies is no concern of the package.
  inventory >/tmp/before.txt
  step "apt installs the package, and nothing beyond its dependencies" install_package "$folder/tutti.deb"
  [ $failed = 0 ] || return
  step "installed files are those of the package" dpkg_verify tutti
  step "the program has the capability for the clock's ports" has_capabilities
  step "the user tutti exists and may use the machine's outputs" has_accounts
  step "the folder that shares the clock's ports exists" has_folder
  step "no service is enabled by the installation" is_not_enabled
  step "systemd accepts the unit" verify_units
  step "a user: tutti alone says what it is, without an error" welcome
  step "a user: tutti --version" version_is tutti
  step "a user: tutti play serves the clock on UDP 319 and 320" clock_ports
  step "a user: tutti demo loses no frame" demo
  step "the service runs with the unit's user, folders and capabilities" serve
  step "an upgrade keeps the capability and the owner's settings" upgrade
  step "the service runs after the upgrade" serve
  step "a purge leaves no file, user or group" purge
  step "the tarball, as root: installs, runs, is removed" tarball root /usr/local
  step "the tarball, as a user: installs, runs, is removed" tarball listener /home/listener/.local
  step "the tarball names the package of a missing library" tarball_missing
  step "the package can be installed again" "${apt[@]}" install "$folder/tutti.deb" $readers
  step "man pages have no warnings" man_pages
  step "bash completes commands" completes_bash
  step "zsh completes commands" completes_zsh
  step "fish completes commands" completes_fish
  step "the AppStream metadata is valid" metadata
}

case $1 in
  download) download ;;
  test) test_all; exit $failed ;;
  *) exit 2 ;;
esac
