# shellcheck shell=bash
# Python packages that are unpacked and installed nowhere, for scripts that need some: to be sourced.
#
# They are made beside their place and then moved there, so that two runs at once, or one that was
# interrupted, leave nothing half done.

fail() { printf '%s: %s\n' "$0" "$*" >&2; exit 1; }

# Unpacks packages into a directory, each named with its version and none that they depend on besides;
# `python` is then the interpreter, `packages` where they are, and `work` a directory beside that which
# is removed when the script ends: own_packages DIRECTORY PACKAGE...
own_packages() {
    local directory=$1 fits
    shift
    python=$(python3 -c 'import sys; sys.version_info >= (3, 11) or sys.exit(1); print(sys.executable)') ||
        fail "install Python 3.11 or newer and run this again"
    # Compiled packages fit one version of Python, so a directory is of that and of theirs.
    fits=$("$python" -c 'import platform, sys; print(sys.version_info[:2], platform.machine())')
    packages=$directory/packages-$(printf '%s' "$fits $*" | cksum | cut -d ' ' -f 1)
    work=$(mktemp -d "$directory/making.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    [ -d "$packages" ] && return
    "$python" -m pip --version >/dev/null 2>&1 ||
        fail "$python has no pip: install it (Debian's package is python3-pip) and run this again"
    "$python" -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
        --no-deps --only-binary :all: --target "$work/packages" "$@" >&2 ||
        fail "pip cannot get $*; see above, and run this again"
    # Another run may have been faster.
    "$python" -c 'import os, sys; os.rename(*sys.argv[1:])' "$work/packages" "$packages" 2>/dev/null ||
        [ -d "$packages" ] ||
        fail "cannot write to $directory"
}
