# shellcheck shell=bash
# An apt of one's own, for scripts that unpack Debian's packages and install none: to be sourced.
#
# It reads the package source that this machine already uses, and keeps its lists and downloads in a
# directory of the caller's, so that it needs no rights and changes nothing of the machine's.
#
# What is unpacked is made beside its place and then moved there, so that two runs at once, or one that
# was interrupted, leave nothing half done. The directory that a person names may have anything else in
# it: nothing is removed but what has been made here, and has the mark that says so.

MARK=unpacked-for-foretell

fail() { printf '%s: %s\n' "$0" "$*" >&2; exit 1; }

# Whether there are packages here that can be unpacked and run.
is_debian() {
    grep -qx 'ID=debian' /etc/os-release && [ "$(uname -m)" = x86_64 ]
}

# This machine's release of Debian, by name.
debian_release() {
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# The place of this machine's in a directory for something that is unpacked: place_in DIRECTORY NAME
# The directory need not be there yet. Packages fit one release.
place_in() {
    mkdir -p "$1" && printf '%s/%s-%s\n' "$(cd "$1" && pwd)" "$2" "$(debian_release)"
}

# Makes `work`, a directory beside a place, which is removed when the script ends; what is made in
# `work/made` can then be put into the place: begin_making PLACE
begin_making() {
    [ ! -e "$1" ] || [ -e "$1/$MARK" ] || fail "$1 is not of this script's making; name another directory"
    work=$(mktemp -d "${1%/*}/making.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/made"
    : > "$work/made/$MARK"
}

# Puts what was made into its place, instead of what was made there before, unless a command says that
# it will do, because another run was faster: put_into PLACE COMMAND...
put_into() {
    local place=$1
    shift
    ! "$@" || return 0
    [ ! -e "$place/$MARK" ] || mv -T "$place" "$work/before" 2>/dev/null || true
    mv -T "$work/made" "$place" 2>/dev/null || [ -e "$place/$MARK" ] || fail "cannot write to ${place%/*}"
}

# The first address of Debian's packages that a machine's sources have, if they have any:
# first_source DEBIAN.SOURCES SOURCES.LIST
first_source() {
    local source
    # Of the two ways to write it down, newer machines have the first and older ones the second.
    source=$(
        sed -n 's/^URIs:[[:space:]]*//p' "$1" 2>/dev/null
        sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' "$2" 2>/dev/null
    ) || true
    # There may be several lines, and several addresses on one.
    printf '%s\n' "${source%%[[:space:]]*}"
}

# Prepares it, and has APT_CONFIG name it: own_apt DIRECTORY STATUS SUITE...
# STATUS is a file that says what counts as installed.
own_apt() {
    local apt=$1 status=$2 source suite
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    shift 2
    mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,empty}
    source=$(first_source /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list)
    [ -n "$source" ] || fail "apt has no source of Debian's packages here"
    for suite; do
        echo "deb [signed-by=$keyring] $source $suite main"
    done | sort -u > "$apt/sources.list"
    cat > "$apt/apt.conf" <<CONF
Dir::Etc::SourceList "$apt/sources.list"; Dir::Etc::SourceParts "$apt/empty";
Dir::Etc::Parts "$apt/empty"; Dir::Etc::PreferencesParts "$apt/empty";
Dir::State "$apt/state"; Dir::State::status "$status"; Dir::Cache "$apt/cache";
APT::Sandbox::User "root"; Acquire::Languages "none"; Debug::NoLocking "true";
CONF
    export APT_CONFIG=$apt/apt.conf
}
