#!/usr/bin/env bash
# Trains the same model on every CPU path, with one and two workers and in other builds. Also
# trains it on emulated Arm, and through a kill -9 with --resume. Fails unless all weights have
# the same SHA-256. Usage: bench/bits.sh [lanes train arguments]
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- --generate onehot:n=8000 --solver ai-sarah --passes 12 --seed 7

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/lanes" ./cmd/lanes
sha() { sed -n 's/.*"weights_sha256": *"\([0-9a-f]*\)".*/\1/p'; }
first=
record() { # label, command
	local label=$1 got
	shift
	got=$("$@" | sha) || { echo "$label: failed: $*"; exit 1; }
	printf '%-34s %s\n' "$label" "$got"
	[ -n "$got" ] || { echo "no weights_sha256 printed"; exit 1; }
	first=${first:-$got}
	[ "$got" = "$first" ] || { echo "the weights differ"; exit 1; }
}

paths=$("$work/lanes" cpu --paths)
for path in $paths; do
	for workers in 1 2; do
		record "$path, --workers $workers" env LANES_CPU=$path "$work/lanes" train --json --quiet --workers $workers "$@"
	done
done
go build -tags purego -o "$work/lanes-purego" ./cmd/lanes
record "built without assembly" "$work/lanes-purego" train --json --quiet "$@"
if [[ $paths == *avx2* ]]; then
	GOAMD64=v3 go build -o "$work/lanes-v3" ./cmd/lanes
	for path in generic avx2; do
		record "built for GOAMD64=v3, $path" env LANES_CPU=$path "$work/lanes-v3" train --json --quiet "$@"
	done
fi
if command -v qemu-aarch64-static >/dev/null; then
	GOARCH=arm64 go build -o "$work/lanes-arm64" ./cmd/lanes
	for path in generic neon; do
		record "arm64 (qemu) $path, 2 workers" env LANES_CPU=$path qemu-aarch64-static "$work/lanes-arm64" train --json --quiet --workers 2 "$@"
	done
else
	echo "arm64: skipped, qemu-aarch64-static is not installed"
fi

# The kill must hit a run that is still going: one saved every 50 ms, and a longer one
# where the machine was quicker.
checkpoint=$work/checkpoint
for passes in 150 1000 6000; do
	long=(--generate text:n=20000 --solver ai-sarah --passes $passes --seed 7 --json --quiet)
	rm -f "$checkpoint"
	"$work/lanes" train "${long[@]}" --checkpoint "$checkpoint" --checkpoint-every 50ms >/dev/null &
	victim=$!
	until [ -s "$checkpoint" ] || ! kill -0 $victim 2>/dev/null; do sleep 0.01; done
	sleep 0.2
	kill -9 $victim 2>/dev/null || true
	status=0
	{ wait $victim; } 2>/dev/null || status=$?
	[ $status -ne 137 ] || break
	[ $status -eq 0 ] || { echo "the run that was to be killed failed (status $status)"; exit 1; }
done
[ $status -eq 137 ] || { echo "the run ended before kill -9 reached it"; exit 1; }
[ -s "$checkpoint" ] || { echo "the run was killed before it saved anything"; exit 1; }
first=
record "uninterrupted" "$work/lanes" train "${long[@]}"
record "killed with -9 and resumed" "$work/lanes" train "${long[@]}" --resume "$checkpoint"
