# SPDX-License-Identifier: GPL-3.0-or-later
# The screen without a terminal: keys submit commands, and what is seen can be printed.
open @FIXTURES@/valley.json
source add Player0 0,0
run 30
view show
press Down Right
view show
press v c
view show
press Enter
view show
press q v a / R o c k Enter e
view show
press q q : s t e p Space 5 Enter
view show
expect error E_UNKNOWN: view nowhere
expect error E_USAGE: press Nokey
expect error E_USAGE: view tick nope
view size 40x10
view show
view size 30x5
view show
| too small: 30x5 of 40x10
|
|
|
|
view size 120x40
view glyphs utf8
view save @OUT@/screen.svg
| wrote @OUT@/screen.svg
view save @OUT@/screen.ans
| wrote @OUT@/screen.ans
# Names of before do the same, for one release.
view size 40x10
view cells
screen show
sort -- -name
cursor last
filter level = 0
screen show
|  Valley  frame 35 0.583s  loading 0/4
|  Cells  43 of 43, by -name, level = 0
|  short_name  state      actors  layers
|  0_-1_0_0    activated       1  -
|  -1_4_0_0    unloaded        1  -
|  -1_3_0_0    unloaded        1  -
|  -1_2_0_0    activated       1  -
|  -1_0_0_0    activated       1  -
|  -1_-1_0_0   activated       1  -
|  a Actors  Enter Open  e Explain  ? Help
expect error E_UNKNOWN: screen nothing
# Tab before the first letter, which a build with sanitizers looks at.
view map
press : Tab Enter
