#!/bin/bash
# Writes docs/experiments/whale.md, with whale.notes.md at its end. Usage: docs/experiments/whale.sh [CRAIG [SECONDS [BENCHMARKS [SECTION...]]]]
# Needs a release build (cargo build --release). Without the folder of benchmarks its tables are left out.
# With sections (pacemaker, chains, cache, benchmarks), these are printed, and the page is not touched.
cd "$(dirname "$0")/../.." || exit 1
craig=${1:-target/release/craig} limit=${2:-60} bench=${3:-../shared/bench}
folder=$(mktemp -d) out=docs/experiments/whale.md
trap 'rm -rf "$folder"' EXIT
TIMEFORMAT=%U

# ask ENGINE FILE [OPTIONS]: sets verdict and seconds (of the processor), and leaves the statistics in a file.
ask() {
    local engine=$1 file=$2; shift 2
    seconds=$({ time timeout -s KILL $((limit + 5)) "$craig" check --jobs 1 --check error --stop-at-first --data-model ilp32 --timeout "${limit}s" \
        --json --engine "$engine" "$@" "$file" >"$folder/json" 2>/dev/null; } 2>&1)
    verdict=$(sed -n 's/.*"verdict": "\([a-z]*\)".*/\1/p' "$folder/json")
    verdict=${verdict:-none}
    shown=$seconds; case $verdict in unknown | none) shown="–" ;; esac
}
stat() { sed -n "s/.*\"$1: $2\": \([0-9.]*\).*/\1/p" "$folder/json"; }

chain() {
    echo "void reach_error(void); int nondet(void); int f$1(int x) { return x + 1; }"
    for ((i = $1 - 1; i > 0; i--)); do echo "int f$i(int x) { return f$((i + 1))(f$((i + 1))(x)) - 1; }"; done
    echo "int main(void) { int x = nondet(); if (f1(x) != x + 1) reach_error(); return 0; }"
}

# Twenty functions with a loop each; the seventh counts in steps of $1.
family() {
    echo "void reach_error(void); int nondet(void);"
    for ((i = 1; i <= 20; i++)); do
        step=1; [ $i = 7 ] && step=$1
        echo "int w$i(int n) {
            int left = n, done = 0, marked = 0, phase = 0, credit = 0;
            if (n < 0) return 0;
            while (left > 0) {
                if (phase == 0) { credit = credit + $step; phase = 1; }
                else if (phase == 1) { if (nondet()) marked = done; phase = 2; }
                else { if (credit <= 0) reach_error(); credit = credit - $step; phase = 0; left--; done++; }
            }
            if (done != n || marked > n || marked < 0) reach_error();
            return done; }"
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

pacemaker() {
    cat <<END
## Table 6.1: pacemaker programs

The programs of the chapter are not public as C; these are Craig's own, of the same kind and size.
\`whale\` restricts interpolants by boxes and takes first facts from runs; \`whale-unrestricted --no-runs\` does neither. The
other variants differ from \`whale\` in one thing. \`impact\` and \`ufo\` work on the inlined program. An error
that a run of \`whale\` meets needs no refinement.

| program | answer | ARGs | refinements | whale | unrestricted, no runs | one ARG per call | path by path | tree interpolants | impact | ufo |
|---|---|---|---|---|---|---|---|---|---|---|
END
    for file in examples/programs/pacemaker_*.c; do
        ask whale "$file"
        row="| $(basename "$file") | $verdict | $(stat whale ARGs) | $(stat whale refinements) | $shown |"
        ask whale-unrestricted "$file" --no-runs; row="$row $shown |"
        for engine in whale-tree whale-paths whale-tree-interpolants impact ufo; do
            ask $engine "$file"; row="$row $shown |"
        done
        echo "$row"
    done
}

chains() {
    cat <<END

## Call chains

Function \`i\` calls function \`i + 1\` twice, so inlining doubles with each level.

| depth | unrestricted, no runs | refinements | one ARG per call | ufo (inlined) |
|---|---|---|---|---|
END
    for depth in 5 10 15 20 25 30; do
        chain $depth >"$folder/chain.c"
        ask whale-unrestricted "$folder/chain.c" --no-runs
        row="| $depth | $shown ($verdict) | $(stat whale-unrestricted refinements) |"
        for engine in whale-tree ufo; do ask $engine "$folder/chain.c"; row="$row $shown ($verdict) |"; done
        echo "$row"
    done
}

cache() { # with time enough
    cat <<END

## Summary cache

Twenty functions with a loop each. Between the first and the second run one of them is edited; the third run
is the second once more. Preprocessor, front end and the check of all contracts are part of every run.

| run | answer | refinements | time |
|---|---|---|---|
END
    local limit=60
    for edit in 1 2 2; do
        family $edit >"$folder/family.c"
        ask whale "$folder/family.c" --summary-cache "$folder/cache"
        refinements=$(stat whale refinements)
        echo "| step $edit | $verdict | ${refinements:-$(stat summary-cache refinements) (summary cache)} | $seconds |"
    done
}

benchmarks() {
    cat <<END

## Benchmarks, with procedures kept

| folder | engine | answered | wrong |
|---|---|---|---|
END
    for name in recursive-simple recursive locks ntdrivers-simplified; do
        suite $name whale "$bench"/c/$name/*.c
    done
    cat <<END

## The clauses of the original pacemaker programs

| clauses | answer of \`craig solve\` | time |
|---|---|---|
END
    for file in "$bench"/chc/ufo-tacas2012/DDD*.smt2; do
        seconds=$({ time timeout -s KILL $((limit + 5)) "$craig" solve --timeout "${limit}s" "$file" \
            >"$folder/answer" 2>/dev/null; } 2>&1)
        echo "| $(basename "$file") | $(sed "s/:.*//;q" "$folder/answer") | $seconds |"
    done
}

if [ $# -gt 3 ]; then
    shift 3
    for section in "$@"; do $section; done
    exit
fi
{
    echo "# WHALE: procedure summaries from interpolants"
    echo
    echo "Written by \`docs/experiments/whale.sh CRAIG $limit\`: at most $limit seconds per task, one thread. Times are seconds"
    echo "of the processor, preprocessor and front end included; – stands for no answer. Every answer is certified:"
    echo "contracts by the checker, tests by execution."
    echo
    pacemaker
    chains
    cache
    [ -d "$bench/c" ] && benchmarks
    cat docs/experiments/whale.notes.md
} >"$out"
