# SPDX-License-Identifier: Apache-2.0
# A mesh is made up, built into a Nanite resource, checked, taken apart and read in again.
gen mesh sphere --triangles 3000 --seed 7 -o @OUT@/sphere.obj
| file       @OUT@/sphere.obj
| triangles  3072
| vertices   1538
| materials  1
| uvs        0
| colors     no
| min        -103.579796,-106.306305,-106.891472
| max        105.860092,106.844872,101.542152
nanite build @OUT@/sphere.obj -o @OUT@/sphere.cnanite -j 2
| file                @OUT@/sphere.cnanite
| triangles           3072
| vertices            1538
| dropped             0
|~ ^levels +[-0-9.,]+$
|~ ^clusters +[-0-9.,]+$
|~ ^groups +[-0-9.,]+$
| pages               1
|~ ^stored_triangles +[-0-9.,]+$
|~ ^root_triangles +[-0-9.,]+$
| coarse_triangles    2000
|~ ^leaf_fill +[-0-9.,]+$
| stuck_groups        0
| position_precision  4
|~ ^bytes +[-0-9.,]+$
|~ ^bytes_per_triangle +[-0-9.,]+$
nanite verify @OUT@/sphere.cnanite --deep
| @OUT@/sphere.cnanite: sound
verify @OUT@/sphere.cnanite
| @OUT@/sphere.cnanite: sound
| random views and loading orders are checked only with --deep
nanite verify @OUT@/sphere.cnanite --json
| {"schema":"cellscope.problem/1","rows":[]}
nanite info @OUT@/sphere.cnanite
| name                sphere
| file                @OUT@/sphere.cnanite
| source              sphere.obj
| writer              cellscope
|~ ^bytes +[-0-9.,]+$
|~ ^bytes_per_triangle +[-0-9.,]+$
| input_triangles     3072
| input_vertices      1538
| degenerate          0
|~ ^triangles +[-0-9.,]+$
|~ ^vertices +[-0-9.,]+$
|~ ^references +[-0-9.,]+$
|~ ^levels +[-0-9.,]+$
|~ ^clusters +[-0-9.,]+$
|~ ^leaf_clusters +[-0-9.,]+$
|~ ^fill +[-0-9.,]+$
|~ ^groups +[-0-9.,]+$
|~ ^parts +[-0-9.,]+$
| nodes               1
| meshes              1
| depth               1
| pages               1
| root_pages          1
| dependencies        0
| most_dependencies   0
| lz4                 yes
|~ ^disk_bytes +[-0-9.,]+$
|~ ^fixup_bytes +[-0-9.,]+$
|~ ^page_bytes +[-0-9.,]+$
|~ ^compression +[-0-9.,]+$
|~ ^gpu_bytes +[-0-9.,]+$
|~ ^root_gpu_bytes +[-0-9.,]+$
|~ ^utilisation +[-0-9.,]+$
| position_precision  4
| materials           1
| uvs                 0
| colors              no
| imposter            yes
| coarse_triangles    2000
|~ ^min +[-0-9.,]+$
|~ ^max +[-0-9.,]+$
|~ ^content_id  *[0-9a-f]{32}$

# cuts of it
nanite export @OUT@/sphere.cnanite -o @OUT@/sphere0.obj
| file       @OUT@/sphere0.obj
|~ ^clusters +[-0-9.,]+$
| triangles  3072
| vertices   1538
| error      0.0510253906
nanite export @OUT@/sphere.cnanite --level 2 -o @OUT@/sphere2.ply
| file       @OUT@/sphere2.ply
|~ ^clusters +[-0-9.,]+$
|~ ^triangles +[-0-9.,]+$
|~ ^vertices +[-0-9.,]+$
|~ ^error +[-0-9.,]+$
nanite export @OUT@/sphere.cnanite --error 5 -o @OUT@/sphere5.ply
| file       @OUT@/sphere5.ply
|~ ^clusters +[-0-9.,]+$
|~ ^triangles +[-0-9.,]+$
|~ ^vertices +[-0-9.,]+$
|~ ^error +[-0-9.,]+$
nanite export @OUT@/sphere.cnanite --triangles 500 -o @OUT@/sphere500.obj --cdag @OUT@/sphere.cdag
| file       @OUT@/sphere500.obj
|~ ^clusters +[-0-9.,]+$
|~ ^triangles +[-0-9.,]+$
|~ ^vertices +[-0-9.,]+$
|~ ^error +[-0-9.,]+$
nanite export @OUT@/sphere.cnanite --coarse -o @OUT@/coarse.ply
| file       @OUT@/coarse.ply
|~ ^triangles +[-0-9.,]+$
|~ ^vertices +[-0-9.,]+$
nanite export @OUT@/sphere.cnanite --level 2 -o @OUT@/sphere2.ply --csv
| file,clusters,triangles,vertices,error
|~ /sphere2.ply,[0-9]+,[0-9]+,[0-9]+,[0-9.]+$

