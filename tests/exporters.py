# SPDX-License-Identifier: Apache-2.0
"""Meshes that a real modelling program exports, held against what that program itself measures.

    blender -b --factory-startup --python tests/exporters.py        (`make nightly` runs this)

Blender makes each scene, exports it in each way, and measures its own triangles in world space. The
file is built into a Nanite resource, whose finest level is exported again: as OBJ, which is measured
here, and as GLB, which Blender imports. Number and area of triangles, the volume that they enclose
(its sign is their winding), the area of the UVs and the names of materials must be the same. Prints
TAP. CELLSCOPE is the program, ./cellscope unless given.
"""
import builtins
import math
import os
import subprocess
import sys
import tempfile

import numpy

for name in ('bool', 'object', 'float', 'int'):  # Blender's importer of glTF still uses these names
    if name not in numpy.__dict__:
        setattr(numpy, name, getattr(builtins, name))

import bpy
from mathutils import Matrix, Vector

PROGRAM = os.path.abspath(os.environ.get('CELLSCOPE', 'cellscope'))
work = tempfile.TemporaryDirectory()
tests = failed = 0


def ok(good, what):
    global tests, failed
    tests += 1
    failed += not good
    print(('ok' if good else 'not ok'), tests, '-', what)


# ---- scenes ----

def monkey(location=(0, 0, 0), rotation=(0, 0, 0), scale=(1, 1, 1)):
    bpy.ops.mesh.primitive_monkey_add(location=location, rotation=rotation)
    bpy.context.object.scale = scale
    return bpy.context.object


def link(thing):
    bpy.context.scene.collection.objects.link(thing)
    return thing


def transforms():
    monkey((1, 2, 3), (.3, .5, .7), (1, 2, .5))
    monkey((-4, 0, 1), (1, 0, 0), (-1, 1, 1))


def parents():
    holder = link(bpy.data.objects.new('Holder', None))
    holder.scale = (.5, .5, .5)
    bpy.ops.mesh.primitive_cube_add(rotation=(0, 0, .5))
    cube = bpy.context.object
    cube.scale = (2, 1, 1)
    cube.parent = holder
    child = monkey((3, 1, 0), (.2, .1, 0))
    child.parent = cube  # rotated in a stretched parent: the matrix has a shear
    child.matrix_parent_inverse = Matrix.Rotation(.3, 4, 'X')


def instances():
    first = monkey()
    second = link(bpy.data.objects.new('Second', first.data))
    second.location, second.rotation_euler, second.scale = (5, 0, 0), (0, 0, 1), (2, 2, 2)


def modifiers():
    monkey().modifiers.new('Subdivision', 'SUBSURF').levels = 1
    bpy.ops.mesh.primitive_cube_add(location=(4, 0, 0))
    bpy.context.object.modifiers.new('Array', 'ARRAY').count = 3
    bpy.context.object.modifiers.new('Bevel', 'BEVEL')


def polygons():
    def star(i):
        return (3 if i % 2 else 1)
    outlines = [[(0, 0, 0), (4, 0, 0), (4, 4, 0), (2, 1, 0), (0, 4, 0)],
                [(math.cos(i * math.pi / 8) * star(i), math.sin(i * math.pi / 8) * star(i), 5)
                 for i in range(16)]]
    mesh = bpy.data.meshes.new('Polygons')
    corners = [corner for outline in outlines for corner in outline]
    mesh.from_pydata(corners, [], [list(range(5)), list(range(5, 21))])
    link(bpy.data.objects.new('Polygons', mesh))
    bpy.ops.mesh.primitive_cylinder_add(vertices=32, location=(8, 0, 0))


def attributes():
    mesh = monkey().data
    mesh.uv_layers.new(name='Second')
    colors = mesh.color_attributes.new('Colors', 'BYTE_COLOR', 'CORNER')
    for i, value in enumerate(colors.data):
        value.color = (i % 7 / 7, i % 5 / 5, i % 3 / 3, 1)
    for name in ('Stone', 'Stahl \u00e4', 'Wood'):
        mesh.materials.append(bpy.data.materials.new(name))
    for i, polygon in enumerate(mesh.polygons):
        polygon.material_index, polygon.use_smooth = i % 3, i % 2 == 0


def sharp():
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3)
    mesh = bpy.context.object.data
    mesh.use_auto_smooth = True
    mesh.normals_split_custom_set([(0, 0, 1)] * len(mesh.loops))


SCENES = (transforms, parents, instances, modifiers, polygons, attributes, sharp)

# ---- ways to export ----

