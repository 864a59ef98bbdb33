# SPDX-License-Identifier: GPL-3.0-or-later
# A command that changes something checks the options of its listing first: it fails before it
# changes anything, and -c ? explains its columns instead of running it.
open @FIXTURES@/valley.json
| Valley: 44 cells, 60 actors, profile 5.4
edit '{"guid":"00000000000000000000000000000999","name":"New"}' -c ? ~ /change|^kind/
| change     + new, - gone, ~ changed
| kind       world, grid, layer, hlod_layer, cell, actor, finding
expect error E_NOACTOR: actor New
expect error E_USAGE: edit '{"guid":"00000000000000000000000000000999","name":"New"}' -c nope
expect error E_SQL: edit '{"guid":"00000000000000000000000000000999","name":"New"}' -w 'nope = 1'
expect error E_SQL: edit '{"guid":"00000000000000000000000000000999","name":"New"}' -s nope
expect error E_NOACTOR: actor New
edit '{"guid":"00000000000000000000000000000999","name":"New"}' -c change,what -w "kind = 'actor'"
|    what
| +  New
expect error E_USAGE: remove New -c nope
actor New -c name
| name  New
expect error E_USAGE: variable sim.FrameTime 20 -c nope
variable sim.FrameTime 20 -c ? ~ /^value/
| value       present value
variable sim.FrameTime -c is_default
| is_default  yes
mark 3 -c ?
| column  doc
| mark    name of the mark
| place   place that the mark names
mark
| mark  place
# What was listed before stays listed.
cells -n 2 -c name
| name
| Valley_MainGrid_-1_-1_0_0
| Valley_MainGrid_-1_0_0_0
expect error E_USAGE: remove New -c nope
explain 2 ~ /^Valley/
| Valley_MainGrid_-1_0_0_0  MainGrid
# Rows of files of runs, which are in tables of the session.
expect error E_USAGE: run open @FIXTURES@/streaming/profile.csv -c nope
run open @FIXTURES@/streaming/profile.csv -c ? ~ /^seconds|^lines/
| seconds    time of the last row in seconds
| lines      number of lines that were read
sql SELECT count(*) AS files FROM run_files
| files
|     0
# A listing without rows, too.
expect error E_USAGE: diff pie -c nope
expect error E_USAGE: verify @FIXTURES@/valley.json -c nope
# The layers of a world partition that no frame decides are those of the last frame, too.
open @FIXTURES@/streaming/estate.json
| Estate: 3 cells, 3 actors, 2 standalone level instances, profile 5.4
step
| frame 1  t 0.017
| 0 changes  loading 0  waiting 0  activated 0  resident 0.0 MiB  hash 376b3328
partition register 0 off
layer set Day unloaded
| Day: unloaded (set)
step
| frame 2  t 0.033
| 0 changes  loading 0  waiting 0  activated 0  resident 0.0 MiB  hash 7106f5bc
why cell Estate_MainGrid_0_0_0_0_d42C605D3 ~ /wanted|layers/
|   wanted    unloaded, by rule 2.1 not_registered: its world partition is not registered
|   layers    allow unloaded, because of Day
# The sums of a report that only explains its columns stay.
# A report that only explains its columns does not set the sums to 0.
path report -c frames
| frames
|      2
path report --reset -c ? ~ /^thrash/
| thrash           -      number of levels that were unloaded soon after they were loaded
path report -c frames
| frames
|      2
path report --reset -c frames
| frames
|      2
path report -c frames
| frames
|      0
# Commands that move the run do not move it then, either.
checkpoint
| checkpoint 1 at frame 2
expect error E_USAGE: step 3 -c nope
expect error E_SQL: next -s nope
expect error E_SQL: continue 3 -w 'nope = 1'
expect error E_USAGE: goto 1 -c nope
expect error E_USAGE: reverse-step -c nope
expect error E_USAGE: run 1 -c nope
step 3 -c ? ~ /^cell/
| cell       the cell
assert frame() = 2
# One cook has nothing to be compared with, and only 0 and 1 switch HLOD.
expect error E_USAGE: verify-cook 1
expect error E_USAGE: verify-cook 10001
expect error E_USAGE: wp.Runtime.HLOD off
wp.Runtime.HLOD 0
| HLOD is off
# A breakpoint says that the expression behind `if` is missing, and nothing of a column named so.
expect error E_USAGE: break cell.load if
expect error E_USAGE: tbreak frame if
expect error E_USAGE: condition 1 if