# the same pages, packed as small as LZ4 finds
nanite build @OUT@/sphere.obj -o @OUT@/thorough.cnanite --thorough --csv
|~ ^file,
|~ /thorough.cnanite,3072,1538,0,
nanite verify @OUT@/thorough.cnanite --deep
| @OUT@/thorough.cnanite: sound

# what was exported can be built again
nanite build @OUT@/sphere2.ply -o @OUT@/again.cnanite --precision 6 --percent-triangles 100 --no-imposter --raw
| file                @OUT@/again.cnanite
|~ ^triangles +[-0-9.,]+$
|~ ^vertices +[-0-9.,]+$
| dropped             0
|~ ^levels +[-0-9.,]+$
|~ ^clusters +[-0-9.,]+$
|~ ^groups +[-0-9.,]+$
| pages               1
|~ ^stored_triangles +[-0-9.,]+$
|~ ^root_triangles +[-0-9.,]+$
| coarse_triangles    0
|~ ^leaf_fill +[-0-9.,]+$
| stuck_groups        0
| position_precision  6
|~ ^bytes +[-0-9.,]+$
|~ ^bytes_per_triangle +[-0-9.,]+$
nanite info @OUT@/again.cnanite
| name                again
| file                @OUT@/again.cnanite
| source              sphere2.ply
| writer              cellscope
|~ ^bytes +[-0-9.,]+$
|~ ^bytes_per_triangle +[-0-9.,]+$
|~ ^input_triangles +[-0-9.,]+$
|~ ^input_vertices +[-0-9.,]+$
| degenerate          0
|~ ^triangles +[-0-9.,]+$
|~ ^vertices +[-0-9.,]+$
|~ ^references +[-0-9.,]+$
|~ ^levels +[-0-9.,]+$
|~ ^clusters +[-0-9.,]+$
|~ ^leaf_clusters +[-0-9.,]+$
|~ ^fill +[-0-9.,]+$
|~ ^groups +[-0-9.,]+$
|~ ^parts +[-0-9.,]+$
| nodes               1
| meshes              1
| depth               1
| pages               1
| root_pages          1
| dependencies        0
| most_dependencies   0
| lz4                 no
|~ ^disk_bytes +[-0-9.,]+$
|~ ^fixup_bytes +[-0-9.,]+$
|~ ^page_bytes +[-0-9.,]+$
|~ ^compression +[-0-9.,]+$
|~ ^gpu_bytes +[-0-9.,]+$
|~ ^root_gpu_bytes +[-0-9.,]+$
|~ ^utilisation +[-0-9.,]+$
| position_precision  6
| materials           1
| uvs                 0
| colors              no
| imposter            no
| coarse_triangles    0
|~ ^min +[-0-9.,]+$
|~ ^max +[-0-9.,]+$
|~ ^content_id  *[0-9a-f]{32}$

