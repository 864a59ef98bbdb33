# SPDX-License-Identifier: Apache-2.0
# A static mesh that the engine cooked: what it is, whether it holds, and out into mesh files.
nanite info @OUT@/Ribbon/SM_Ribbon.uasset
| name                SM_Ribbon
| file                @OUT@/Ribbon/SM_Ribbon.uasset
| writer              UE 5.4
| bytes               4328
| bytes_per_triangle  22.5416667
| input_triangles     192
| input_vertices      147
| triangles           390
| vertices            360
| references          0.591666667
| levels              3
| clusters            7
| leaf_clusters       4
| fill                0.435267857
| groups              4
| parts               5
| nodes               2
| meshes              1
| depth               2
| pages               3
| root_pages          1
| dependencies        2
| most_dependencies   1
| lz4                 no
| disk_bytes          4328
| fixup_bytes         160
| page_bytes          4168
| compression         1
| gpu_bytes           3828
| root_gpu_bytes      2448
| utilisation         0.0129801432
| position_precision  4
| uvs                 1
| colors              yes
| imposter            no
| min                 0,0,-0.1875
| max                 48,2,0.1875
nanite verify @OUT@/Ribbon/SM_Ribbon.uasset
| SM_Ribbon: sound
| UE 5.4: all pages were read, and no byte of them is left over
verify @OUT@/Ribbon/SM_Ribbon.uasset
| @OUT@/Ribbon/SM_Ribbon.uasset: sound
| checked: 1 Nanite mesh
nanite export @OUT@/Ribbon/SM_Ribbon.uasset -o @OUT@/ribbon.obj
| file       @OUT@/ribbon.obj
| clusters   4
| triangles  192
| vertices   147
| error      0
nanite export @OUT@/Ribbon/SM_Ribbon.uasset --error 2 -o @OUT@/ribbon.glb
| file       @OUT@/ribbon.glb
| clusters   3
| triangles  146
| vertices   124
| error      2
nanite export @OUT@/Ribbon/SM_Ribbon.uasset --triangles 99 -o @OUT@/ribbon.ply
| file       @OUT@/ribbon.ply
| clusters   2
| triangles  100
| vertices   101
| error      3
nanite export @OUT@/Ribbon/SM_Ribbon.uasset --level 1 -o @OUT@/ribbon.ply
| file       @OUT@/ribbon.ply
| clusters   2
| triangles  100
| vertices   101
| error      3
expect error E_MISSING: nanite export @OUT@/Ribbon/SM_Ribbon.uasset --level 9 -o @OUT@/ribbon.ply
expect error E_FEATURE: nanite export @OUT@/Ribbon/SM_Ribbon.uasset --level 1 --mesh 7 -o @OUT@/ribbon.ply
expect error E_FEATURE: nanite export @OUT@/Ribbon/SM_Ribbon.uasset --cdag @OUT@/ribbon.cdag
expect error E_NOTOPEN: nanite export -o @OUT@/ribbon.glb
open @OUT@/Ribbon/SM_Ribbon.uasset
| SM_Ribbon: 3 pages, 7 clusters, 4 groups, 3 levels, 390 triangles
nanite export -o @OUT@/ribbon.glb
| file       @OUT@/ribbon.glb
| clusters   4
| triangles  192
| vertices   147
| error      0
# The table of resources has the same numbers as `nanite info`.
assert (SELECT round(utilisation, 7) FROM resources) = 0.0129801
assert (SELECT round("references", 5) FROM resources) = 0.59167
expect error E_MISSING: atlas
# Where the sections of a page are unknown, nothing is said of bytes that only align.
page 1 ~ loaded
| state             not loaded
| loaded it takes 444 of 131072 bytes, 0.3 %
verify
| SM_Ribbon: sound
| UE 5.4: all pages were read, and no byte of them is left over
# What was written is read again by foreign code: in metres, with y up.
nanite build @OUT@/ribbon.glb -o @OUT@/ribbon.cnanite
open @OUT@/ribbon.cnanite
resources -w "name = 'ribbon'" -c input_triangles,input_vertices,uvs,colors,min,max
| input_triangles  input_vertices  uvs  colors  min               max
|             192             147    1  yes     0,-0.001953125,0  0.48046875,0.001953125,0.0205078125
# As text it is the same mesh.
nanite export @OUT@/Ribbon/SM_Ribbon.uasset -o @OUT@/ribbon.gltf
| file       @OUT@/ribbon.gltf
| clusters   4
| triangles  192
| vertices   147
| error      0
nanite build @OUT@/ribbon.gltf -o @OUT@/ribbon_text.cnanite
open @OUT@/ribbon_text.cnanite
diff resources ribbon ribbon_text -w "change <> 0" --csv
| what,left,right,change
close
close
nanite export @OUT@/ribbon.cnanite -o @OUT@/ribbon-again.glb
| file       @OUT@/ribbon-again.glb
| clusters   2
| triangles  192
| vertices   147
| error      0.000717163086
expect error E_FEATURE: nanite export @OUT@/ribbon.cnanite -o @OUT@/ribbon.stl
