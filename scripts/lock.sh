#!/usr/bin/env bash
# Pins what pyproject.toml asks for, with the hash of every file, for Python 3.11 to 3.13:
#   requirements.lock        what drawing needs
#   requirements-test.lock   that, and what the tests need
# Run it after changing a dependency. PyTorch is not pinned by hash, nor is what only its CUDA
# build needs: its builds for CPU and GPU are different files of one version.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"${PYTHON:-python3}" -m venv "$tools"
"$tools/bin/pip" install --quiet uv

lock() { # FILE [ARGUMENT]...
    local file=$1
    shift
    "$tools/bin/uv" pip compile pyproject.toml "$@" --quiet --universal --python-version 3.11 \
        --generate-hashes --no-header --no-annotate --output-file "$tools/all.txt"
    {
        echo "# Made by scripts/lock.sh"
        # An entry is a line that starts with a name, and the indented lines of its hashes.
        awk '/^[a-z]/ { wanted = !/^(torch|triton|cuda-[a-z]+|nvidia-[a-z0-9-]+)==/ } wanted' "$tools/all.txt"
    } >"$file"
    echo "$file: $(grep -c == "$file") packages"
}

lock requirements.lock
lock requirements-test.lock --extra test
