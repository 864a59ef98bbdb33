# SPDX-License-Identifier: Apache-2.0
# The cook against the engine's answers: a log of the same world, of another engine, of another
# world; HLOD actors that were built from the cook, and none.
open @FIXTURES@/streaming/season.json
cook log @OUT@/engine.log
diff log @OUT@/engine.log
| same: 7 cells, 7 actors compared
diff log @OUT@/engine.log --json
| {"schema":"cellscope.engine_difference/1","rows":[]}
# What is cooked from the log is the same again.
open @OUT@/engine.log
expect error E_COOKED: whatif MainGrid.cell_size=6400
diff log @OUT@/engine.log
| same: 7 cells, 7 actors compared
# Another engine calls cells otherwise: by rule.
set profile 5.5
open @FIXTURES@/streaming/season.json
diff log @OUT@/engine.log -n 2 -c kind,change,name,theirs,rule
| kind  change   name                          theirs                        rule
| cell  renamed  ..ects_L0_X0_Y0_Z0_dED474E61  .._Effects_0_0_0_0_dED474E61  1.6.5
| cell  renamed  Season_MainGrid_L0_X0_Y1_Z0   Season_MainGrid_0_1_0_0       1.6.5
| differs by rule: 7 cells, 7 actors compared; 7 differences by rule, 0 unexplained
diff log @OUT@/engine.log -w "verdict = 'unexplained'" --json
| {"schema":"cellscope.engine_difference/1","rows":[]}
reset profile
# Another world.
open @FIXTURES@/valley.json
diff log @OUT@/engine.log -n 4 -c verdict,kind,change,name,rule
| verdict          kind   change       name                               rule
| differs by rule  world  renamed      Valley                             1.6.5
| unexplained      cell   only theirs  Season_Effects_0_0_0_0_dED474E61   -
| unexplained      cell   only theirs  Season_MainGrid_0_0_0_0_dA0C7FCBE  -
| unexplained      cell   only theirs  Season_MainGrid_0_0_0_0_d60038508  -
| unexplained: 7 cells, 7 actors compared; 1 difference by rule, 101 unexplained
expect error E_MISSING: diff hlod
hlod build -n 1
diff hlod
| same: 42 cells, 54 actors compared
# A file that is none.
expect error E_LOG: diff log @FIXTURES@/valley.json
