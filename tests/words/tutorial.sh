#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every lesson of the tutorial can be typed as it stands, one after the other.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/tutorial
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 99

n=$("$cs" tutorial --tsv | tail -n +2 | wc -l)
[ "$n" -ge 8 ]
ok $? "there are lessons ($n)"
i=1
while [ "$i" -le "$n" ]; do
	"$cs" tutorial "$i" >lesson || break
	sed -n 's/^    //p' lesson >>all.cmd
	[ "$(wc -l <lesson)" -le 23 ] || echo "$i" >>long
	i=$((i + 1))
done
[ "$i" -gt "$n" ]
ok $? 'each can be read'
[ ! -e long ]
ok $? 'on one screen'
"$cs" -x all.cmd >out 2>err
# a comparison that they show finds a difference
[ $? -le 1 ] && [ ! -s err ]
ok $? 'and what they say to type works'
sed 's/^/# /' err
"$cs" tutorial 99 2>/dev/null
[ $? -eq 2 ]
ok $? 'there is an end to it'
finish
