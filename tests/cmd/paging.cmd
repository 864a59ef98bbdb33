# SPDX-License-Identifier: Apache-2.0
# Three questions of someone who debugs the pages of a mesh: why is this page resident; what must
# load before that one can be used; which pages does this view need, and which are missing.
gen mesh sphere --triangles 60000 --seed 3 -o @OUT@/rock.ply
|...
nanite build @OUT@/rock.ply -o @OUT@/rock.cnanite
|...
open @OUT@/rock.cnanite
|~ ^rock: [0-9]+ pages, [0-9]+ clusters, [0-9]+ groups, [0-9]+ levels, [0-9]+ triangles$
assert (SELECT max(fill) FROM pages) <= 1
assert (SELECT disk_bytes FROM resources) = (SELECT sum(disk_bytes) FROM pages)
assert (SELECT fixup_bytes FROM resources) = (SELECT sum(chunk_bytes) FROM pages)
assert (SELECT page_bytes FROM resources) = (SELECT sum(page_bytes) FROM pages)
assert (SELECT gpu_bytes FROM resources) = (SELECT sum(gpu_bytes) FROM pages)
assert (SELECT root_gpu_bytes FROM resources) = (SELECT sum(gpu_bytes) FROM pages WHERE root)
assert (SELECT dependencies FROM resources) = (SELECT sum(needs) FROM pages)
assert (SELECT sum(needs) FROM pages) = (SELECT sum(users) FROM pages)
assert (SELECT sum(needs) FROM pages) > (SELECT count(*) FROM pages)
assert (SELECT count(*) FROM pages WHERE state = 'root') = 1
# a view from near, a pool of three pages, slow reads
pool latency 0.05
pool pool 3
camera add Main 150,0,20 --target 0,0,0
step 30
|...
# ---- which pages does this view need, and which are missing? ----
sql SELECT count(*) > 3 AS needed, sum(state = 'resident') AS there FROM pages WHERE requests > 0
| needed  there
|      1      3
assert (SELECT missing FROM page_frames WHERE frame = 30) > 0
assert (SELECT resident FROM page_frames WHERE frame = 30) = 3
assert (SELECT coarse FROM page_frames WHERE frame = 30) > 0
# ---- why is this page resident? ----
why page 1
|~ ^page rock:1: resident since frame [0-9]+, and wanted now$
|~ ^  camera Main wanted group [0-9]+, level [0-9]+, at [0-9.e+]+ times the threshold: read from frame 2$
|...
why page 0
| page rock:0: a root page: always there, in no slot
# ---- what must load before that one can be used? ----
deps 4
|...
|~ ^order to make 4 usable: .*4
|~ ^blocked now: (no|by)
closure 4 -c page,listed,groups -n 2
| page  listed  groups
|    0  yes     yes
|    1  yes     yes
why-not page 4
|...
# ---- in one timeline: back, forth, and the same ----
set $then = state_hash()
step 20
|...
goto 10
|...
goto 30
|...
assert state_hash() = $then
expect error E_MISSING: evict 99
expect error E_MISSING: evict 0
expect error E_SETTING: pool pool -1
expect error E_SETTING: pool speed 3
expect error E_USAGE: sweep pool 5
# ---- with room for all it comes to rest, and nothing is coarser than wanted ----
pool pool 100
step 30
|...
assert (SELECT stable FROM page_frames ORDER BY frame DESC LIMIT 1)
assert (SELECT coarse FROM page_frames ORDER BY frame DESC LIMIT 1) = 0
assert (SELECT overlaps FROM page_frames ORDER BY frame DESC LIMIT 1) = 0
sweep pool 0..1 --frames 60 -c pool,peak
| pool  peak
|    0     0
|    1     1
# ---- a pool that is too small says so, and lets go of what is wanted least ----
pool pool 2
step 30
| frame 90  t 1.500
|~ ^0 changes .* hash [0-9a-f]+$
| pages since: 0 read, 0 installed, 4 left
| pages: 6 wanted, 4 missing, 0 loading, 2 of 2 slots; 209 clusters, 209 coarser than wanted, worst 2740 px
| the demand cannot fit: 6 wanted, 2 slots: pool pool 6, or pool profile 5.5
pool pool 100
step 30
| frame 120  t 2.000
|~ ^0 changes .* hash [0-9a-f]+$
| pages since: 4 read, 4 installed, 0 left; 4 read again within 60 frames of leaving: thrash
| pages: 6 wanted, 0 missing, 0 loading, 6 of 100 slots; 479 clusters, 0 coarser than wanted, worst 1.24 px
pool profile 5.0
pool profile 5.5
assert (SELECT quality FROM page_frames ORDER BY frame DESC LIMIT 1) = 1
expect error E_SETTING: pool profile 4.27
pool quality 0
sql SELECT event, count(*) AS n FROM page_events WHERE frame > 60 GROUP BY event
| event         n
| page.evict    4
| page.install  4
| page.request  4
| pool.full     1
# ---- what it costs from near and far ----
cost --distances 10cm..1km --steps 3 -c distance,triangles,pages,max_level
| distance  triangles  pages  max_level
|      0.1      60492      6          0
|       10      30358      3          2
|     1000        126      0         10
|      60492 |###########################:                                       |
|            |############################:.                                     |
|      45369 |##############################.                                    |
|            |###############################...                                 |
|      30246 |##################################.                                |
|            |###################################:..                             |
|      15123 |#######################################...                         |
|          0 |############################################::::...................|
|            triangles at 0.1 m to 1000 m, by equal factors; highest 60492
cost --distances 1m..500m --steps 2 --plot pages
| distance  triangles  clusters  pages  pool_mib  read_mib  max_level
|        1      60492       479      6      0.75    0.4443          0
|      500        126         1      0         0         0         10
|          6 |#####################                                              |
|            |#####################                                              |
|        4.5 |#####################                                              |
|            |#####################                                              |
|          3 |############################                                       |
|            |############################:                                      |
|        1.5 |#############################.....                                 |
|          0 |##################################                                 |
|            pages at 1 m to 500 m, by equal factors; highest 6
cost --unit m --steps 2 -c distance
|   distance
|    38.1684
| 38168.3596
|      60492 |#######################:.                                          |
|            |#########################.                                         |
|      45369 |###########################.                                       |
|            |############################.....                                  |
|      30246 |#################################                                  |
|            |##################################:...                             |
|      15123 |#######################################.....                       |
|          0 |#############################################::::::................|
|            triangles at 38.17 m to 38168 m, by equal factors; highest 60492
expect error E_USAGE: cost --steps 1
expect error E_USAGE: cost --distances 5m..1m
expect error E_USAGE: cost --fov 180
expect error E_USAGE: cost --threshold 0
expect error E_USAGE: cut --eye 9,9,3 --fov 180
expect error E_USAGE: run follow none.log --for -1
# ---- stops ----
goto 0
|...
tbreak page.install if page = 'rock:1'
|...
continue 60
|...
|~ ^stopped: breakpoint 1, page.install \(hit 1\)
|...
pwd
| page rock:1
page events -c event,page -w "event = 'page.install' AND page = 'rock:1'"
| event         page
| page.install  rock:1
# ---- what 5.0 reads again and again, 5.5 does without: two places, each nearly all of the pool ----
gen mesh terrain --triangles 120000 --seed 4 -o @OUT@/dale.ply
|...
nanite build @OUT@/dale.ply -o @OUT@/dale.cnanite --no-imposter
|...
open @OUT@/dale.cnanite
|...
define there_and_back
  foreach time in SELECT value FROM json_each('[1, 2, 3, 4, 5, 6]')
    camera add Main 100,500,250 --target 300,500,0 --fov 40
    step 25
    camera add Main 900,500,250 --target 700,500,0 --fov 40
    step 25
  end
