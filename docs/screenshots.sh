#!/usr/bin/env bash
# The pictures of docs/images, by a build of Craig and headless Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
craig=$(realpath "${CRAIG:-target/release/craig}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images

# shot LINK PICTURE
shot() {
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,760 \
        --user-data-dir="$work/profile" --screenshot="docs/images/$2.png" "file://$work/$1" 2>/dev/null
}

"$craig" check docs/examples/tokens.c --check error --report "$work/bug" || true
"$craig" check docs/examples/counter.c --engine pdr --report "$work/proof" || true
"$craig" test docs/examples/connection.c --cover branches --report "$work/test"
(cd examples/project && "$craig" check --project compile_commands.json --no-cache --report "$work/project") || true
shot "bug/index.html" failing-run
shot "bug/index.html#theme=dark&step=12" failing-run-dark
shot "proof/index.html#tab=proof" proof
shot "test/index.html" coverage
shot "bug/index.html#graph=main" control-flow
shot "project/index.html" project
