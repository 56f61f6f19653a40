#!/usr/bin/env bash
# Fuzzes every target, or those named as arguments, for FUZZTIME CPU seconds each (600
# where it is not set). What a target finds stays in testdata/fuzz, where go test runs
# it again ever after; the other targets go on, and the script fails at the end.
#
# go test itself takes a time, but at its end reports the workers that are busy as
# failures. So this counts executions, in rounds that are each as long as the speed of
# the one before lets expect. Inputs are made shorter in few steps: by itself go test
# spends up to a minute on each that reaches new code.
set -euo pipefail
cd "$(dirname "$0")"
budget=${FUZZTIME:-600}
[[ $budget =~ ^[0-9]+$ ]] || { echo "FUZZTIME is $budget; it must be a number of CPU seconds"; exit 2; }

# The packages that have targets.
declare -A home
for package in . ../internal/checkpoint ../sparse ../table; do
	list=$(go test -list '^Fuzz' "$package")
	while read -r target; do home[$target]=$package; done < <(grep '^Fuzz' <<<"$list")
done
[ ${#home[@]} -gt 0 ] || { echo "no fuzz targets found"; exit 1; }
if [ $# -eq 0 ]; then
	mapfile -t targets < <(printf '%s\n' "${!home[@]}" | sort)
	set -- "${targets[@]}"
fi

# measure sets spent to the CPU seconds that all children so far have taken. times
# answers for the shell that runs it, which in a pipeline would be another one.
scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
measure() {
	times >"$scratch"
	spent=$(awk -F'[ms ]' 'NR == 2 { print int(60 * $1 + $2 + 60 * $4 + $5) }' "$scratch")
}

failed=()
for target in "$@"; do
	printf '== %s\n' "$target"
	[ -n "${home[$target]:-}" ] || { echo "there is no such target"; failed+=("$target"); continue; }
	measure
	begun=$spent round=10000
	while :; do
		before=$spent
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${round}x" -fuzzminimizetime 100x "${home[$target]}" || { failed+=("$target"); break; }
		measure
		left=$((budget - (spent - begun)))
		[ $left -gt 0 ] || break
		# The start of a round takes seconds of its own, so that this is rather too few.
		round=$((round * left / (spent - before + 1) + 1000))
	done
done
if [ ${#failed[@]} -gt 0 ]; then
	echo "failed: ${failed[*]}; what they found is in testdata/fuzz of their package"
	exit 1
fi
