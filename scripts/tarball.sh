#!/bin/bash
# Makes an archive of the program for distributions without a package, .build/dist/tutti-VERSION-linux-ARCHITECTURE.tar.xz:
# program, man pages, completions, units, install.sh, and LIBRARIES, which names the libraries that it needs and their
# packages. Swift's own libraries are in the program. The same source makes the same bytes.
#
#   scripts/tarball.sh
#
# The program needs the FFmpeg of the release of Debian on which it is built: 5 on bookworm, 7 on trixie.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh deb
umask 022
export LC_ALL=C.UTF-8 TZ=UTC
scripts/release.sh tutti
program=$(readlink -f .build/release/tutti)
name=tutti-$(scripts/version.sh)-linux-$(uname -m)
archive=.build/dist/$name.tar.xz
folder=.build/dist/$name

rm -rf "$folder"
mkdir -p "$folder"/{bin,share,system}
strip --remove-section=.comment --remove-section=.note -o "$folder/bin/tutti" "$program"
scripts/share.sh "$program" "$folder/made"
put() { install -D -m 644 "$1" "$folder/$2"; }
for page in "$folder"/made/man/*; do put "$page" "share/man/man${page##*.}/$(basename "$page")"; done
put "$folder/made/bash/tutti" share/bash-completion/completions/tutti
put "$folder/made/zsh/_tutti" share/zsh/site-functions/_tutti
put "$folder/made/fish/tutti.fish" share/fish/vendor_completions.d/tutti.fish
put "$folder/made/tutti.metainfo.xml" "share/metainfo/$(cat "$folder/made/component").metainfo.xml"
put packaging/tutti.svg share/icons/hicolor/scalable/apps/tutti.svg
rm -rf "$folder/made"
for file in service user.service sysusers tmpfiles dbus.conf toml; do put "packaging/tutti.$file" "system/tutti.$file"; done
for file in LICENSE README.md CHANGELOG.md; do put $file $file; done
install -m 755 packaging/tarball/{install,uninstall}.sh "$folder/"

# The libraries, one a line, with the packages that have them.
needed() { readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort; }
debian_package() { # SONAME
  local path
  path=$(readlink -f "$(/sbin/ldconfig -p | sed -n "s|^[[:space:]]*$1 .*=> ||p" | head -n 1)")
  # dpkg knows a file of /lib by one of its two names.
  { dpkg-query -S "${path#/usr}" || dpkg-query -S "$path"; } 2>/dev/null | sed -n '1s/:.*//p'
}
# The newest version of a library's symbols that the program needs.
newest() { # LIBRARY PREFIX
  objdump -T "$program" | sed -n "s/.*(\?$1_\([0-9.]*\))\?.*/\1/p" | sort -uV | tail -n 1
}
{
  echo "The libraries that bin/tutti needs, by soname, and the packages that have them. It was linked on"
  echo "$(. /etc/os-release; echo "$PRETTY_NAME"), and needs glibc $(newest GLIBC) and libstdc++ with GLIBCXX_$(newest GLIBCXX) or newer."
  echo
  echo "The soname counts, with its number; Debian's column is measured, the others are a help for finding the package."
  echo "A distribution with another number of FFmpeg's libraries needs a program that is built there or on another release"
  echo "of Debian: 59 is FFmpeg 5, 61 is FFmpeg 7. Two distributions find packages by soname themselves:"
  echo "  Fedora: dnf install 'libsonic.so.0()(64bit)'        Arch: pacman -F libsonic.so.0"
  echo
  printf '%-30s %-28s %-24s %s\n' soname Debian Fedora Arch
  for soname in $(needed); do
    row=$(awk -v name="${soname%.so*}.so" '$1 == name { print $2, $3 }' packaging/tarball/libraries.txt)
    debian=$(debian_package "$soname") || debian=
    [ -n "$row" ] || { echo "packaging/tarball/libraries.txt has no line for $soname" >&2; exit 1; }
    [ -n "$debian" ] || { echo "no Debian package has $soname" >&2; exit 1; }
    printf '%-30s %-28s %-24s %s\n' "$soname" "$debian" ${row}
  done
} >"$folder/LIBRARIES"

# Two threads cut the data alike on every machine; one thread, or as many as there are processors, would not.
tar --create --directory .build/dist --sort=name --format=ustar --owner=0 --group=0 --numeric-owner \
  --mtime="@$(scripts/version.sh --time)" "$name" | xz -T2 >"$archive.part"
mv "$archive.part" "$archive"
rm -rf "$folder"
ls -l --block-size=1 "$archive" | awk '{ printf "%s  %.1f MB\n", $NF, $5 / 1e6 }'
