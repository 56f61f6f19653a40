#!/usr/bin/env bash
# Interrupts runs of every family at random moments by SIGINT, SIGTERM or SIGKILL. Resumes them on
# other CPU paths with other numbers of workers until they end. Fails unless each run has the model
# and the exit status of an uninterrupted run, and leaves no file but its checkpoint. Keeps its own
# files on failure: a trap would run in children that a signal meets early.
# Usage: bench/kills.sh [rounds [seed]]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-1}
RANDOM=${2:-1}

work=$(mktemp -d)
go build -o "$work/lanes" ./cmd/lanes
awk 'BEGIN { srand(3); for (i = 0; i < 3000; i++) { line = ""; best = 0; most = -9
	for (c = 0; c < 5; c++) s[c] = rand()
	for (j = 1; j <= 40; j++) if (rand() < 0.3) { v = rand() - 0.5; line = line sprintf(" %d:%.4f", j, v); s[j % 5] += 3 * v }
	for (c = 0; c < 5; c++) if (s[c] > most) { most = s[c]; best = c }
	print "c" best line } }' >"$work/classes"
sed 's/^c[01]/-1/; s/^c[234]/1/' "$work/classes" >"$work/two"
"$work/lanes" convert "$work/two" "$work/two.lanes" --quiet

# Each longer than a tenth of a second; budgets and targets beyond float64 end points of paths
# in other ways than their usual target does.
runs=(
	"--generate text:n=8000 --solver ai-sarah --passes 150"
	"--generate text:n=8000 --solver svrg --passes 150"
	"--generate onehot:n=20000 --solver adam --passes 60"
	"--generate onehot:n=8000 --solver adfsdca+ --passes 60"
	"--generate onehot:n=20000 --gap 1e-10"
	"--generate onehot:n=20000 --shards 4 --gap 1e-10"
	"$work/two.lanes --memory 200MB --gap 1e-11"
	"--generate wide:n=3000 --gap 1e-9 --C 10"
	"--generate imbalanced:n=8000 --solver soap --set iterations=3000"
	"--generate imbalanced:n=8000 --solver adap --set iterations=3000"
	"--generate imbalanced:n=8000 --solver agd-sbcd"
	"--generate text:n=20000 --l1 1e-4 --intercept --gap 1e-10"
	"--generate onehot:n=8000 --path --cv 3"
	"--generate onehot:n=8000 --path --passes 3 --gap 1e-14"
	"--generate onehot:n=8000 --path --sparse --cv 3 --one-se"
	"--generate onehot:n=8000 --path --sparse --passes 11 --gap 1e-14"
	"--generate onehot:n=8000 --path --sparse --cv 3 --passes 7 --gap 1e-14 --intercept"
	"$work/classes --multiclass"
	"$work/classes --multiclass --solver sdca-newton --C 10 --gap 1e-9"
	"$work/classes --multiclass --solver prox-sdca --C 1 --gap 1e-7"
	"$work/classes --multiclass --class-weight balanced --gap 1e-11"
	"$work/classes --multiclass softmax --gap 1e-11"
	"$work/classes --multiclass softmax --path --cv 3"
	"$work/classes --multiclass --path --cv 3"
	"$work/classes --multiclass --path --sparse --passes 9 --gap 1e-14"
	"--generate imbalanced:n=3000 --for ap --cv 3"
	"--generate imbalanced:n=3000 --for logloss --cv 3"
)
mapfile -t paths < <("$work/lanes" cpu --paths)
result() { # status of what follows, and a sum of the model that it writes
	local status=0
	rm -f "$work/model"
	"$@" --model "$work/model" >/dev/null 2>"$work/errors" || status=$?
	printf '%d %s' $status "$([ ! -e "$work/model" ] || sha256sum <"$work/model" | cut -c1-64)"
}
declare -A sent=([INT]=0 [TERM]=0 [KILL]=0) wanted
signals=(INT TERM KILL)
for ((round = 0; round < rounds; round++)); do
	for run in "${runs[@]}"; do
		read -ra arguments <<<"train $run --seed 7 --quiet"
		if [ -z "${wanted[$run]-}" ]; then
			begun=$(date +%s%N)
			wanted[$run]="$(result "$work/lanes" "${arguments[@]}") $((($(date +%s%N) - begun) / 1000000 + 20))"
		fi
		read -r status sum took <<<"${wanted[$run]}"
		[ -n "$took" ] || { echo "$run: no model (${wanted[$run]})"; cat "$work/errors"; exit 1; }
		rm -f "$work"/saved*
		for ((k = 0; k < 6; k++)); do
			more=(--checkpoint "$work/saved" --checkpoint-every "$((RANDOM % 40 + 1))ms" --workers $((RANDOM % 4 + 1)))
			[ ! -e "$work/saved" ] || more+=(--resume "$work/saved")
			LANES_CPU=${paths[RANDOM % ${#paths[@]}]} env --default-signal=INT "$work/lanes" "${arguments[@]}" "${more[@]}" >/dev/null 2>"$work/errors" &
			sleep "$(printf '0.%03d' $((RANDOM % (took < 900 ? took : 900))))"
			signal=${signals[RANDOM % 3]}
			kill -$signal $! 2>/dev/null && sent[$signal]=$((sent[$signal] + 1))
			ended=0
			{ wait $!; } 2>/dev/null || ended=$?
			case $ended in # done, interrupted, or killed by the signal itself
			0 | 1 | 130 | 137 | 143) ;;
			*) echo "$run: status $ended after SIG$signal"; cat "$work/errors"; exit 1 ;;
			esac
		done
		more=()
		[ ! -e "$work/saved" ] || more=(--checkpoint "$work/saved" --resume "$work/saved")
		got=$(result "$work/lanes" "${arguments[@]}" "${more[@]}")
		printf '%-100.100s %s\n' "${run//"$work/"/}" "$got"
		[ "$got" = "$status $sum" ] || { echo "left alone: $status $sum"; cat "$work/errors"; exit 1; }
		for left in "$work"/saved*; do
			case $left in *saved | *.lanes-lock | *'*') ;; *) echo "$left is left"; exit 1 ;; esac
		done
	done
done
rm -rf "$work"
echo "${#runs[@]} kinds of runs; interruptions:$(for s in "${signals[@]}"; do printf ' %d SIG%s' "${sent[$s]}" "$s"; done)"