end
goto 0
|...
camera add Main 100,500,250 --target 300,500,0 --fov 40
pool latency 0.05
pool pool 12
pool threshold 4
pool profile 5.0
call there_and_back
|...
sql SELECT sum(issued) AS reads, sum(thrash) AS thrash, round(avg(quality), 2) AS quality, sum(coarse > 0) AS coarse_frames FROM page_frames WHERE frame BETWEEN 60 AND 300
| reads  thrash  quality  coarse_frames
|    27      27        1             36
pool profile 5.5
call there_and_back
|...
sql SELECT sum(issued) AS reads, sum(thrash) AS thrash, round(avg(quality), 2) AS quality, sum(coarse > 0) AS coarse_frames FROM page_frames WHERE frame BETWEEN 360 AND 600
| reads  thrash  quality  coarse_frames
|     0       0     0.78              0
close dale
close
expect error E_NOTOPEN: step
# ---- pages that others need leave in the frame in which the pool is cut, too, the oldest first ----
open @OUT@/rock.cnanite
|...
pool lru 0
camera add Main 150,0,20 --target 0,0,0
step 30
|...
camera add Main 100000,0,0
step 5
|...
pool pool 0
step
|...
assert (SELECT used FROM page_frames ORDER BY frame DESC LIMIT 1) = 0
close
# ---- the reason for a page names its camera, and what keeps a group from being wanted ----
open @OUT@/rock.cnanite
|...
pool latency 0
camera add Far 100000,0,0
camera add Near 150,0,20 --target 0,0,0
camera add High 0,0,90000
step 5
|...
why page 1 ~ times
|~ ^  camera Near wanted group
camera rm Far
why page 1 ~ times
|~ ^  camera Near wanted group
# no read is pending: what was evicted by hand is told as such, although a view wants it
assert (SELECT count(*) FROM pages WHERE state = 'loading') = 0
evict 6
why page 6 ~ frame
|~ ^page rock:6: it left in frame 5; it was wanted in this frame
camera rm Near
why page 1 ~ times
|~ ^  a camera that was removed wanted group
camera rm High
camera add Away 1500,0,20 --target 3000,0,20
step 2
|...
why page 1 ~ group
|~ at [0-9.e+]+ times
|~ camera Away would see an error of [0-9.e+]+ px, the threshold is 1: outside its view$
# the threshold is that of the present quality: what falls short of it is not wanted
camera add Away 150,0,20 --target 0,0,0
pool profile 5.5
pool pool 5
step 120
|...
assert (SELECT quality FROM page_frames ORDER BY frame DESC LIMIT 1) < 1
why page 6 ~ nearest
|~ the threshold is (1\.[0-9]*[1-9]|[2-9].*)
# ---- options that a camera or a cut would ignore are refused ----
expect error E_USAGE: camera add Main 150,0,20 --loop
expect error E_USAGE: camera add Main 150,0,20 --seconds 3
expect error E_USAGE: camera add Main 150,0,20 --path keys
expect error E_USAGE: camera add Main --path keys --orbit 3
expect error E_USAGE: camera add Main --path keys --target 0,0,0
expect error E_USAGE: cut --error 1 --threshold 2
expect error E_USAGE: cut --clusters --pages
# a camera that turns too fast to count its rounds stands still, and keeps seeing
camera add Away 150,0,20 --orbit 1e-320
step
|...
assert (SELECT clusters FROM page_frames ORDER BY frame DESC LIMIT 1) > 0
