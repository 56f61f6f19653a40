#!/usr/bin/env bash
# Trains the same model on every CPU path, with one and two workers, in other
# builds, on emulated Arm, and through a kill -9 with --resume, and fails unless
# all weights have the same SHA-256. Usage: bench/bits.sh [lanes train arguments]
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- --generate onehot:n=8000 --solver ai-sarah --passes 12 --seed 7

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/lanes" ./cmd/lanes
sha() { sed -n 's/.*"weights_sha256": *"\([0-9a-f]*\)".*/\1/p'; }
first=
record() { # label, sha
	printf '%-34s %s\n' "$1" "$2"
	[ -n "$2" ] || { echo "no weights_sha256 printed"; exit 1; }
	first=${first:-$2}
	[ "$2" = "$first" ] || { echo "the weights differ"; exit 1; }
}

paths=$("$work/lanes" cpu --paths)
for path in $paths; do
	for workers in 1 2; do
		record "$path, --workers $workers" "$(LANES_CPU=$path "$work/lanes" train --json --quiet --workers $workers "$@" | sha)"
	done
done
go build -tags purego -o "$work/lanes-purego" ./cmd/lanes
record "built without assembly" "$("$work/lanes-purego" train --json --quiet "$@" | sha)"
if [[ $paths == *avx2* ]]; then
	GOAMD64=v3 go build -o "$work/lanes-v3" ./cmd/lanes
	for path in generic avx2; do
		record "built for GOAMD64=v3, $path" "$(LANES_CPU=$path "$work/lanes-v3" train --json --quiet "$@" | sha)"
	done
fi
if command -v qemu-aarch64-static >/dev/null; then
	GOARCH=arm64 go build -o "$work/lanes-arm64" ./cmd/lanes
	for path in generic neon; do
		record "arm64 (qemu) $path, 2 workers" "$(LANES_CPU=$path qemu-aarch64-static "$work/lanes-arm64" train --json --quiet --workers 2 "$@" | sha)"
	done
else
	echo "arm64: skipped, qemu-aarch64-static is not installed"
fi

# The kill must hit a run that is still going: a longer one, saved every 50 ms.
first=
long=(--generate text:n=20000 --solver ai-sarah --passes 150 --seed 7 --json --quiet)
record "uninterrupted" "$("$work/lanes" train "${long[@]}" | sha)"
checkpoint=$work/checkpoint
"$work/lanes" train "${long[@]}" --checkpoint "$checkpoint" --checkpoint-every 50ms >/dev/null &
victim=$!
until [ -s "$checkpoint" ]; do sleep 0.01; done
sleep 0.2
kill -9 $victim
status=0
{ wait $victim; } 2>/dev/null || status=$?
[ $status -eq 137 ] || { echo "the run ended (status $status) before kill -9 reached it"; exit 1; }
record "killed with -9 and resumed" "$("$work/lanes" train "${long[@]}" --resume "$checkpoint" | sha)"
