# SPDX-License-Identifier: GPL-3.0-or-later
# The screen without a terminal: keys submit commands, and what is seen can be printed.
open @FIXTURES@/valley.json
source add Player0 0,0
run 30
screen show
press Down Right
screen show
press v c
screen show
press Enter
screen show
press q v a / R o c k Enter e
screen show
press q q : s t e p Space 5 Enter
screen show
expect error E_UNKNOWN: view nowhere
expect error E_USAGE: press Nokey
screen size 40x10
screen show
screen size 30x5
screen show
screen size 120x40
screen glyphs utf8
screen save @OUT@/screen.svg
screen save @OUT@/screen.ans
