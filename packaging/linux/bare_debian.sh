#!/bin/sh
# shellcheck disable=SC2016  # what is in single quotes is expanded inside the root
# Installs what was built for Linux in a bare Debian root, runs it there, and removes it:
# sudo sh bare_debian.sh PACKAGE.deb FOLDER [OLDER.deb]. First the archive beside the package, if there is one, by an
# ordinary user and without the libraries of a desktop, whose lack must be told; then the package, which root and an
# ordinary user run. With an older package it is installed first, and the new one must work with its library. Needs
# debootstrap; FOLDER is made if it does not exist, and kept.
set -eu

[ $# -eq 2 ] || [ $# -eq 3 ] || {
  echo "usage: bare_debian.sh PACKAGE.deb FOLDER [OLDER.deb]" >&2
  exit 2
}
package=$1
root=$2
archive=$(find "$(dirname -- "$package")" -maxdepth 1 -name 'desktop-rag-*-linux-*.tar.xz' | head -n 1)
[ -e "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase --include=ca-certificates "${SUITE:-bookworm}" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
rm -f "$root/etc/apt/sources.list" # ours may be in another file
cp -R /etc/apt/. "$root/etc/apt/"
cp "$package" "$root/tmp/desktop-rag.deb"

inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

as_user() {
  inside su tester -s /bin/sh -c "cd && $1"
}

install_packages() {
  inside apt-get -qq install --yes --no-install-recommends "$@" >/dev/null 2>&1
}

files_of_program() {
  inside find / -xdev -not -path '/proc/*' -not -path '/home/*' -not -path '/root/*' -not -path '/tmp/*' \
    -name '*desktop-rag*'
}

mount -t proc proc "$root/proc" 2>/dev/null || true
trap 'umount "$root/proc" 2>/dev/null || true' EXIT
inside apt-get -qq update
inside sh -c 'id tester >/dev/null 2>&1 || useradd --create-home tester'
files_of_program >"$root/tmp/before"

if [ -n "$archive" ]; then
  install_packages xz-utils
  cp "$archive" "$root/tmp/desktop-rag.tar.xz"
  as_user 'rm -rf unpacked && mkdir unpacked && tar -xf /tmp/desktop-rag.tar.xz -C unpacked --strip-components=1'
  said=$(as_user 'unpacked/install.sh 2>&1')
  printf '%s\n' "$said"
  lacking=$(printf '%s\n' "$said" | sed -n 's/^  sudo apt-get install //p')
  [ -n "$lacking" ] || echo "nothing was lacking"
  if [ -n "$lacking" ]; then
    as_user 'DISPLAY=:0 .local/bin/desktop-rag; test $? -eq 1' 2>&1 | grep -F 'The window needs '
    # shellcheck disable=SC2086
    install_packages $lacking
  fi
  as_user 'install -d -m 700 run; XDG_RUNTIME_DIR=$HOME/run QT_QPA_PLATFORM=offscreen .local/bin/desktop-rag --demo' \
    2>&1 | grep -E '^(Painted|A picture)'
  as_user '.local/bin/desktop-rag index unpacked/share/doc >/dev/null && ls -d .local/share/desktop-rag >/dev/null'
  as_user '.local/lib/desktop-rag/install.sh --uninstall && unpacked/install.sh --uninstall --delete-data'
  as_user 'rm -rf unpacked; ! find .local -name "*desktop-rag*" | grep .'
  echo "the archive is installed by an ordinary user, run, and removed with its data"
  # shellcheck disable=SC2086
  [ -z "$lacking" ] || inside apt-get -qq purge --yes --autoremove $lacking >/dev/null 2>&1
fi

if [ $# -eq 3 ]; then
  cp "$3" "$root/tmp/older.deb"
  install_packages /tmp/older.deb
  echo "first: $(inside dpkg-query --show desktop-rag)"
  as_user 'mkdir -p Kept && echo "The quince tree stands behind the boathouse." >Kept/c.txt'
  as_user 'desktop-rag index Kept >/dev/null'
fi
install_packages /tmp/desktop-rag.deb
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
if [ $# -eq 3 ]; then
  as_user 'desktop-rag search quince --mode keyword' | grep -F 'The quince tree stands behind the boathouse.'
  as_user 'desktop-rag check' >/dev/null
  echo "the library of the older version is kept, whole and searched"
fi
try='mkdir -p "Über uns" && echo "The marrowfat peas are sown in April." >"Über uns/a b.txt" && desktop-rag --version &&
  desktop-rag index "Über uns" >/dev/null && desktop-rag search marrowfat --mode keyword &&
  desktop-rag ask "When are the marrowfat peas sown?" 2>/dev/null && install -d -m 700 run &&
  XDG_RUNTIME_DIR=$HOME/run QT_QPA_PLATFORM=offscreen desktop-rag --demo 2>/dev/null | grep -E "^(Painted|A picture)"'
echo "an ordinary user:"
as_user "$try"
echo "root:"
inside env HOME=/root sh -c "cd && $try"
inside apt-get -qq purge --yes --autoremove desktop-rag >/dev/null 2>&1
files_of_program >"$root/tmp/after"
cmp "$root/tmp/before" "$root/tmp/after"
as_user 'ls -d .local/share/desktop-rag'
echo "removed; the data of the user stays"
