# SPDX-License-Identifier: Apache-2.0
# Sources come, go and move while questions are asked by name: the answer is always of now.
open @OUT@/sample.cworld
| Valley: 19 cells, 21 actors, profile 5.4
| 1 actor dropped, in no cell: see `drops`
source add A 0,0,0
source add B 100,100,0
assert (SELECT location_x FROM sources WHERE name = 'B') = 100
source add C 5,5,0 --priority 3
assert source('C', 'priority') = 3
# a priority is a number or a name of the engine's, a colour hexadecimal
source set C --priority HIGH
assert source('C', 'priority') = 64
source set C --priority 3 --color ff8000
expect error E_USAGE: source set C --priority urgent
expect error E_USAGE: source set C --priority 256
expect error E_USAGE: source set C --color red
expect error E_USAGE: source set C --color 1000000
source rm A
source move B 500,500,0
assert (SELECT location_x FROM sources WHERE name = 'B') = 500
source rm B
assert (SELECT count(*) FROM sources WHERE name = 'B') = 0
assert (SELECT count(*) FROM sources) = 1
# a join goes through an index, and finds what the scan finds
assert (SELECT count(*) FROM cells c JOIN actors a ON a.cell = c.name WHERE c.level = 0) = (SELECT sum(actors) FROM cells WHERE level = 0)
# an angle that a source adds makes its sectors larger
source rm C
source add D 0,0,0 --angle 20 --radius 60000
step 2
assert (SELECT count(*) FROM cells WHERE wanted = 'activated') = 2
source set D --extra-angle 160
step 2
assert (SELECT count(*) FROM cells WHERE wanted = 'activated') = 10
