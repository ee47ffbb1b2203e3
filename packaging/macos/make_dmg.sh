#!/bin/sh
# Packs "Desktop RAG.app" into a disk image: sh make_dmg.sh APP IMAGE
set -eu

[ $# -eq 2 ] || {
  echo "usage: make_dmg.sh APP IMAGE" >&2
  exit 2
}
[ -d "$1/Contents/MacOS" ] || {
  echo "$1 is no application" >&2
  exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R "$1" "$scratch/"
ln -s /Applications "$scratch/Applications"
hdiutil create -volname "Desktop RAG" -srcfolder "$scratch" -fs HFS+ -format UDZO -ov "$2"