fbx, gltf, old_obj = bpy.ops.export_scene.fbx, bpy.ops.export_scene.gltf, bpy.ops.export_scene.obj
new_obj, ply, stl = bpy.ops.wm.obj_export, bpy.ops.export_mesh.ply, bpy.ops.export_mesh.stl
WAYS = (
    ('fbx', fbx, {}),
    ('fbx', fbx, {'apply_scale_options': 'FBX_SCALE_UNITS', 'mesh_smooth_type': 'FACE'}),
    ('fbx', fbx, {'apply_scale_options': 'FBX_SCALE_ALL', 'use_triangles': True}),
    ('fbx', fbx, {'axis_forward': 'X', 'axis_up': 'Z'}),
    ('fbx', fbx, {'axis_forward': 'Y', 'axis_up': 'X', 'use_tspace': True}),
    ('fbx', fbx, {'axis_forward': '-X', 'axis_up': '-Y'}),
    ('glb', gltf, {'export_format': 'GLB', 'export_apply': True}),
    ('gltf', gltf, {'export_format': 'GLTF_SEPARATE', 'export_apply': True, 'export_tangents': True}),
    ('gltf', gltf, {'export_format': 'GLTF_EMBEDDED', 'export_apply': True, 'export_yup': False}),
    ('obj', new_obj, {}),
    ('obj', new_obj, {'export_colors': True, 'export_smooth_groups': True, 'export_normals': False}),
    ('obj', old_obj, {'use_smooth_groups': True, 'group_by_material': True, 'use_blen_objects': False}),
    ('ply', ply, {'use_ascii': False}),
    ('ply', ply, {'use_ascii': True}),
    ('stl', stl, {}),
    ('stl', stl, {'ascii': True}),
)

# ---- measures ----


class Measure:
    """Sums over triangles; positions in the unit of the mesh."""

    def __init__(self):
        self.triangles = 0
        self.area = self.volume = self.uv_area = 0.
        self.materials = set()

    def add(self, corners, uvs):
        self.triangles += 1
        self.area += (corners[1] - corners[0]).cross(corners[2] - corners[0]).length / 2
        self.volume += corners[0].dot(corners[1].cross(corners[2])) / 6
        if uvs:
            self.uv_area += abs((uvs[1] - uvs[0]).cross(uvs[2] - uvs[0])) / 2

    def differences(self, want, scale, winding, has_uvs, has_materials):
        pairs = [('triangles', self.triangles, want.triangles),
                 ('area', self.area, want.area * scale ** 2)]
        if winding:
            pairs.append(('volume', self.volume, want.volume * scale ** 3))
        if has_uvs:
            pairs.append(('area of UVs', self.uv_area, want.uv_area))
        found = [f'{name} {got:.5g}, not {wanted:.5g}' for name, got, wanted in pairs
                 if abs(got - wanted) > .02 * abs(wanted) + 1e-6]
        if has_materials and want.materials and self.materials != want.materials:
            found.append(f'materials {sorted(self.materials)}')
        return found


def of_scene():
    measure = Measure()
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        if instance.object.type != 'MESH':
            continue
        mesh = instance.object.to_mesh()
        mesh.calc_loop_triangles()
        matrix = instance.matrix_world.copy()
        mirrored = matrix.determinant() < 0
        layer = mesh.uv_layers.active.data if mesh.uv_layers.active else None
        measure.materials |= {material.name for material in mesh.materials if material}
        for triangle in mesh.loop_triangles:
            corners = [matrix @ mesh.vertices[vertex].co for vertex in triangle.vertices]
            measure.add(corners[::-1] if mirrored else corners,
                        [layer[loop].uv.copy() for loop in triangle.loops] if layer else None)
        instance.object.to_mesh_clear()
    return measure


def of_obj(path):
    measure, positions, uvs = Measure(), [], []
    for line in open(path, encoding='utf-8'):
        word, *rest = line.split(maxsplit=1)
        if word == 'usemtl':
            measure.materials.add(rest[0].strip())
        elif word == 'v':
            positions.append(Vector([float(x) for x in rest[0].split()[:3]]))
        elif word == 'vt':
            uvs.append(Vector([float(x) for x in rest[0].split()[:2]]))
        elif word == 'f':
            corners = [corner.split('/') for corner in rest[0].split()]
            has_uvs = len(corners[0]) > 1 and corners[0][1]
            measure.add([positions[int(corner[0]) - 1] for corner in corners],
                        [uvs[int(corner[1]) - 1] for corner in corners] if has_uvs else None)
    return measure


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr.strip()


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def try_way(scene, ending, export, options):
    clear()
    scene()
    bpy.context.view_layer.update()
    want = of_scene()
    path, built = os.path.join(work.name, 'scene.' + ending), os.path.join(work.name, 'scene.cnanite')
    back = [os.path.join(work.name, 'back.' + kind) for kind in ('obj', 'glb')]
    export(filepath=path, **options)
    what = f'{scene.__name__}, {ending} {options or ""}'
    for arguments in (('nanite', 'build', path, '-o', built, '--no-imposter', '--precision', '8'),
                      ('nanite', 'export', built, '-o', back[0]),
                      ('nanite', 'export', built, '-o', back[1])):
        worked, message = run(*arguments)
        if not worked:
            return ok(False, f'{what}: {message}')
    scale = 100 if ending == 'fbx' else 1  # metres become centimetres
    # Blender leaves the winding of mirrored objects as it is in PLY, and writes no blanks in OBJ.
    flags = (ending != 'ply', ending != 'stl', ending not in ('ply', 'stl', 'obj'))
    found = of_obj(back[0]).differences(want, scale, *flags)
    ok(not found, f'{what}: {"; ".join(found)}')
    clear()
    bpy.ops.import_scene.gltf(filepath=back[1])
    bpy.context.view_layer.update()
    found = of_scene().differences(want, scale, *flags)
    return ok(not found, f'{what}, exported as GLB: {"; ".join(found)}')


for each in SCENES:
    for way in WAYS:
        try_way(each, *way)
print(f'1..{tests}')
sys.exit(1 if failed else 0)
