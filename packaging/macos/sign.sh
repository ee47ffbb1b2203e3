#!/bin/sh
# Signs "Desktop RAG.app" for distribution: sh sign.sh APP "Developer ID Application: NAME (TEAM)"
set -eu

[ $# -eq 2 ] || {
  echo "usage: sign.sh APP IDENTITY" >&2
  exit 2
}
app=$1
identity=$2
entitlements=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/entitlements.plist

# From the inside out: a signature covers what it contains, and --deep would skip the entitlements.
find "$app/Contents" -type f \( -name '*.so' -o -name '*.dylib' \) -exec \
  codesign --force --timestamp --options runtime --sign "$identity" {} +
find "$app/Contents/Frameworks" -maxdepth 6 -type d -name '*.framework' -prune -exec \
  codesign --force --timestamp --options runtime --sign "$identity" {} +
codesign --force --timestamp --options runtime --entitlements "$entitlements" --sign "$identity" \
  "$app/Contents/MacOS/desktop-rag"
codesign --force --timestamp --options runtime --entitlements "$entitlements" --sign "$identity" "$app"
codesign --verify --strict --verbose=2 "$app"
