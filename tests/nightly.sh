#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is too long for each change, stage by stage: `make nightly`. A stage that fails does not keep the
# others from being run; what each prints is kept in nightly/STAGE.log. At the end a table says the
# seconds and the status of each stage, and what was counted: runs of fuzz targets, coverage, mutants,
# architectures. Status 1 when a stage failed. Less: STAGES='corpora coverage' make nightly
cd "$CELLSCOPE_BUILD" || exit 99
source=$CELLSCOPE_SOURCE/tests
logs=$CELLSCOPE_BUILD/nightly
mkdir -p "$logs"
unset MAKELEVEL MAKEFLAGS MFLAGS
# Mutants of three seeds that no night before had, unless they are given.
: "${SEEDS:=$(date +%Y%j | sed 's/.*/&1 &2 &3/')}"

check() {
	CELLSCOPE_WORLDS=400 FLEET_RUNS=1000 FORMS_WORLDS=400 \
		make check-long FUZZ_RUNS="${NIGHTLY_MUTANTS:-100000}" FIELDS_EVERY=1
}
corpora() { bash "$source/corpora.sh"; }
compilers() { bash "$source/compilers.sh"; }
architectures() { bash "$source/architectures.sh"; }
sanitizers() { bash "$source/sanitizers.sh"; }
races() { bash "$source/races.sh"; }
soak() { make soak; }
large() { bash "$source/large_world.sh"; }
exporters() { # status 77: Blender is not installed
	command -v blender >/dev/null || return 77
	PYTHONWARNINGS=ignore blender -b --factory-startup --python "$source/exporters.py"
}
farm() { make farm-check; }
clones() { bash "$source/clones.sh"; }
package() {
	sh "$source/package.sh" && STATIC_SUITES="bullseye trixie" make check TESTS=tests/static.sh
}
mutate() {
	local failed=0
	for seed in $SEEDS; do
		echo "== seed $seed"
		SEED=$seed make mutate || failed=1
	done
	return $failed
}
coverage() { make coverage; }

status=0
table=''
for stage in ${STAGES:-check corpora compilers architectures sanitizers races soak large exporters farm clones package coverage mutate}; do
	began=$(date +%s)
	$stage >"$logs/$stage.log" 2>&1
	case $? in
	0) result=passed ;;
	77) result=skipped ;;
	*) result=FAILED status=1 ;;
	esac
	row="| $stage | $result | $(($(date +%s) - began)) |"
	echo "$row"
	table="$table$row
"
done

echo
echo '| stage | result | seconds |'
echo '|---|---|---|'
printf '%s' "$table"
echo
echo '| what | figure |'
echo '|---|---|'
counted() { # counted NAME FIGURE: a row, where there is a figure
	[ -z "$2" ] || echo "| $1 | $2 |"
}
counted 'mutants run by fuzz targets, without a finding' "$(sed -n \
	's/^ok [0-9]* - \([0-9]*\) mutants, none of which.*/\1/p' tests/fuzz/*.log 2>/dev/null |
	awk '{ n += $1 } END { if (n) print n }')"
counted 'mutants that tests noticed' "$(grep -h ' caught, .* survived' "$logs/mutate.log" 2>/dev/null |
	paste -sd ';')"
for gate in 'lines of lib' 'branches of lib' 'lines of lib/format'; do
	counted "$gate" "$(sed -n "s,^$gate: ,,p" "$logs/coverage.log" 2>/dev/null)"
done
for machine in i686 aarch64 s390x; do
	counted "$machine" "$(sed -n "s/^# table $machine: //p" "$logs/architectures.log" 2>/dev/null)"
done
exit $status
