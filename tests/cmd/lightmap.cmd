# SPDX-License-Identifier: Apache-2.0
# A channel of UVs for lightmaps: of a mesh without UVs, of one whose charts are kept, replaced, and
# for several meshes; and what is refused.
gen mesh sphere --triangles 3000 --seed 7 -o @OUT@/ball.obj
|...
gen mesh seams --triangles 400 --seed 2 -o @OUT@/patches.ply
|...
nanite build @OUT@/ball.obj -o @OUT@/ball.cnanite --lightmap-uvs ~ lightmap_
| lightmap_channel     0
|~ ^lightmap_charts +[0-9]+$
| lightmap_resolution  64
|~ ^lightmap_used +0\.[0-9]+$
nanite info @OUT@/ball.cnanite ~ uvs
| uvs                 1
nanite verify @OUT@/ball.cnanite --deep
| @OUT@/ball.cnanite: sound
nanite build @OUT@/patches.ply -o @OUT@/patches.cnanite --lightmap-uvs --lightmap-resolution 128 --lightmap-padding 2 ~ lightmap_
| lightmap_channel     1
| lightmap_charts      24
| lightmap_resolution  128
|~ ^lightmap_used +0\.[0-9]+$
nanite info @OUT@/patches.cnanite ~ uvs
| uvs                 2
nanite verify @OUT@/patches.cnanite --deep
| @OUT@/patches.cnanite: sound
nanite build @OUT@/patches.ply -o @OUT@/replaced.cnanite --lightmap-uvs --lightmap-resolution 128 --lightmap-source 0 --lightmap-target 0 ~ lightmap_
| lightmap_channel     0
| lightmap_charts      24
| lightmap_resolution  128
|~ ^lightmap_used +0\.[0-9]+$
nanite info @OUT@/replaced.cnanite ~ uvs
| uvs                 1
# a channel that is not there becomes the one after the last
nanite build @OUT@/patches.ply -o @OUT@/next.cnanite --lightmap-uvs --lightmap-resolution 128 --lightmap-target 3 ~ lightmap_channel
| lightmap_channel     1
nanite build @OUT@/ball.obj @OUT@/patches.ply -o @OUT@/shared.cnanite --lightmap-uvs --lightmap-resolution 256 ~ lightmap_
| lightmap_channel     1
|~ ^lightmap_charts +[0-9]+$
| lightmap_resolution  256
|~ ^lightmap_used +0\.[0-9]+$
nanite info @OUT@/shared.cnanite ~ uvs
| uvs                 2
nanite verify @OUT@/shared.cnanite --deep
| @OUT@/shared.cnanite: sound
# the columns are there only when the UVs are
nanite build @OUT@/ball.obj -o @OUT@/plain.cnanite ~ lightmap_
expect error E_USAGE: nanite build @OUT@/ball.obj -o @OUT@/x.cnanite --lightmap-resolution 64
expect error E_USAGE: nanite build @OUT@/ball.obj -o @OUT@/x.cnanite --lightmap-target 1
expect error E_USAGE: nanite build @OUT@/ball.obj -o @OUT@/x.cnanite --lightmap-uvs --lightmap-resolution 0
expect error E_USAGE: nanite build @OUT@/ball.obj -o @OUT@/x.cnanite --lightmap-uvs --lightmap-padding 0
expect error E_USAGE: nanite build @OUT@/ball.obj -o @OUT@/x.cnanite --lightmap-uvs --lightmap-resolution 4097
expect error E_USAGE: nanite build @OUT@/ball.obj -o @OUT@/x.cnanite --lightmap-uvs --lightmap-padding 17
expect error E_SETTING: nanite build @OUT@/ball.obj -o @OUT@/x.cnanite --lightmap-uvs --lightmap-source 1
expect error E_USAGE: nanite build @OUT@/patches.ply -o @OUT@/x.cnanite --lightmap-uvs --lightmap-target 4
# A number that no channel can have is said as it was typed.
expect error E_USAGE: nanite build @OUT@/patches.ply -o @OUT@/x.cnanite --lightmap-uvs --lightmap-source 99999999999999
expect error E_SETTING: nanite build @OUT@/patches.ply -o @OUT@/x.cnanite --lightmap-uvs --lightmap-resolution 4
