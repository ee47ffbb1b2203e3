#!/bin/sh
# Installs Desktop RAG for you alone, without root; the same script upgrades and uninstalls it.
set -eu

usage() {
  cat <<'TEXT'
usage: install.sh [--prefix DIR]                        install or upgrade (default DIR: ~/.local)
       install.sh --uninstall [--prefix DIR] [--keep-data | --delete-data]
TEXT
}

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

# In a desktop entry a path stands in quotes, with ", `, $ and \ escaped, and backslashes and % doubled.
entry_path() {
  printf '"%s"' "$(printf '%s' "$1" | sed -e 's/\\/\\\\\\\\/g' -e 's/["`$]/\\\\&/g' -e 's/%/%%/g')"
}

# Prints those lines of the list of libraries and their Debian packages whose library this system lacks.
missing_libraries() {
  find "$1" \( -name '*.so' -o -name '*.so.*' \) -type f -exec ldd {} + 2>/dev/null |
    sed -n 's/^[[:space:]]*\([^[:space:]]*\) => not found$/\1/p' | sort -u |
    while IFS= read -r name; do grep -F -- "$name " "$here/libraries" || true; done
}

column() {
  cut -d ' ' -f "$1" | sort -u | tr '\n' ' '
}

install_program() {
  [ -x "$here/program/desktop-rag" ] || fail "$here holds no program to install."
  case $prefix in *'
'*) fail "A folder with a line break in its name cannot be used." ;; esac
  lib=$prefix/lib/desktop-rag
  mkdir -p "$prefix/lib" "$prefix/bin" "$prefix/share"
  rm -rf "$lib.new"
  cp -R "$here/program" "$lib.new"
  cp "$here/install.sh" "$lib.new/install.sh"
  (cd "$here/share" && find . -type f) | sort >"$lib.new/share-files"
  if [ -f "$lib/share-files" ]; then remove_share "$lib/share-files"; fi
  while IFS= read -r file; do
    mkdir -p "$(dirname -- "$prefix/share/$file")"
    case $file in
      *.desktop)
        path=$(entry_path "$prefix/bin/desktop-rag" | sed 's/[\\&|]/\\&/g')
        sed -e "s|^Exec=desktop-rag|Exec=$path|" -e '/^TryExec=/d' "$here/share/$file" >"$prefix/share/$file"
        ;;
      *) cp "$here/share/$file" "$prefix/share/$file" ;;
    esac
  done <"$lib.new/share-files"
  rm -rf "$lib.old"
  if [ -e "$lib" ]; then mv "$lib" "$lib.old"; fi
  mv "$lib.new" "$lib"
  rm -rf "$lib.old"
  ln -sfn ../lib/desktop-rag/desktop-rag "$prefix/bin/desktop-rag"
  refresh
  missing=$(missing_libraries "$lib")
  if [ -n "$missing" ]; then
    printf 'Installed, but this system lacks libraries that the window needs: %s\n' \
      "$(printf '%s\n' "$missing" | column 1)" >&2
    printf 'On Debian and Ubuntu an administrator installs them with:\n  sudo apt-get install %s\n' \
      "$(printf '%s\n' "$missing" | column 2)" >&2
  fi
  printf 'Desktop RAG is installed in %s. Start it from the menu of your desktop, or with:\n  %s\n' \
    "$lib" "$prefix/bin/desktop-rag"
  printf 'To remove it: %s --uninstall\n' "$lib/install.sh"
}

remove_share() {
  while IFS= read -r file; do
    rm -f "$prefix/share/$file"
    rmdir -p "$(dirname -- "$prefix/share/$file")" 2>/dev/null || true
  done <"$1"
}

refresh() {
  if command -v update-desktop-database >/dev/null; then
    update-desktop-database -q "$prefix/share/applications" 2>/dev/null || true
  fi
  if command -v gtk-update-icon-cache >/dev/null && [ -f "$prefix/share/icons/hicolor/index.theme" ]; then
    gtk-update-icon-cache -q "$prefix/share/icons/hicolor" 2>/dev/null || true
  fi
}

uninstall_program() {
  lib=$prefix/lib/desktop-rag
  data_folder=${XDG_DATA_HOME:-$HOME/.local/share}/desktop-rag
  if [ ! -f "$lib/share-files" ]; then
    if [ "$data" != delete ] || [ ! -d "$data_folder" ]; then fail "Desktop RAG is not installed in $prefix."; fi
    rm -rf "$data_folder"
    printf 'The data of Desktop RAG is removed; the program was not installed in %s.\n' "$prefix"
    return
  fi
  if [ "$data" = ask ]; then
    data=keep
    if [ -t 0 ] && [ -d "$data_folder" ]; then
      printf 'Also delete your libraries, conversations and settings in %s? Your documents stay. [y/N] ' "$data_folder"
      read -r answer
      case $answer in [yY]*) data=delete ;; esac
    fi
  fi
  remove_share "$lib/share-files"
  rm -f "$prefix/bin/desktop-rag"
  rm -rf "$lib"
  refresh
  if [ "$data" = delete ]; then
    rm -rf "$data_folder"
    printf 'Desktop RAG and its data are removed.\n'
  else
    printf 'Desktop RAG is removed; its data stays in %s, which you may delete.\n' "$data_folder"
  fi
}

main() {
  here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
  action=install
  data=ask
  prefix=${HOME:?}/.local
  case $here in */lib/desktop-rag) prefix=${here%/lib/desktop-rag} ;; esac
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix)
        [ $# -gt 1 ] || fail "--prefix needs a folder"
        mkdir -p "$2"
        prefix=$(CDPATH='' cd -- "$2" && pwd)
        shift
        ;;
      --uninstall) action=uninstall ;;
      --keep-data) data=keep ;;
      --delete-data) data=delete ;;
      -h | --help)
        usage
        exit 0
        ;;
      *)
        usage >&2
        exit 2
        ;;
    esac
    shift
  done
  if [ "$action" = install ]; then install_program; else uninstall_program; fi
}

main "$@"
