#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The corpora of the fuzz targets under valgrind: the seeds of each, and of its mutants those that end
# in ways of their own, by number (fuzz/corpora.list, a line for each target). Part of `make nightly`.
# With CELLSCOPE_BLESS=1 the list is made anew, of the first MUTANTS of each target.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
list=$CELLSCOPE_SOURCE/tests/fuzz/corpora.list
export OMP_NUM_THREADS=1 CELLSCOPE_OUT="${CELLSCOPE_OUT:-$CELLSCOPE_BUILD/tests/out}"
export CELLSCOPE_IMPORT="${CELLSCOPE_IMPORT:-$CELLSCOPE_BUILD/cellscope-import}"
mkdir -p "$CELLSCOPE_OUT"

if [ -n "${CELLSCOPE_BLESS:-}" ]; then
	for target in ${TARGETS:-$(sed 's/:.*//' "$list")}; do
		numbers=$(FUZZ_DISTINCT=1 FUZZ_RUNS=${MUTANTS:-3000} "$CELLSCOPE_BUILD/tests/fuzz/$target" |
			sed -n 's/^# distinct: //p' | head -n 120 | paste -sd ' ')
		sed -i "s/^$target:.*/$target: $numbers/" "$list"
	done
fi
if ! command -v valgrind >/dev/null; then
	skip 'valgrind is not installed'
	finish
fi
while IFS=: read -r target numbers; do
	case " ${TARGETS:-$target} " in *" $target "*) ;; *) continue ;; esac
	FUZZ_ONLY=$numbers FUZZ_SLOWEST=600 \
		valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
		--errors-for-leak-kinds=definite "$CELLSCOPE_BUILD/tests/fuzz/$target" \
		>"$CELLSCOPE_OUT/corpora.log" 2>&1
	status=$?
	ok $status "$target: its seeds and $(wc -w <<<"$numbers") mutants"
	[ $status -eq 0 ] || tail -n 30 "$CELLSCOPE_OUT/corpora.log" | sed 's/^/# /'
done <"$list"
finish
