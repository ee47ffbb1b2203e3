#!/bin/sh
# shellcheck disable=SC2016  # what is in single quotes is expanded inside the root
# Installs the Debian package in a bare Debian root, runs it there as an ordinary user, and removes it:
# sudo sh bare_debian.sh PACKAGE.deb FOLDER [OLDER.deb]. With an older package it is installed first, and the new one
# must work with its library. Needs debootstrap; FOLDER is made if it does not exist, and kept.
set -eu

[ $# -eq 2 ] || [ $# -eq 3 ] || {
  echo "usage: bare_debian.sh PACKAGE.deb FOLDER [OLDER.deb]" >&2
  exit 2
}
package=$1
root=$2
[ -e "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase "${SUITE:-bookworm}" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
rm -f "$root/etc/apt/sources.list" # ours may be in another file
cp -R /etc/apt/. "$root/etc/apt/"
cp "$package" "$root/tmp/desktop-rag.deb"

inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

as_user() {
  inside su tester -s /bin/sh -c "$1"
}

mount -t proc proc "$root/proc" 2>/dev/null || true
trap 'umount "$root/proc" 2>/dev/null || true' EXIT
inside apt-get -qq update
inside sh -c 'id tester >/dev/null 2>&1 || useradd --create-home tester'
inside find / -xdev -not -path '/proc/*' -not -path '/home/*' -name '*desktop-rag*' -not -path '/tmp/*' >"$root/tmp/before"

if [ $# -eq 3 ]; then
  cp "$3" "$root/tmp/older.deb"
  inside apt-get -qq install --yes --no-install-recommends /tmp/older.deb >/dev/null
  echo "first: $(inside dpkg-query --show desktop-rag)"
  as_user 'mkdir -p "$HOME/Kept" && echo "The quince tree stands behind the boathouse." >"$HOME/Kept/c.txt"'
  as_user 'cd && desktop-rag index Kept >/dev/null'
fi
inside apt-get -qq install --yes --no-install-recommends /tmp/desktop-rag.deb >/dev/null
echo "installed: $(inside dpkg-query --show desktop-rag)"
missing=$(inside sh -c 'find /usr/lib/desktop-rag -name "*.so*" -type f -exec ldd {} + 2>/dev/null | grep "not found" | sort -u' || true)
# Wheels find their own libraries beside them only while Python loads them; those of the system must all be there.
for name in $(printf '%s\n' "$missing" | sed -n 's/^[[:space:]]*\([^ ]*\) =>.*/\1/p' | sort -u); do
  inside sh -c "find /usr/lib/desktop-rag -name '$name' | grep -q ." || case $name in
    libcups.so.2) ;; # recommended: without it only PDF files can be printed
    *)
      echo "missing: $name" >&2
      exit 1
      ;;
  esac
done
as_user 'desktop-rag --version'
if [ $# -eq 3 ]; then
  as_user 'desktop-rag search quince --mode keyword' | grep -F 'The quince tree stands behind the boathouse.'
  as_user 'desktop-rag check' >/dev/null
  echo "the library of the older version is kept, whole and searched"
fi
as_user 'mkdir -p "$HOME/Über uns" && echo "The marrowfat peas are sown in April." >"$HOME/Über uns/a b.txt"'
as_user 'cd && desktop-rag index "Über uns" >/dev/null && desktop-rag search marrowfat --mode keyword'
as_user 'desktop-rag ask "When are the marrowfat peas sown?"'
as_user 'install -d -m 700 "$HOME/run"; XDG_RUNTIME_DIR=$HOME/run QT_QPA_PLATFORM=offscreen desktop-rag --demo' | grep -E '^(Painted|A picture)'
inside apt-get -qq purge --yes desktop-rag >/dev/null
inside find / -xdev -not -path '/proc/*' -not -path '/home/*' -name '*desktop-rag*' -not -path '/tmp/*' >"$root/tmp/after"
cmp "$root/tmp/before" "$root/tmp/after"
as_user 'ls -d "$HOME/.local/share/desktop-rag"'
echo "removed; the data of the user stays"
