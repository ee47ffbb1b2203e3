#!/bin/sh
# Installs a Debian package over this machine's own root, in a layer that nothing outlives and without a network, runs
# it by root and by an ordinary user, and removes it: sudo sh installed.sh PACKAGE.deb FOLDER. `bare_debian.sh` shows
# more, but takes debootstrap and packages from the network; this takes half a minute.
set -eu
PATH=$PATH:/usr/sbin:/sbin # chroot is there, also where an ordinary user's path is kept
export PATH

[ "${3-}" = layer ] || exec unshare --mount --net sh "$0" "$1" "$2" layer
root=$2/root
mkdir -p "$2"
mount -t tmpfs tmpfs "$2"
mkdir "$2/upper" "$2/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$2/upper,workdir=$2/work" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir -p "$root/proof"
cp "$1" "$root/proof/desktop-rag.deb"

inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"
}

# Without a network nothing it depends on can be fetched: `bare_debian.sh` proves these.
inside dpkg --force-depends --install /proof/desktop-rag.deb >/dev/null
inside useradd --create-home desktop-rag-tester
# shellcheck disable=SC2016  # it is expanded inside the root
try='mkdir -p "Über uns" && echo "The marrowfat peas are sown in April." >"Über uns/a b.txt" && desktop-rag --version &&
  desktop-rag index "Über uns" >/dev/null && desktop-rag search marrowfat --mode keyword &&
  desktop-rag ask "When are the marrowfat peas sown?" 2>/dev/null && install -d -m 700 run &&
  XDG_RUNTIME_DIR=$PWD/run QT_QPA_PLATFORM=offscreen desktop-rag --demo 2>/dev/null | grep -E "^(Painted|A picture)"'
echo "an ordinary user:"
inside su desktop-rag-tester -s /bin/sh -c "cd && $try"
echo "root:"
inside env HOME=/proof sh -c "cd && $try"
inside dpkg --purge desktop-rag >/dev/null
inside test -d /home/desktop-rag-tester/.local/share/desktop-rag
left=$(find "$2/upper/usr" "$2/upper/etc" "$2/upper/var/lib" "$2/upper/opt" -name '*desktop-rag*' 2>/dev/null || true)
[ -z "$left" ] || {
  echo "left behind: $left" >&2
  exit 1
}
echo "removed; the data of the user stays"