# the hard meshes: every one is sound
gen mesh flat --triangles 1000 -o @OUT@/flat.ply
nanite build @OUT@/flat.ply -o @OUT@/flat.cnanite --partitioner metis
nanite verify @OUT@/flat.cnanite --deep
| @OUT@/flat.cnanite: sound
gen mesh seams --triangles 1000 -o @OUT@/seams.obj
nanite build @OUT@/seams.obj -o @OUT@/seams.cnanite
nanite verify @OUT@/seams.cnanite --deep
| @OUT@/seams.cnanite: sound
gen mesh terrain --triangles 1000 -o @OUT@/terrain.ply
nanite build @OUT@/terrain.ply -o @OUT@/terrain.cnanite --uv-weight 0
nanite verify @OUT@/terrain.cnanite
|* */*.cnanite: A2: * of 144 *
|   the rule: no tile of the imposter atlas is empty
|   what it does: nothing; the mesh is thin or flat, so some directions do not show it
|   what to do: nothing is wrong; `atlas` shows the tiles
| @OUT@/terrain.cnanite: 1 finding
| random views and loading orders are checked only with --deep
gen mesh moebius --triangles 1000 -o @OUT@/moebius.ply
nanite build @OUT@/moebius.ply -o @OUT@/moebius.cnanite
nanite verify @OUT@/moebius.cnanite --deep
| @OUT@/moebius.cnanite: sound
gen mesh triangle -o @OUT@/triangle.obj
nanite build @OUT@/triangle.obj -o @OUT@/triangle.cnanite
nanite verify @OUT@/triangle.cnanite --deep
|* */*.cnanite: A2: * of 144 *
|   the rule: no tile of the imposter atlas is empty
|   what it does: nothing; the mesh is thin or flat, so some directions do not show it
|   what to do: nothing is wrong; `atlas` shows the tiles
| @OUT@/triangle.cnanite: 1 finding

# several meshes in one: a root each, sections by name, no imposter
nanite build @OUT@/sphere.obj @OUT@/seams.obj @OUT@/triangle.obj -o @OUT@/three.cnanite --percent-triangles 50 ~ coarse
| coarse_triangles    0
nanite verify @OUT@/three.cnanite --deep
| @OUT@/three.cnanite: sound
nanite info @OUT@/three.cnanite ~ source
| source              sphere.obj, seams.obj, triangle.obj
nanite info @OUT@/three.cnanite ~ meshes
| meshes              3
nanite info @OUT@/three.cnanite ~ imposter
| imposter            no
nanite export @OUT@/three.cnanite --mesh 0 --level 0 -o @OUT@/part.obj ~ triangles
| triangles  3072
nanite export @OUT@/three.cnanite --mesh 2 -o @OUT@/part.obj ~ triangles
| triangles  1
expect error E_MISSING: nanite export @OUT@/three.cnanite --mesh 3 -o @OUT@/part.obj
open @OUT@/three.cnanite
| three: 1 page, 65 clusters, 11 groups, 6 levels, 7951 triangles
sql SELECT meshes FROM resources
| meshes
|      3
sql SELECT mesh, max(clusters) > 0 AS has FROM groups GROUP BY mesh
| mesh  has
|    0    1
|    1    1
|    2    1
cut --error 0 --mesh 0 ~ triangles
| triangles  3072
cut --triangles 1 --mesh 2 ~ triangles
| triangles  1
expect error E_MISSING: cut --error 0 --mesh 3
# a list whose rows are in no such place names what they lack, not a column of SQL
expect error E_USAGE: clusters @ node 0:0
expect error E_USAGE: groups @ page 0
expect error E_USAGE: cut --resident --mesh 1
close three

# what is refused
expect error E_USAGE: gen mesh cube
expect error E_USAGE: nanite build @OUT@/sphere.obj
expect error E_USAGE: nanite build @OUT@/sphere.obj -o @OUT@/x.cnanite --precision 1.5
expect error E_USAGE: nanite build @OUT@/sphere.obj -o @OUT@/x.cnanite --precision 500
expect error E_USAGE: nanite build @OUT@/sphere.obj -o @OUT@/x.cnanite --percent-triangles 101
expect error E_NOFILE: nanite build @OUT@/nowhere.obj -o @OUT@/x.cnanite
expect error E_FEATURE: nanite build @OUT@/sphere.cdag -o @OUT@/x.cnanite
expect error E_USAGE: nanite export @OUT@/sphere.cnanite
expect error E_USAGE: nanite export @OUT@/sphere.cnanite --level 1 --error 2 -o @OUT@/x.obj
expect error E_MISSING: nanite export @OUT@/sphere.cnanite --level 99 -o @OUT@/x.obj
expect error E_MISSING: nanite export @OUT@/again.cnanite --coarse -o @OUT@/x.obj
# what can be mended is the name of the file, not the mesh
expect error E_FEATURE: nanite export @OUT@/sphere.cnanite -o @OUT@/x.stl
expect error E_FEATURE: gen mesh cube -o @OUT@/cube.stl
# options that choose a mesh need a file for it, and every file that was asked for is written
expect error E_USAGE: nanite export @OUT@/sphere.cnanite --cdag @OUT@/x.cdag --level 1
expect error E_USAGE: nanite export @OUT@/sphere.cnanite --cdag @OUT@/x.cdag --coarse
expect error E_USAGE: nanite export @OUT@/sphere.cnanite --cdag @OUT@/x.cdag --mesh 7
expect error E_USAGE: nanite export @OUT@/three.cnanite --coarse --mesh 1 -o @OUT@/x.obj
expect error E_USAGE: nanite export @OUT@/sphere.cnanite --cdag @OUT@/both.obj -o @OUT@/both.obj
nanite export @OUT@/sphere.cnanite --coarse -o @OUT@/x.obj --cdag @OUT@/coarse.cdag ~ file
| file       @OUT@/x.obj
expect error E_MAGIC: nanite info @OUT@/coarse.cdag
expect error E_MAGIC: nanite info @OUT@/sphere.obj
expect error E_MAGIC: nanite info @OUT@/sample.cworld
expect error E_WORLD: cook @OUT@/sphere.cnanite -o @OUT@/x.cworld

