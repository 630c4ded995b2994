# Sourced by quickstart, check and package, from the top folder: installs what is missing of
# tools/packages. `setup` takes the rows that every build needs, `setup GROUP` the group's, too.

stop () {
  echo "$0: error: $*" >&2
  exit 1
}

# is_there SIGN: a path, a header that the compiler finds, a library that clang finds for this
# processor, a module of any Python that tests/SConscript looks at, or a command.
is_there () {
  case $1 in
    /*) [ -e "$1" ] ;;
    *.h) command -v gcc >/dev/null && echo "#include <$1>" | gcc -E -x c - >/dev/null 2>&1 ;;
    *.py) for python in "$(command -v python3)" /usr/bin/python3; do
            "$python" -c "import ${1%.py}" 2>/dev/null && return
          done
          return 1 ;;
    *.a) [ -e "$(clang --print-file-name="${1%.a}-$(uname -m).a" 2>/dev/null)" ] ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# missing GROUP: the packages of the table that are not there.
missing () {
  while read -r package sign group; do
    case $package in '' | '#'*) continue ;; esac
    case ",$group," in ,, | *",$1,"* | *",$1-$(uname -m),"*) ;; *) continue ;; esac
    is_there "$sign" || echo "$package"
  done <tools/packages
}

# as_root COMMAND…: quiet, unless it fails.
as_root () {
  if [ "$(id -u)" = 0 ]; then
    set -- env DEBIAN_FRONTEND=noninteractive "$@"
  else
    set -- sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
  fi
  said=$("$@" 2>&1) && return
  [ -z "$said" ] || echo "$said" >&2
  return 1
}

setup () {
  wanted=$(missing "${1:-}" | paste -s -d ' ')
  [ -n "$wanted" ] || return 0
  command -v apt-get >/dev/null ||
    stop "install these with your system's package manager (Debian's names): $wanted"
  [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null ||
    stop "not root, and sudo asks for a password; run: sudo apt-get install $wanted"
  echo "Installing $wanted"
  as_root apt-get update -qq || stop "apt-get update failed; is there a network?"
  # shellcheck disable=SC2086
  as_root apt-get install -y -qq --no-install-recommends $wanted ||
    stop "apt-get could not install $wanted"
  wanted=$(missing "${1:-}" | paste -s -d ' ')
  [ -z "$wanted" ] || stop "installed, but not found: $wanted"
}
