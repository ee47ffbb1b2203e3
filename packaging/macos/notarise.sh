#!/bin/sh
# Has Apple notarise a signed disk image and attaches the ticket: sh notarise.sh IMAGE KEYCHAIN_PROFILE
# The profile is made once: xcrun notarytool store-credentials PROFILE --apple-id ID --team-id TEAM
set -eu

[ $# -eq 2 ] || {
  echo "usage: notarise.sh IMAGE KEYCHAIN_PROFILE" >&2
  exit 2
}
xcrun notarytool submit "$1" --keychain-profile "$2" --wait
xcrun stapler staple "$1"
spctl --assess --type open --context context:primary-signature --verbose=2 "$1"
