#!/bin/bash
# Writes docs/experiments/whale.md. Usage: docs/experiments/whale.sh [CRAIG [SECONDS [BENCHMARKS]]]
# Needs a release build (cargo build --release). Without the folder of benchmarks its tables are left out.
cd "$(dirname "$0")/../.." || exit 1
craig=${1:-target/release/craig} limit=${2:-60} bench=${3:-../shared/bench}
folder=$(mktemp -d) out=docs/experiments/whale.md
trap 'rm -rf "$folder"' EXIT

# ask ENGINE FILE: sets verdict, seconds and the statistics file.
ask() {
    timeout -s KILL $((limit + 5)) "$craig" check --jobs 1 --data-model ilp32 --timeout "${limit}s" --json \
        ${1:+--engine "$1"} "$2" >"$folder/json" 2>/dev/null
    verdict=$(sed -n 's/.*"verdict": "\([a-z]*\)".*/\1/p' "$folder/json")
    seconds=$(sed -n 's/.*"engine": "[^"]*", "seconds": \([0-9.]*\).*/\1/p' "$folder/json")
    [ "$verdict" = unknown ] && seconds=">$limit"
    verdict=${verdict:-none} seconds=${seconds:--}
}
stat() { sed -n "s/.*\"$1: $2\": \([0-9.]*\).*/\1/p" "$folder/json"; }

chain() {
    echo "void reach_error(void); int nondet(void); int f$1(int x) { return x + 1; }"
    for ((i = $1 - 1; i > 0; i--)); do echo "int f$i(int x) { return f$((i + 1))(f$((i + 1))(x)) - 1; }"; done
    echo "int main(void) { int x = nondet(); if (f1(x) != x + 1) reach_error(); return 0; }"
}

# Twenty functions with a loop each; the seventh adds $1 to its counter.
family() {
    echo "void reach_error(void); int nondet(void);"
    for ((i = 1; i <= 20; i++)); do
        step=1; [ $i = 7 ] && step=$1
        echo "int w$i(int n) { int a = 0, b = 0, c = 0; while (a < n) { a++; b = b + $step; if (nondet()) c++; }
            while (c > 0) { c--; b = b + 1; if (nondet()) a--; }
            if (b < 0) reach_error(); return b; }"
    done
    echo "int main(void) { int s = 0;"
    for ((i = 1; i <= 20; i++)); do echo "s = w$i(nondet()); if (s < 0) reach_error();"; done
    echo "return 0; }"
}

suite() { # suite NAME ENGINE FILES...
    local name=$1 engine=$2 right=0 wrong=0; shift 2
    for file in "$@"; do
        case $file in *true-unreach*) expected=safe ;; *) expected=unsafe ;; esac
        ask "$engine" "$file"
        [ "$verdict" = "$expected" ] && right=$((right + 1))
        [ "$verdict" != "$expected" ] && [ "$verdict" != unknown ] && [ "$verdict" != none ] && wrong=$((wrong + 1))
    done
    echo "| $name | $engine | $right of $# | $wrong |"
}

{
    echo "# WHALE: procedure summaries from interpolants"
    echo
    echo "Written by \`docs/experiments/whale.sh\`; $limit seconds per task, one thread. Every answer is certified:"
    echo "contracts by the checker, tests by execution. Times in seconds, on $(nproc) cores under whatever load there was."
    echo
    echo "## Table 6.1: pacemaker programs"
    echo
    echo "The programs of the chapter are not public as C; these are Craig's own, of the same kind and size."
    echo
    echo "| program | answer | ARGs | refinements | whale | one ARG per call | path by path | tree interpolants | impact (inlined) | ufo (inlined) |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    for file in examples/programs/pacemaker_*.c; do
        ask whale "$file"
        row="| $(basename "$file") | $verdict | $(stat whale ARGs) | $(stat whale refinements) | $seconds |"
        for engine in whale-tree whale-paths whale-tree-interpolants impact ufo; do ask $engine "$file"; row="$row $seconds |"; done
        echo "$row"
    done
    echo
    echo "## Call chains"
    echo
    echo "Function \`i\` calls function \`i + 1\` twice, so inlining doubles with each level."
    echo
    echo "| depth | whale | refinements | one ARG per call | ufo (inlined) |"
    echo "|---|---|---|---|---|"
    for depth in 5 10 15 20 25 30; do
        chain $depth >"$folder/chain.c"
        ask whale "$folder/chain.c"
        row="| $depth | $seconds | $(stat whale refinements) |"
        for engine in whale-tree ufo; do ask $engine "$folder/chain.c"; row="$row $seconds ($verdict) |"; done
        echo "$row"
    done
    echo
    echo "## Summary cache"
    echo
    echo "Twenty functions with a loop each; between the runs one of them is edited."
    echo
    echo "| run | answer | refinements | seconds |"
    echo "|---|---|---|---|"
    for edit in 1 2; do
        family $edit >"$folder/family.c"
        "$craig" check --jobs 1 --engine whale --timeout "${limit}s" --json --summary-cache "$folder/cache" \
            "$folder/family.c" >"$folder/json" 2>/dev/null
        engine=whale; [ $edit = 2 ] && engine=summary-cache
        echo "| $edit | $(sed -n 's/.*"verdict": "\([a-z]*\)".*/\1/p' "$folder/json") | $(stat $engine refinements) | $(stat $engine seconds) |"
    done
    if [ -d "$bench/c" ]; then
        echo
        echo "## Benchmarks, with procedures kept"
        echo
        echo "| folder | engine | answered | wrong |"
        echo "|---|---|---|---|"
        for name in recursive-simple recursive locks ntdrivers-simplified; do
            for engine in whale pdr-summaries; do suite $name $engine "$bench"/c/$name/*.c; done
        done
        echo
        echo "## The clauses of the original pacemaker programs"
        echo
        echo "| clauses | answer of \`craig solve\` | seconds |"
        echo "|---|---|---|"
        for file in "$bench"/chc/ufo-tacas2012/DDD*.smt2; do
            start=$(date +%s.%N)
            answer=$(timeout -s KILL $((limit + 5)) "$craig" solve --timeout "${limit}s" "$file" 2>/dev/null | head -1)
            echo "| $(basename "$file") | ${answer%%:*} | $(echo "$(date +%s.%N) - $start" | bc | cut -c1-5) |"
        done
    fi
} >"$out"