# why, explain and diff find out that pages, clusters and resources are meant
nanite build @OUT@/sphere.obj -o @OUT@/sphere_again.cnanite
open @OUT@/sphere.cnanite
open @OUT@/sphere_again.cnanite
explain sphere:0 ~ full
|~ ^page 0 is [0-9.]+ % full:
explain sphere:0:1 ~ level
|~ ^cluster sphere:0:1, level [0-9]+, error
|~ ^it stands for group [0-9]+:
why sphere:0 ~ page
| page sphere:0: a root page: always there, in no slot
diff sphere sphere_again -n 1
|~ ^[0-9]+ clusters and 1 page have the same geometry$
| what                 left  right  change
| clusters only there     0      0       0
# The options of listings hold for the clusters and pages of a cut, and -c for its record.
cut --error 0 --clusters -w "level > 0"
| name  level  triangles  vertices  references  error  group  maker  leaf
cut --error 0 --clusters -s -cluster -n 1 -c level
| level
|     0
cut --error 0 --pages -n 0 -c page
| page
expect error E_FEATURE: cut -o @OUT@/x.stl
# Names that nothing open has, and files of other kinds, are said to be that.
expect error E_MISSING: explain 0:99
expect error E_MISSING: why sphere:7
nanite export @OUT@/sphere.cnanite -o @OUT@/x.gltf
|...
expect error E_WORLD: open @OUT@/x.gltf
# However far away or coarse a view is, something is drawn.
cut --eye 1e300,0,0 ~ clusters
| clusters   1
cut --eye 1e9,0,0 --threshold 1e300 ~ clusters
| clusters   1
expect error E_USAGE: cut -c nosuch
cut --error 0 -w "triangles = 0" --json
| {"schema":"cellscope.mesh_cut/1","rows":[]}
cut --error 0 -c ? ~ /missing|^pages/
| pages      number of pages that the cut needs
| missing    number of these pages that are not loaded now
# Triangles that the build scale moves beyond what a mesh may contain are told as dropped.
gen mesh sphere --triangles 200 --seed 1 -o @OUT@/small.ply
|...
nanite build @OUT@/small.ply -o @OUT@/small.cnanite --scale 1.05e13

|...
| triangles           130
|...
| dropped             62
|...
# At least 0 triangles are those of the coarsest cut, as `cut` has it.
nanite export @OUT@/sphere.cnanite --triangles 0 -o @OUT@/x.obj
|...
| clusters   1
| triangles  126
|...
# One of a thing is one, and what is coarsest is replaced by nothing.
gen mesh triangle -o @OUT@/one.obj
|...
nanite build @OUT@/one.obj -o @OUT@/one.cnanite
|...
open @OUT@/one.cnanite
explain one:0
|...
| because it is the last, with the 1 cluster that remained
|...
explain one:0:0
| cluster one:0:0, level 0, error 0
| nothing coarser exists, so nothing replaces it
| level 0: nothing finer exists, so it is always a leaf
|~ ^1 triangle, 3 vertices \(references among them: 0\): [0-9]+ bytes when loaded$
|...
deps 0 ~ part
|~ ^page 0  root  .*  1 cluster  1 part of groups$
hierarchy
|~ ^one: 1 node, depth 1,
|...
diff one one -n 0
| 1 cluster and 1 page have the same geometry
|...
