# SPDX-License-Identifier: GPL-3.0-or-later
# Lines that an answer advises can be typed as they are, whatever things are called.
open @FIXTURES@/streaming/odd.json
| Odd: 2 cells, 3 actors, profile 5.4
why-layer 1 ~ try
|   try       layer-impact "It's \"on\"" unloaded
|   try       cells -w "'It''s \"on\"' IN (SELECT value FROM json_each(layers))"
layer-impact "It's \"on\"" unloaded
| cell                            before     after     in_range
| Odd_MainGrid_0_0_0_0_dC7DECA45  activated  unloaded  no
cells -w "'It''s \"on\"' IN (SELECT value FROM json_each(layers))" -c name
| name
| Odd_MainGrid_0_0_0_0_dC7DECA45
why-layer "Two words" ~ try
|   try       layer-impact "Two words" activated
|   try       cells -w "'Two words' IN (SELECT value FROM json_each(layers))"
layer-impact "Two words" activated
| cell                                      before    after      in_range
| Odd_PersistentLevel_Persistent_dD56B65AB  unloaded  activated  no
cells -w "'Two words' IN (SELECT value FROM json_each(layers))" -c name
| name
| Odd_PersistentLevel_Persistent_dD56B65AB
explain actor "Old tree" ~ next
| next: why-repair "Old tree"
layer set "It's \"on\"" loaded
| It's "on": loaded (set)
source add P 0,0
step ~ changes
why cell L0:0,0,0 ~ try
|   try       why "It's \"on\""
partition register Odd off
step ~ changes
| 0 changes  loading 1  waiting 0  activated 0  resident 0.0 MiB  hash 82d2424c
why cell L0:0,0,0 ~ try
|   try       partition register Odd on
partition register Odd on
