#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutations of the library: small faults put in by chance, and whether the tests notice.

    make mutate                          300 of all rooms
    MUTATIONS=50 SEED=7 ROOMS='cook stream' make mutate

Each mutant changes one place of one line of lib/. It is compiled, linked into a shared library that
all tests use, and the tests of its room run until one fails. What no test notices is printed with
its place, and listed in survivors.txt of the work folder. Status 1 when fewer than 90 % are caught.

The work folder (MUTATE_WORK, kept for the next call) holds a copy of HEAD and a build of it.
"""
import concurrent.futures
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.environ.get('MUTATE_WORK', '/tmp/cellscope-mutate')
TREE = os.path.join(WORK, 'tree')
WORKERS = int(os.environ.get('WORKERS', os.cpu_count()))
LIBRARY = 'libcellscope_mutant.so'
GOAL = 90
SLOWEST = int(os.environ.get('SLOWEST', 60))  # seconds that a test may take to be of use here

# What the tests of a room are, quickest first; those of COMMON run after them.
COOK = ['unit/cook', 'unit/cook_phases', 'unit/cook_rules', 'unit/hlod', 'unit/placement', 'unit/placement_twin',
        'unit/explain', 'unit/sub_partitions', 'cmd/answers.cmd', 'cmd/places.cmd',
        'cmd/whatif.cmd']
STREAM = ['unit/cited_rules', 'unit/stream_rules', 'unit/stream_layers', 'unit/stream_levels', 'unit/stream_parts',
          'unit/stream_time', 'unit/stream_walk_grid', 'unit/stream_walk_set', 'cmd/run.cmd',
          'cmd/sources.cmd', 'cmd/console.cmd']
NANITE = ['unit/nanite_codec', 'unit/nanite_encode', 'unit/nanite_damage', 'unit/nanite_rules',
          'unit/nanite_resource', 'unit/nanite_model', 'unit/nanite_promises',
          'unit/nanite_closed', 'cmd/nanite.cmd', 'front/nanite.sh']
CLUSTER = ['unit/nanite_build', 'unit/nanite_check', 'unit/mesh', 'unit/nanite_closed',
           'unit/nanite_promises', 'unit/nanite_model']
UE = ['unit/ue_project', 'unit/ue_descriptor', 'unit/ue_defaults', 'unit/ue_hostile',
      'unit/ue_rows', 'unit/ue_window', 'unit/ue_report', 'unit/cell_identity', 'unit/ue_oracle',
      'cmd/project.cmd', 'cmd/engine.cmd']
ROOMS = {
    'base': ['unit/base', 'unit/errors', 'unit/verbs'],
    'file': ['unit/file', 'unit/verbs', 'fuzz/cworld', 'cmd/world.cmd'],
    'world': ['unit/world', 'fuzz/json_world', *COOK],
    'mesh': ['unit/mesh', 'unit/mesh_files', *CLUSTER],
    'import': ['unit/mesh_files', 'front/import.sh'],
    'cluster': CLUSTER, 'nanite': NANITE,
    'nanite/paging': ['unit/nanite_paging', 'cmd/paging.cmd'],
    'nanite/inspect': ['cmd/nanite_view.cmd', 'unit/ue_nanite', 'cmd/meshes.cmd', *NANITE],
    'nanite/picture': ['cmd/nanite_view.cmd', 'front/nanite.sh'],
    'ue': UE, 'ue/log': ['unit/ue_log', 'front/logs.sh', 'fuzz/ue_log'],
    'ue/cooked': ['unit/ue_engine', 'unit/ue_check', 'unit/ue_containers', 'unit/ue_cooked',
                  'unit/ue_recipes', 'unit/ue_nanite', 'unit/ue_abuse',
                  'cmd/cooked.cmd', 'cmd/meshes.cmd'],
    'make': ['unit/cook', 'unit/ue_rows', 'unit/mesh', 'unit/nanite_meshes', 'cmd/world.cmd'],
    'cook': COOK, 'compare': ['unit/compare', 'front/logs.sh'],
    'stream': STREAM, 'farm': ['unit/farm', 'front/farm.sh'],
    'report': ['front/report.sh', 'cmd/views.cmd'], 'rules': ['front/rules.sh'],
    'query': ['unit/query', 'unit/text_functions', 'unit/map', 'cmd/world.cmd', 'cmd/places.cmd',
              'cmd/run.cmd', 'unit/csv_profile', 'cmd/map_view.cmd'],
    'debug': ['cmd/run.cmd', 'cmd/recorded.cmd', 'unit/stream_time'],
}
COMMON = ['cmd/answers.cmd', 'cmd/places.cmd', 'cmd/world.cmd', 'cmd/run.cmd', 'cmd/nanite.cmd',
          'cmd/views.cmd', 'cmd/tasks.cmd', 'cmd/project.cmd', 'unit/verbs', 'unit/two_sessions']

# ---- what chance may do: (name, what is found, what takes its place) ----

OPERATORS = [
    ('relation', r' (<|<=|>|>=) ', {'<': '<=', '<=': '<', '>': '>=', '>=': '>'}),
    ('equality', r' (==|!=) ', {'==': '!=', '!=': '=='}),
    ('logic', r' (&&|\|\|) ', {'&&': '||', '||': '&&'}),
    ('sum', r'(?<=[\w)\]]) (\+|-) (?=[\w(])', {'+': '-', '-': '+'}),
    ('product', r'(?<=[\w)\]]) (\*|/) (?=[\w(])', {'*': '/', '/': '*'}),
    ('assign', r' (\+=|-=) ', {'+=': '-=', '-=': '+='}),
    ('bits', r' (\||&|<<|>>) ', {'|': '&', '&': '|', '<<': '>>', '>>': '<<'}),
    ('truth', r'\b(true|false)\b', {'true': 'false', 'false': 'true'}),
    ('step', r'(\+\+|--)', {'++': '--', '--': '++'}),
]
NUMBER = re.compile(r'(?<![\w.\'"])(\d+)(?![\w.\'"])')
CONDITION = re.compile(r'^(\t+(?:else )?(?:if|while) \()(.*)(\))( \{)?$')
STATEMENT = re.compile(r'^\t+(?:[\w>.\[\]-]+\(.*\)|[\w>.\[\]*-]+ [|&+*/-]?= .*);$')


def sites_of(line):
    """Every mutation of a line, as (operator, new line)."""
    bare = line.rstrip('\n')
    if not bare.startswith('\t') or bare.lstrip().startswith(('/*', '*', '#', '"', 'return cs_error')):
        return []
    code = bare.split('/*')[0].rstrip()
    if '"' in code:
        return []
    found = []
    for name, pattern, swaps in OPERATORS:
        for at in re.finditer(pattern, code):
            begin, end = at.span(1)
            found.append((name, code[:begin] + swaps[at.group(1)] + code[end:]))
    for at in NUMBER.finditer(code):
        begin, end = at.span(1)
        found.append(('number', code[:begin] + str(int(at.group(1)) + 1) + code[end:]))
    at = CONDITION.match(code)
    if at:
        found.append(('negate', '%s!(%s)%s%s' % (at[1], at[2], at[3], at[4] or '')))
    if STATEMENT.match(code) and not code.lstrip().startswith(('return', 'free(', 'cs_error_free')):
        indent = code[:len(code) - len(code.lstrip())]
        found.append(('remove', indent + ';'))
    return found


def candidates(rooms):
    """(path, line number, operator, new line) of every place where chance may fall."""
    found = []
    for folder, _, names in sorted(os.walk(os.path.join(TREE, 'lib'))):
        room = os.path.relpath(folder, os.path.join(TREE, 'lib'))
        if room == 'import' or (rooms and not any(
                room == r or room.startswith(r + '/') for r in rooms)):
            continue
        for name in sorted(n for n in names if n.endswith('.c')):
            path = os.path.join(folder, name)
            with open(path, encoding='utf-8') as file:
                for number, line in enumerate(file):
                    found += [(path, number, name, new) for name, new in sites_of(line)]
    return found


# ---- the build ----

def run(command, **more):
    return subprocess.run(command, shell=isinstance(command, str), cwd=TREE, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more).stdout


def shared(folder):
    return os.path.join(folder, LIBRARY)


def link(folder, objects):
    with open(os.path.join(TREE, 'lib/libcellscope.la'), encoding='utf-8') as file:
        libraries = re.search(r"^dependency_libs='(.*)'", file.read(), re.M)[1].split()
    run(['cc', '-shared', '-fopenmp', '-fuse-ld=lld', '-Wl,-soname,' + LIBRARY, '-o',
         shared(folder), *objects,
         *(l for l in libraries if l.startswith('-'))])


def prepare():
    """A build of HEAD whose tests and programs use the library as a shared one, all of it seen."""
    flags = "lib_libcellscope_la_CFLAGS=$(AM_CFLAGS)"
    head = subprocess.run(['git', 'rev-parse', 'HEAD'], cwd=SOURCE, check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    stamp = os.path.join(WORK, 'stamp')
    if os.path.exists(stamp) and open(stamp, encoding='utf-8').read() == head:
        return
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(TREE)
    run('git -C "%s" archive HEAD | tar x' % SOURCE)
    compiler = 'ccache gcc' if shutil.which('ccache') else 'gcc'
    run(['./bootstrap', 'CC=' + compiler, 'CFLAGS=-O1 -g0 -fPIC -w', 'LDFLAGS=-fuse-ld=lld',
         '--disable-shared'])
    jobs = '-j%d' % WORKERS
    run(['make', jobs, flags])
    commands = run(['make', '-n', '-B', 'V=1', flags, 'lib/libcellscope.la'])
    with open(os.path.join(WORK, 'commands'), 'w', encoding='utf-8') as file:
        file.write(commands)
    archive = os.path.join(TREE, 'lib/.libs/libcellscope.a')
    objects = [o for o in run(['find', 'lib', '-name', 'libcellscope_la-*.o']).split()]
    first = os.path.join(WORK, 'first')
    os.makedirs(first)
    link(first, objects)
    os.remove(archive)
    with open(archive, 'w', encoding='utf-8') as file:
        file.write('INPUT(%s)\n' % shared(first))
    for program in ('cellscope', 'cellscope-import'):
        os.remove(os.path.join(TREE, program))
    found = dict(os.environ, LD_LIBRARY_PATH=first)  # the manual is made by the program
    run(['make', jobs, flags, 'all'], env=found)
    run(['make', jobs, flags, 'check', 'TESTS='], env=found)
    with open(stamp, 'w', encoding='utf-8') as file:
        file.write(head)


def compile_commands():
    """Of each file of the library: the words that compile it, without libtool and dependencies."""
    commands = {}
    text = open(os.path.join(WORK, 'commands'), encoding='utf-8').read().replace('\\\n', ' ')
    for line in re.split(r'\n|;|&&', text):
        at = re.search(r'--mode=compile (.*) -c -o (\S+\.lo) .*?(lib/\S+\.c)', line)
        if at:
            words = re.sub(r' -MT \S+| -MD| -MP| -MF \S+', '', at[1]).replace('\\"', '"').split()
            commands[at[3]] = [w.replace("'", '') for w in words], at[2][:-3] + '.o'
    return commands


# ---- tests ----

def environment(folder):
    out = os.path.join(folder, 'out')
    data = os.environ.get('CELLSCOPE_DATA', os.path.join(SOURCE, '../shared/data'))
    return dict(os.environ, CELLSCOPE_SOURCE=TREE, CELLSCOPE_BUILD=TREE, CELLSCOPE_OUT=out,
                CELLSCOPE_DATA=data, CELLSCOPE_IMPORT=os.path.join(TREE, 'cellscope-import'),
                LD_LIBRARY_PATH=folder, LC_ALL='C', OMP_NUM_THREADS='1', FUZZ_RUNS='500',
                TMPDIR=folder)


def confine():
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(test, folder, seconds):
    path = os.path.join(TREE, 'tests', test)
    command = [path]
    if test.endswith('.cmd'):
        command = ['sh', os.path.join(TREE, 'tests/run-cmd'), path]
    elif test.endswith('.sh'):
        command = ['sh', path]
    process = subprocess.Popen(command, cwd=TREE, env=environment(folder), preexec_fn=confine,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    try:
        output = process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return False
    return process.returncode == 0 and b'\nnot ok' not in b'\n' + output


def fresh_out(folder):
    shutil.rmtree(os.path.join(folder, 'out'), ignore_errors=True)
    shutil.copytree(os.path.join(TREE, 'tests/out'), os.path.join(folder, 'out'))


def tests_of(path):
    room = os.path.dirname(os.path.relpath(path, os.path.join(TREE, 'lib')))
    while room not in ROOMS and '/' in room:
        room = os.path.dirname(room)
    return dict.fromkeys([*ROOMS.get(room, []), *COMMON])


class Baseline:
    """The seconds that tests take without a mutation, which are measured when first asked for."""

    def __init__(self):
        self.seconds = {}
        self.lock = threading.Lock()

    def of(self, test):
        with self.lock:
            if test not in self.seconds:
                self.seconds[test] = self.measure(test)
            return self.seconds[test]

    @staticmethod
    def measure(test):
        folder = os.path.join(WORK, 'first')
        fresh_out(folder)
        began = time.time()
        if os.path.exists(os.path.join(TREE, 'tests', test)) and passes(test, folder, SLOWEST):
            return time.time() - began
        print('left out, for it fails or takes too long without one: %s' % test, flush=True)
        return None


# ---- mutants ----

def judge(site, worker, commands, objects, baseline):
    """'caught by T', 'survived' or None where it cannot be compiled."""
    path, number, _, new = site
    folder = os.path.join(WORK, 'worker%d' % worker)
    os.makedirs(folder, exist_ok=True)
    name = os.path.relpath(path, TREE)
    words, target = commands[name]
    with open(path, encoding='utf-8') as file:
        lines = file.readlines()
    lines[number] = new + '\n'
    changed = os.path.join(folder, os.path.basename(path))
    with open(changed, 'w', encoding='utf-8') as file:
        file.writelines(lines)
    mutant = os.path.join(folder, 'mutant.o')
    try:
        run([*words, '-I' + os.path.dirname(path), '-c', '-o', mutant, changed])
        link(folder, [mutant if o == target else o for o in objects])
    except subprocess.CalledProcessError:
        return None
    finally:
        os.remove(changed)
    fresh_out(folder)
    for test in tests_of(path):
        seconds = baseline.of(test)
        if seconds is not None and not passes(test, folder, 10 + 5 * seconds):
            return 'caught by ' + test
    return 'survived'


def tell(site, verdict):
    path, number, operator, new = site
    print('%-28s %s:%d %s: %s' % (verdict, os.path.relpath(path, TREE), number + 1, operator,
                                  new.strip()), flush=True)


def main():
    prepare()
    baseline = Baseline()
    commands = compile_commands()
    objects = [target for _, target in commands.values()]
    chance = random.Random(int(os.environ.get('SEED', 1)))
    sites = [s for s in candidates(os.environ.get('ROOMS', '').split())
             if os.path.relpath(s[0], TREE) in commands]
    chance.shuffle(sites)
    want = int(os.environ.get('MUTATIONS', 300))
    print('%d places, %d mutants of them' % (len(sites), want), flush=True)
    free = list(range(WORKERS))

    def work(site):
        worker = free.pop()
        try:
            return judge(site, worker, commands, objects, baseline)
        finally:
            free.append(worker)

    caught, survivors = 0, []
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        while caught + len(survivors) < want and sites:
            batch = [sites.pop() for _ in range(min(WORKERS * 4, len(sites),
                                                    want - caught - len(survivors)))]
            for site, verdict in zip(batch, pool.map(work, batch)):
                if verdict:
                    tell(site, verdict)
                    caught += verdict != 'survived'
                    survivors += [site] if verdict == 'survived' else []
    with open(os.path.join(WORK, 'survivors.txt'), 'w', encoding='utf-8') as file:
        for path, number, operator, new in survivors:
            file.write('%s:%d %s: %s\n' % (os.path.relpath(path, TREE), number + 1, operator,
                                           new.strip()))
    share = 100 * caught / max(1, caught + len(survivors))
    print('%d caught, %d survived: %.1f %%' % (caught, len(survivors), share))
    return share < GOAL


if __name__ == '__main__':
    sys.exit(main())
