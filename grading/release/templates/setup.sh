#!/usr/bin/env bash
# Installs the grader in the folder of this script. Gradescope runs it once, when it builds its image; so does the Dockerfile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

find_python() {
    local version
    for version in 3.11 3.12 3.13; do
        # Debian and Ubuntu keep ensurepip, which makes environments, in a package of its own.
        if "python$version" -c 'import ensurepip' 2>/dev/null; then
            echo "python$version"
            return
        fi
    done
    return 1
}

if ! python=$(find_python); then
    apt-get update
    for version in 3.12 3.11 3.13; do
        if apt-get install -y --no-install-recommends "python$version-venv"; then break; fi
    done
    python=$(find_python) || { echo "The grader needs one of Python 3.11, 3.12 and 3.13." >&2; exit 1; }
fi
"$python" -m venv .venv
.venv/bin/python -m pip install --no-cache-dir --prefer-binary -c requirements.lock -e .
.venv/bin/python -m compileall -q course grading
.venv/bin/python -m grading grade-one --help >/dev/null
