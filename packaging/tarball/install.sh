#!/bin/sh
# Installs Tutti from this folder.
#
#   ./install.sh [--prefix FOLDER]      default: /usr/local as root, else ~/.local
#
# As root it also installs the service of the machine and gives the program the right to the clock's ports, UDP 319 and
# 320. The list of what was installed is FOLDER/share/tutti/installed; FOLDER/share/tutti/uninstall.sh removes it all.
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
while [ $# -gt 0 ]; do
	case $1 in
	--prefix) prefix=${2:?--prefix needs a folder}; shift 2 ;;
	--prefix=*) prefix=${1#--prefix=}; shift ;;
	*) sed -n '2,/^set/{/^#/p;}' "$0" >&2; exit 2 ;;
	esac
done
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
case $prefix in *[!A-Za-z0-9/._+-]*) echo "install.sh: units cannot name the folder $prefix" >&2; exit 2 ;; esac

# The loader names each library that this system lacks.
missing=$(LC_ALL=C ldd "$here/bin/tutti" 2>&1 | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p')
if [ -n "$missing" ]; then
	echo "This system lacks libraries that Tutti needs:" >&2
	for soname in $missing; do
		sed -n "s/^$soname  */  $soname  /p" "$here/LIBRARIES" >&2
	done
	echo "The file LIBRARIES names their packages. Nothing was installed." >&2
	exit 1
fi

# An earlier version may have files that this one lacks.
list=$prefix/share/tutti/installed
if [ -x "$prefix/share/tutti/uninstall.sh" ]; then "$prefix/share/tutti/uninstall.sh" --for-upgrade; fi

# The list is complete when this script ends: it has each folder that was made, and each file.
made=
make_folder() { # FOLDER
	[ -d "$1" ] && return
	make_folder "$(dirname "$1")"
	mkdir "$1"
	made="$made$1/
"
}
put() { # FILE IN THIS FOLDER, DESTINATION, MODE
	make_folder "$(dirname "$2")"
	# A program that runs keeps its old file.
	rm -f "$2"
	case $1 in
	system/*) sed -e "s,/usr/bin/tutti,$prefix/bin/tutti," -e "s,/usr/bin/env tutti,$prefix/bin/tutti," "$here/$1" >"$2" ;;
	*) cp "$here/$1" "$2" ;;
	esac
	chmod "$3" "$2"
	made="$made$2
"
}

put bin/tutti "$prefix/bin/tutti" 755
for file in $(cd "$here" && find share -type f | LC_ALL=C sort); do
	put "$file" "$prefix/$file" 644
done
put uninstall.sh "$prefix/share/tutti/uninstall.sh" 755
if [ "$(id -u)" = 0 ]; then
	put system/tutti.service /etc/systemd/system/tutti.service 644
	put system/tutti.sysusers /etc/sysusers.d/tutti.conf 644
	put system/tutti.tmpfiles /etc/tmpfiles.d/tutti.conf 644
	put system/tutti.user.service /etc/systemd/user/tutti.service 644
	# The owner's settings stay.
	[ -e /etc/tutti/tutti.toml ] || { mkdir -p /etc/tutti && cp "$here/system/tutti.toml" /etc/tutti/; }
	if command -v systemd-sysusers >/dev/null; then systemd-sysusers tutti.conf; fi
	# The bus, which reads the file as soon as it is there, refuses a policy for a user that it does not know.
	put system/tutti.dbus.conf /etc/dbus-1/system.d/org.mpris.MediaPlayer2.tutti.conf 644
	if command -v systemd-tmpfiles >/dev/null; then systemd-tmpfiles --create tutti.conf; fi
	if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
	command -v setcap >/dev/null && setcap 'cap_net_bind_service=ep cap_sys_nice=ei' "$prefix/bin/tutti" ||
		echo "No capability for the clock's ports: users need 'sysctl net.ipv4.ip_unprivileged_port_start=319'." >&2
else
	put system/tutti.user.service "${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user/tutti.service" 644
	echo "The clock's ports, UDP 319 and 320, need one command of root: setcap cap_net_bind_service=ep $prefix/bin/tutti"
fi
make_folder "$prefix/share/tutti"
printf '%s%s\n' "$made" "$list" >"$list"
echo "Installed $("$prefix/bin/tutti" --version) below $prefix. Remove it with $prefix/share/tutti/uninstall.sh"
