#!/usr/bin/env bash
# Everything that Lookback needs: Debian's packages where they are missing, then a virtual
# environment. Does nothing where it was done before and pyproject.toml has not changed.
#   scripts/setup.sh [test]     test: what the tests need as well
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
venv=${VENV:-.venv}
extra=${1:+[$1]}
lock=requirements${1:+-$1}.lock
stamp="$venv/.ready${1:+-$1}"
packages=(build-essential python3-dev python3-venv pkg-config libcairo2-dev libpango1.0-dev)
[ "${1:-}" = test ] && packages+=(chromium chromium-driver) # the page is tried in it

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

done_for() { # what the set-up depends on; a test set-up serves for a plain one too
    { cat pyproject.toml requirements*.lock scripts/setup.sh; "$python" --version; } 2>/dev/null | sha256sum | cut -d' ' -f1
}

is_ready() {
    local found
    for found in "$stamp" "$venv/.ready-test"; do
        [ -x "$venv/bin/python" ] && [ -f "$found" ] && [ "$(cat "$found")" = "$(done_for)" ] && return 0
    done
    return 1
}

missing_packages() {
    local package
    for package in "${packages[@]}"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
    done
}

install_packages() {
    command -v dpkg-query >/dev/null || return 0 # another system: pip says what it misses
    local missing sudo=()
    missing=$(missing_packages)
    [ -z "$missing" ] && return 0
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            fail "These Debian packages are missing and need an administrator: apt-get install $missing"
        sudo=(sudo)
    fi
    say "Installing Debian packages: $missing"
    "${sudo[@]}" apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends $missing \
        >/dev/null || fail "apt-get could not install: $missing"
}

check_python() {
    command -v "$python" >/dev/null || fail "There is no $python; install Python 3.11 or set PYTHON=…"
    "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' ||
        fail "Python 3.11 to 3.13 is needed, $python is $("$python" --version); set PYTHON=…"
}

install_python_packages() {
    local log="$venv/setup.log"
    say "Installing Python packages into $venv (PyTorch is large: this takes a few minutes)"
    # First what scripts/lock.sh pinned, by hash; then PyTorch and the project itself.
    if ! { "$venv/bin/python" -m pip install --progress-bar off --require-hashes --no-deps -r "$lock" &&
        "$venv/bin/python" -m pip install --progress-bar off --editable ".$extra"; } 2>&1 | tee "$log" |
        # One short line per package: quiet, yet one sees that it goes on.
        sed -u -n -e 's/^Collecting \([^ ]*\).*/  \1/p' -e 's/^\(Building wheels\|Installing\) .*/  \1 …/p'; then
        tail -n 20 "$log" >&2
        fail "pip could not install everything; the whole log is in $log"
    fi
}

is_ready && exit 0

install_packages
check_python
# An interrupted set-up may have left an environment without pip.
"$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear "$venv"
install_python_packages
done_for >"$stamp"
say "Ready."
