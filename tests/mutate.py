#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutations of the library: small faults put in by chance, and whether the tests notice.

    make mutate                          300 of all rooms
    MUTATIONS=50 SEED=7 ROOMS='cook stream' make mutate
    AGAIN=survivors.txt make mutate      only those that survived before, found again by their text

Each mutant changes one place of one line of lib/. It is compiled and linked into a shared library
that all tests use, with the invariants on and the looks at undefined behaviour that CI takes too: a
broken one ends the test. Allocations of the library go by way of functions that a test can put its
own before, as the linker does elsewhere. Which tests come to a line is measured once with gcov, of
every test of `make check` but LEFT_OUT; those that come to the mutant's line run, the quickest
first, until one fails; then once more with the mutant's file under AddressSanitizer, which tells
what is read behind an array and what is not given back. What no test notices is printed with its
place, and listed in survivors.txt of the work folder.

A mutant is chosen by the sum of its own text and the seed, so that a change elsewhere leaves the
others chosen as they were. Mutants that can't be noticed, for they give the same answers, are named
in tests/mutants.txt with the reason, each read by hand; they are not tried, and counted by
themselves. Status 1 when fewer than 90 % of those tried are caught, or the list names one that is
no more.

The work folder (MUTATE_WORK, kept for the next call) holds a copy of HEAD, a build of it, what its
tests come to, and the verdicts: a run that was broken off goes on where it was.
"""
import concurrent.futures
import hashlib
import json
import os
import pickle
import re
import resource
import shutil
import subprocess
import sys
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.environ.get('MUTATE_WORK', '/tmp/cellscope-mutate')
TREE = os.path.join(WORK, 'tree')
WORKERS = int(os.environ.get('WORKERS', os.cpu_count()))
LIBRARY = 'libcellscope_mutant.so'
GOAL = 90
SLOWEST = int(os.environ.get('SLOWEST', 900))  # seconds, while lines are counted, of a test of use

# What a sanitizer sees without a runtime of its own: it traps. Alignment is not promised by x86 code.
LOOKS = ('-fsanitize=undefined,float-cast-overflow -fno-sanitize=alignment '
         '-fsanitize-undefined-trap-on-error')
# What tests wrap by the linker, and what stands for it in all other tests.
WRAPPED = {'malloc': ('void *', 'size_t n', 'n'), 'calloc': ('void *', 'size_t n, size_t m', 'n, m'),
           'realloc': ('void *', 'void *p, size_t n', 'p, n'), 'free': ('void ', 'void *p', 'p'),
           'strdup': ('char *', 'const char *p', 'p'),
           'strndup': ('char *', 'const char *p, size_t n', 'p, n')}

# A mutant may hand any number to kill: it reaches the children of its process alone. Signals to all
# (-1) or to what stands behind an array would end the run, and whatever else there is.
KILL = r'''
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
int __real_kill(pid_t pid, int number);
int __wrap_kill(pid_t pid, int number)
{
	siginfo_t info;
	if (number != 0 && (pid <= 0 || waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0))
		abort();
	return __real_kill(pid, number);
}
'''

# What stands beside the question: it builds or reads the source, waits for a terminal, or looks at
# what the system does to the whole program, not to the library.
LEFT_OUT = {'house.sh', 'graph.sh', 'house_bites.sh', 'install.sh', 'static.sh', 'words/readme.sh',
            'words/examples.sh', 'screen/tui.sh', 'screen/pty', 'screen/tui_walk', 'front/fatal_ends',
            'faults/disk.sh', 'faults/process.sh', 'faults/short.sh'}

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
# more room changes nothing
ROOM = re.compile(r'^\t+(?!return)(?:static |const |struct )*\w+ \**[\w, ]*\w\['
                  r'|\b(?:[mc]alloc|realloc|CS_SCRATCH_ARRAY|CS_ARENA_ARRAY|cs_vec_reserve'
                  r'|cs_run_scratch)\(')
# which element has the size makes no difference
SIZE = re.compile(r'\bsizeof\([^()]*\)')
# what is only asked whether it changed may count either way
EPOCH = re.compile(r'\b(?:version|epoch)(?:\+\+| \+= )')
NUMBER = re.compile(r'(?<![\w.\'"])(\d+)(?![\w.\'"])')
CONDITION = re.compile(r'^(\t+(?:else )?(?:if|while) \()(.*)(\))( \{)?$')
# `a < b ? a : b`: where both are equal either is the answer
CHOICE = re.compile(r'([^?]+) \? ([^:?]+) : (.+)')
STATEMENT = re.compile(r'^\t+(?:[\w>.\[\]-]+\(.*\)|[\w>.\[\]*-]+ [|&+*/-]?= .*);$')


def only_chooses(code, begin, end):
    """Whether the relation at that place chooses the lesser or the greater of its two sides."""
    at = CHOICE.match(code[end:].strip())
    if not at:
        return False
    (right, one, other), left = at.groups(), code[:begin].rstrip()
    left = re.match(r'(?:.*(?:[(?:=,]|return|&&|\|\|) ?|\s*)(.*)$', left)
    wanted = left and (left[1] if right == one else right if left[1] == one else None)
    return bool(wanted) and re.match(re.escape(wanted) + r'(?:[;,)\]]| :|$)', other)


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
        if name in ('assign', 'step') and EPOCH.search(code):
            continue
        for at in re.finditer(pattern, code):
            begin, end = at.span(1)
            if name == 'relation' and only_chooses(code, begin, end):
                continue
            found.append((name, code[:begin] + swaps[at.group(1)] + code[end:]))
    sized = SIZE.sub(lambda at: '_' * len(at[0]), code)
    for at in NUMBER.finditer('' if ROOM.search(code) else sized):
        begin, end = at.span(1)
        found.append(('number', code[:begin] + str(int(at.group(1)) + 1) + code[end:]))
    at = CONDITION.match(code)
    if at:
        found.append(('negate', '%s!(%s)%s%s' % (at[1], at[2], at[3], at[4] or '')))
    if STATEMENT.match(code) and not code.lstrip().startswith(('return', 'free(', 'cs_error_free')):
        indent = code[:len(code) - len(code.lstrip())]
        found.append(('remove', indent + '; /* ' + code.strip() + ' */'))
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


def compile_wrapped():
    """The object through which the library allocates, where no test wraps that, and signals."""
    text = '#include <stddef.h>\n' + KILL
    for name, (ret, takes, gives) in WRAPPED.items():
        text += '%s__real_%s(%s);\n' % (ret, name, takes)
        text += '__attribute__((weak)) %s__wrap_%s(%s)\n{\n\t' % (ret, name, takes)
        text += '%s__real_%s(%s);\n}\n' % ('' if ret == 'void ' else 'return ', name, gives)
    source = os.path.join(WORK, 'wrapped.c')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(text)
    run(['cc', '-O1', '-fPIC', '-c', '-o', source[:-1] + 'o', source])


def link(folder, objects, *more):
    with open(os.path.join(TREE, 'lib/libcellscope.la'), encoding='utf-8') as file:
        libraries = re.search(r"^dependency_libs='(.*)'", file.read(), re.M)[1].split()
    run(['cc', '-shared', '-fopenmp', '-fuse-ld=lld', '-Wl,-soname,' + LIBRARY, '-o',
         shared(folder), *objects, os.path.join(WORK, 'wrapped.o'),
         *('-Wl,--wrap=' + name for name in [*WRAPPED, 'kill']),
         *(l for l in libraries if l.startswith('-')), *more])


def prepare():
    """A build of HEAD whose tests and programs use the library as a shared one, all of it seen."""
    flags = 'lib_libcellscope_la_CFLAGS=$(AM_CFLAGS) ' + LOOKS
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
         '--disable-shared', '--enable-invariants'])
    compile_wrapped()
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


def by_workers(work, items):
    """work(item, number of its worker) of each, as many at once as there are workers; in order."""
    free = list(range(WORKERS))

    def taken(item):
        worker = free.pop()
        try:
            return work(item, worker)
        finally:
            free.append(worker)

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        yield from pool.map(taken, items)


# ---- tests ----

def environment(folder):
    out = os.path.join(folder, 'out')
    data = os.environ.get('CELLSCOPE_DATA', os.path.join(SOURCE, '../shared/data'))
    return dict(os.environ, CELLSCOPE_SOURCE=TREE, CELLSCOPE_BUILD=TREE, CELLSCOPE_OUT=out,
                CELLSCOPE_DATA=data, CELLSCOPE_IMPORT=os.path.join(TREE, 'cellscope-import'),
                LD_LIBRARY_PATH=folder, LC_ALL='C', OMP_NUM_THREADS='1', FUZZ_RUNS='500',
                TMPDIR=folder)


def confine(seconds, looks):
    os.setsid()
    # of each process: other work on the machine must not make a test fail
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    if not looks:  # which reserves more than it takes
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30, 4 << 30))  # unit/ue/ue_abuse goes to 3 GiB
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(test, folder, seconds, **more):
    """Whether a test passes, none of its processes taking more than so many seconds of a processor."""
    path = os.path.join(TREE, test)
    command = [path]
    if test.endswith('.cmd'):
        command = ['sh', os.path.join(TREE, 'tests/run-cmd'), path]
    elif test.endswith('.sh'):
        command = ['sh', path]
    process = subprocess.Popen(command, cwd=TREE, env=dict(environment(folder), **more),
                               preexec_fn=lambda: confine(seconds, 'LD_PRELOAD' in more),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    try:
        output = process.communicate(timeout=6 * seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return False
    return process.returncode == 0 and b'\nnot ok' not in b'\n' + output


def looks_at_memory():
    """What is set where accesses of the mutated file and leaks are looked at, as CI does."""
    library = subprocess.run(['cc', '-print-file-name=libasan.so'], check=True, text=True,
                             stdout=subprocess.PIPE).stdout.strip()
    suppressions = os.path.join(TREE, 'tests/lsan.supp')
    return {'LD_PRELOAD': library, 'LSAN_OPTIONS': 'suppressions=' + suppressions,
            'ASAN_OPTIONS': 'allocator_may_return_null=1'}


def stands_looks(test, folder, seconds, known={}):
    """Whether the test passes under it without a mutation, and so can say something."""
    if test not in known:
        whole = dict(looks_at_memory(), LD_LIBRARY_PATH=os.path.join(WORK, 'first'))
        known[test] = passes(test, folder, 20 + 4 * int(seconds), **whole)
    return known[test]


def fresh_out(folder):
    shutil.rmtree(os.path.join(folder, 'out'), ignore_errors=True)
    shutil.copytree(os.path.join(TREE, 'tests/out'), os.path.join(folder, 'out'))


# ---- which tests come to a line ----

def all_tests():
    words = run("printf 'include Makefile\\nall-tests:\\n\\t@echo $(TESTS)\\n' | "
                "MAKEFLAGS= make -s -f - all-tests").split()
    return [w for w in dict.fromkeys(words) if w.removeprefix('tests/') not in LEFT_OUT]


def build_counting(commands):
    """The library once more, with counters; its objects, by the name of their file.

    Not optimised: what the compiler turns into no jump would count as never come to.
    """
    folder = os.path.join(WORK, 'counting')
    os.makedirs(folder, exist_ok=True)
    objects = [os.path.join(folder, name.replace('/', '-')[:-2] + '.o') for name in commands]

    def build(item):
        (name, (words, _)), target = item
        run([*words, '-O0', '--coverage', '-fprofile-update=single', '-c', '-o', target, name])

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(build, zip(commands.items(), objects)))
    link(folder, objects, '--coverage')
    return folder


def lines_of(counts):
    """Of each file, as bits: the lines that are code, and those that were come to."""
    notes = os.path.join(WORK, 'counting')
    data = []
    for folder, _, names in os.walk(counts):
        for name in names:
            if name.endswith('.gcda'):
                note = name[:-len('gcda')] + 'gcno'
                os.symlink(os.path.join(notes, note), os.path.join(folder, note))
                data.append(os.path.join(folder, name))
    found = {}
    if not data:
        return found
    text = subprocess.run(['gcov', '--json-format', '--stdout', *data], cwd=TREE, check=True,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    for document in filter(None, text.splitlines()):
        for file in json.loads(document)['files']:
            name = os.path.relpath(os.path.join(TREE, file['file']), TREE)
            code, come = found.get(name, (0, 0))
            for line in file['lines']:
                code |= 1 << line['line_number']
                come |= (line['count'] > 0) << line['line_number']
            found[name] = code, come
    return found


def measure(counting, worker, test):
    """(seconds of the test without a mutation, what it comes to), or None where it is of no use."""
    folder = os.path.join(WORK, 'measure%d' % worker)
    counts = os.path.join(folder, 'counts')
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.symlink(shared(counting), shared(folder))
    fresh_out(folder)
    began = time.time()
    if not passes(test, folder, SLOWEST, GCOV_PREFIX=counts):
        print('left out, for it fails or takes too long without one: %s' % test, flush=True)
        return None
    return time.time() - began, lines_of(counts)


def coverage(commands):
    """Of each test: its seconds and lines. Measured once for a build."""
    kept = os.path.join(WORK, 'coverage')
    if not os.path.exists(kept):
        folder, tests = build_counting(commands), all_tests()
        measured = dict(zip(tests, by_workers(
            lambda test, worker: measure(folder, worker, test), tests)))
        with open(kept, 'wb') as file:
            pickle.dump({t: m for t, m in measured.items() if m}, file)
    with open(kept, 'rb') as file:
        return pickle.load(file)


def tests_of(name, number, source, tests):
    """The tests that come to a line (from 1), quickest first.

    Those of the statement for a line that goes on from one above; those of the file for a table's.
    """
    code = 0
    for _, lines in tests.values():
        code |= lines.get(name, (0, 0))[0]
    at = number
    while at > 0 and not code >> at & 1 and not source[at - 1].startswith('}'):
        at -= 1
    is_code = at > 0 and not source[at - 1].startswith('}')  # else the end of the function above
    mask = 1 << at if is_code else ~0
    found = [(seconds, test) for test, (seconds, lines) in tests.items()
             if lines.get(name, (0, 0))[1] & mask]
    return [(test, seconds) for seconds, test in sorted(found)]


# ---- mutants ----

def make_mutant(site, folder, commands, objects, *flags):
    """Links the library with the mutant; false where it cannot be compiled."""
    path, number, _, new = site
    words, target = commands[os.path.relpath(path, TREE)]
    with open(path, encoding='utf-8') as file:
        lines = file.readlines()
    lines[number] = new + '\n'
    changed = os.path.join(folder, os.path.basename(path))
    with open(changed, 'w', encoding='utf-8') as file:
        file.writelines(lines)
    mutant = os.path.join(folder, 'mutant.o')
    try:
        run([*words, *flags, '-I' + os.path.dirname(path), '-c', '-o', mutant, changed])
        link(folder, [mutant if o == target else o for o in objects])
        return True
    except subprocess.CalledProcessError:
        return False
    finally:
        os.remove(changed)


def looked_at(site, source, folder, commands, objects, tests):
    """The test that fails with the mutant's file under AddressSanitizer, and not with the file as it was.

    What lies behind an array is often harmless, and what is not given back always.
    """
    looks = looks_at_memory()
    as_it_was = (*site[:3], source[site[1]].rstrip('\n'))
    make_mutant(site, folder, commands, objects, '-fsanitize=address')
    for test, seconds in tests:
        limit = 20 + 4 * int(seconds)
        if not stands_looks(test, folder, seconds) or passes(test, folder, limit, **looks):
            continue
        make_mutant(as_it_was, folder, commands, objects, '-fsanitize=address')
        if passes(test, folder, limit, **looks):
            return test
        make_mutant(site, folder, commands, objects, '-fsanitize=address')
    return None


def judge(site, worker, commands, objects, coming):
    """'caught by T', 'survived' (unseen: no test comes there) or None where it cannot be compiled."""
    path, number = site[:2]
    folder = os.path.join(WORK, 'worker%d' % worker)
    os.makedirs(folder, exist_ok=True)
    if not make_mutant(site, folder, commands, objects):
        return None
    with open(path, encoding='utf-8') as file:
        source = file.readlines()
    fresh_out(folder)
    tests = tests_of(os.path.relpath(path, TREE), number + 1, source, coming)
    for test, seconds in tests:
        if not passes(test, folder, 10 + 2 * int(seconds)):
            return 'caught by ' + test
    test = looked_at(site, source, folder, commands, objects, tests)
    if test:
        return 'caught by %s under AddressSanitizer' % test
    return 'survived' if tests else 'survived, unseen'


def told(site):
    path, number, operator, new = site
    return '%s:%d %s: %s' % (os.path.relpath(path, TREE), number + 1, operator, new.strip())


def key(line):
    """What of a told mutant stays when lines above it come and go."""
    return re.sub(r'^([^:]*):\d+', r'\1', line.strip())


def again(sites, path):
    """The sites that a list of survivors names; their lines may have moved since."""
    with open(path, encoding='utf-8') as file:
        names = {key(line) for line in file}
    return list({key(told(s)): s for s in sites if key(told(s)) in names}.values())


def shuffled(sites, seed):
    """All sites, in an order that for any two of them depends on the seed and their texts alone."""
    met, order, files = {}, [], {}
    for site in sites:
        path, number, operator, _ = site
        if path not in files:
            with open(path, encoding='utf-8') as file:
                files[path] = file.readlines()
        mutant = (path, number, operator, ';') if operator == 'remove' else site
        text = '|'.join((key(told(mutant)), files[path][number].strip()))
        met[text] = met.get(text, 0) + 1
        order.append((hashlib.sha256(f'{seed}|{text}|{met[text]}'.encode()).digest(), site))
    return [site for _, site in sorted(order)]


def explained():
    """The mutants that give the same answers: lines that are indented tell why."""
    with open(os.path.join(SOURCE, 'tests/mutants.txt'), encoding='utf-8') as file:
        return {line.strip() for line in file if line.strip() and line[0] not in '#\t'}


def judged():
    """What was said of a mutant before the last run was broken off, as told: of this build."""
    kept = os.path.join(WORK, 'verdicts')
    if not os.path.exists(kept):
        return {}
    with open(kept, encoding='utf-8') as file:
        return {site: verdict or None for verdict, site in
                (line.rstrip('\n').split('\t', 1) for line in file)}


def note(verdict, site):
    with open(os.path.join(WORK, 'verdicts'), 'a', encoding='utf-8') as file:
        file.write('%s\t%s\n' % (verdict or '', told(site)))


def main():
    prepare()
    commands = compile_commands()
    coming = coverage(commands)
    objects = [target for _, target in commands.values()]
    rooms = os.environ.get('ROOMS', '').split()
    sites = shuffled([s for s in candidates(rooms) if os.path.relpath(s[0], TREE) in commands],
                     os.environ.get('SEED', 1))
    want = int(os.environ.get('MUTATIONS', 300))
    if 'AGAIN' in os.environ:
        sites = again(sites, os.environ['AGAIN'])
        want = len(sites)
    print('%d places, %d mutants of them' % (len(sites), want), flush=True)
    known = explained()
    gone = [] if rooms or 'AGAIN' in os.environ else known - {key(told(s)) for s in sites}
    for line in sorted(gone):
        print('tests/mutants.txt names what is no more: %s' % line, flush=True)
    chosen, sites = sites[:want], sites[want:]
    same = [s for s in chosen if key(told(s)) in known]
    sites = [s for s in chosen + sites if key(told(s)) not in known]
    want -= len(same)
    sites.reverse()
    before = {} if 'AGAIN' in os.environ else judged()

    def verdict_on(site, worker):
        if told(site) not in before:
            return judge(site, worker, commands, objects, coming)
        return before[told(site)]

    caught, survivors = 0, []
    while caught + len(survivors) < want and sites:
        batch = [sites.pop() for _ in range(min(len(sites), want - caught - len(survivors)))]
        for site, verdict in zip(batch, by_workers(verdict_on, batch)):
            if told(site) not in before:
                note(verdict, site)
            if verdict:
                print('%-28s %s' % (verdict, told(site)), flush=True)
                caught += verdict.startswith('caught')
                survivors += [] if verdict.startswith('caught') else [site]
    with open(os.path.join(WORK, 'survivors.txt'), 'w', encoding='utf-8') as file:
        file.writelines(told(site) + '\n' for site in survivors)
    share = 100 * caught / max(1, caught + len(survivors))
    print('%d caught, %d survived: %.1f %%; %d more of the sample give the same answers'
          % (caught, len(survivors), share, len(same)))
    return share < GOAL or bool(gone)


if __name__ == '__main__':
    sys.exit(main())
