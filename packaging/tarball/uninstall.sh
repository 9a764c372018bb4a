#!/bin/sh
# Removes what install.sh installed. Settings and state stay: /etc/tutti, /var/lib/tutti, ~/.config/tutti, ~/.local/state/tutti.
set -eu
list=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/installed
[ -f "$list" ] || { echo "uninstall.sh: no list of installed files beside it" >&2; exit 1; }
running() { [ "$(id -u)" = 0 ] && [ -d /run/systemd/system ]; }
if [ "${1:-}" != --for-upgrade ] && running; then
	systemctl disable --now tutti.service 2>/dev/null || true
fi
# The last lines first: folders come before what is in them. Folders that others use stay.
lines=$(sed -n '1!G;h;$p' "$list")
printf '%s\n' "$lines" | while read -r path; do
	case $path in
	*/) rmdir --ignore-fail-on-non-empty "$path" 2>/dev/null || true ;;
	*) rm -f "$path" ;;
	esac
done
if running; then systemctl daemon-reload; fi
