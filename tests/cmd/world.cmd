# SPDX-License-Identifier: Apache-2.0
# What a cooked world holds, as it is listed and shown.
open @OUT@/sample.cworld
| Valley: 19 cells, 21 actors, profile 5.4
info
| file        @OUT@/sample.cworld
| name        Valley
| package     /Game/Valley
| source      json
| profile     5.4
| streaming   yes
| bounds_min  -25600,-25600,0
| bounds_max  25600,25600,51200
| cells       19
| actors      21
| grids       2
| layers      2
| containers  2
| sets        19
| references  2
| hlods       0
| findings    1
| drops       1
|~ ^content_id  [0-9a-f]{32}$

# listings
cells -n 3
cells -w "level = 1 OR always_loaded" -c name,level,x,y,actors
cells -w "level = 0" -s -x,y -n 2 -c name,x,y
cells ~ DL5A17
cells ~ /X[01]_Y1/
cells @ L0:0,0 -c name
cells @ 100,100 -c name
cells @ actor Tower -c name
