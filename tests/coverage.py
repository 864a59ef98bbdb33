#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `make check` runs of the library: lines and branches of each room, and whether the gates hold.

    make coverage                      the build is kept in coverage-build (COVERAGE_BUILD)
    COVERAGE_AGAIN=1 make coverage     judges what an earlier run has counted

It is a build of its own with gcov's counters, at -O0. Left out are tests that preload into the whole
process (gcov's own writing then fails), that build the program once more, that read the source, and
terminals. Allocations fail in it by the linker (faults/memory), which gcov gets over.
A child that a cage keeps from writing leaves no counts, so lib/import belongs to no gate. Lines that
say there is no memory are not counted: each allocation has one, and a sample of them fails.
"""
import collections
import glob
import json
import os
import shutil
import subprocess
import sys

BUILD = os.environ.get('COVERAGE_BUILD', 'coverage-build')
GATES = [('lib', 'lines', 96), ('lib', 'branches', 86), ('lib/format', 'lines', 100)]
LEFT_OUT = {'house.sh', 'graph.sh', 'house_bites.sh', 'install.sh', 'static.sh', 'words/readme.sh',
            'words/examples.sh', 'screen/tui.sh', 'screen/pty', 'screen/tui_walk', 'front/fatal_ends',
            'faults/process.sh', 'faults/short.sh', 'faults/overrun.sh'}
JOBS = '-j%d' % (os.cpu_count() or 1)


# This make is none of the outer one's: it has jobs of its own.
for name in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL'):
    os.environ.pop(name, None)


def run(*words, **options):
    return subprocess.run(words, check=True, text=True, **options)


def build():
    if not os.path.exists(os.path.join(BUILD, 'Makefile')):
        run('make', 'distdir', 'distdir=' + BUILD)
        run('./configure', '--disable-shared', '--enable-coverage', 'CFLAGS=-O0',
            *['%s=%s' % (name, os.environ[name]) for name in ('CC', 'LDFLAGS') if name in os.environ],
            cwd=BUILD)
    run('make', JOBS, 'all', cwd=BUILD)


def check():
    told = run('make', '-s', 'print-tests', cwd=BUILD, stdout=subprocess.PIPE).stdout
    tests = [test for test in told.split() if test.removeprefix('tests/') not in LEFT_OUT]
    with open(os.path.join(BUILD, 'check.log'), 'w') as log:
        subprocess.run(['make', '-k', JOBS, 'check-long', 'TESTS=' + ' '.join(tests)], cwd=BUILD, stdout=log,
                       stderr=log, check=False)
    with open(os.path.join(BUILD, 'check.log')) as log:
        lines = log.read().splitlines()
    for line in [line for line in lines if line.startswith(('FAIL:', 'ERROR:'))][:10]:
        print(line)
    counts = next((line for line in reversed(lines) if ' passed,' in line), 'the tests did not end')
    print(counts)
    return ' 0 failed' in counts


def count():
    """By room: lines there are, lines run, branches, branches taken; and lines not run by file."""
    run('gcovr', '-r', '.', '--filter', 'lib/', '--exclude-lines-by-pattern', '.*nomem.*',
        '--gcov-ignore-parse-errors', '--json', 'coverage.json', cwd=BUILD)
    with open(os.path.join(BUILD, 'coverage.json')) as file:
        files = json.load(file)['files']
    rooms, missed = collections.defaultdict(lambda: [0, 0, 0, 0]), {}
    for file in files:
        counted = [line for line in file['lines'] if not line.get('gcovr/noncode')]
        branches = [branch for line in counted for branch in line['branches']]
        figures = [len(counted), sum(line['count'] > 0 for line in counted), len(branches),
                   sum(branch['count'] > 0 for branch in branches)]
        missed[file['file']] = [line['line_number'] for line in counted if line['count'] == 0]
        for room in {'lib', os.path.dirname(file['file'])}:
            if room != 'lib' or not file['file'].startswith('lib/import/'):
                rooms[room] = [a + b for a, b in zip(rooms[room], figures)]
    return rooms, missed


def percent(part, whole):
    return 100 * part / whole if whole else 100


def main():
    if not shutil.which('gcovr'):
        print('the package gcovr is needed')
        return True
    failed = False
    if not os.environ.get('COVERAGE_AGAIN'):
        build()
        for path in glob.glob(os.path.join(BUILD, '**', '*.gcda'), recursive=True):
            os.remove(path)
        failed = not check()
    rooms, missed = count()
    print('| room | lines | run, % | branches | taken, % |\n|---|---|---|---|---|')
    for room, (lines, ran, branches, taken) in sorted(rooms.items()):
        print('| %s | %d | %.1f | %d | %.1f |' % (room, lines, percent(ran, lines), branches,
                                                percent(taken, branches)))
    for room, kind, least in GATES:
        lines, ran, branches, taken = rooms[room]
        figure = percent(ran, lines) if kind == 'lines' else percent(taken, branches)
        failed |= figure < least
        print('%s of %s: %.2f %%, %s %d' % (kind, room, figure,
                                           'below the' if figure < least else 'gate', least))
        for path in sorted(missed) if least == 100 else []:
            if os.path.dirname(path) == room and missed[path]:
                print('  %s: never run: %s' % (path, ' '.join(map(str, missed[path]))))
    return failed


sys.exit(main())
