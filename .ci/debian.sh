# shellcheck shell=bash
# An apt of one's own, for scripts that unpack Debian's packages and install none: to be sourced.
#
# It reads the package source that this machine already uses, and keeps its lists and downloads in a
# directory of the caller's, so that it needs no rights and changes nothing of the machine's.

# Whether there are packages here that can be unpacked and run.
is_debian() {
    grep -qx 'ID=debian' /etc/os-release && [ "$(uname -m)" = x86_64 ]
}

# This machine's release of Debian, by name.
debian_release() {
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# Prepares it, and has APT_CONFIG name it: own_apt DIRECTORY STATUS SUITE...
# STATUS is a file that says what counts as installed.
own_apt() {
    local apt=$1 status=$2 source suite
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    shift 2
    mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,empty}
    # Of the two ways to write it down, newer machines have the first and older ones the second.
    source=$(
        sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null
        sed -n 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list 2>/dev/null
    ) || true
    source=${source%%$'\n'*}
    [ -n "$source" ] || { echo "$0: apt has no source of Debian's packages here" >&2; exit 1; }
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
