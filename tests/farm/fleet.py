#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fleet of hosts over one cache, in which things go wrong: fleet.py RUNS [SEED]. TAP.

A run has two to four hosts, each a `farm run` in name spaces of its own where the kernel gives them
(another host name, another table of processes). Between and while they run a seed decides: a host
is stopped for a while or killed, its files may not grow beyond some bytes, entries lose their end or
have a bit turned, become empty, a link or a folder, get times of another clock; what is remembered of
files is spoilt; locks and folders of hosts that died lie about. Then `farm cache verify`
and one quiet run: every entry must have the bytes of a cache that one host filled alone, whatever
happened, and nothing may crash.

A seed gives the same faults. In which order hosts come to the cache is the machine's.
"""
import hashlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

PROGRAM = os.path.join(os.environ['CELLSCOPE_BUILD'], 'cellscope')
WORK = os.path.join(os.environ['CELLSCOPE_OUT'], 'fleet')
ENTER = ['unshare', '--pid', '--fork', '--kill-child', '--uts']
# In the cage of a step LeakSanitizer cannot read its list of what is no leak.
os.environ.pop('LSAN_OPTIONS', None)
os.environ['ASAN_OPTIONS'] = ':'.join(filter(None, [os.environ.get('ASAN_OPTIONS'), 'detect_leaks=0']))
WRONG = {134, 136, 139, -signal.SIGABRT, -signal.SIGFPE, -signal.SIGSEGV}


def cellscope(*words):
    return subprocess.run([PROGRAM, '-q', *words], cwd=WORK, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode


def entries(cache):
    """The bytes of each entry by its name; what a writer that was killed left is none."""
    found = {}
    for folder, _, names in os.walk(os.path.join(WORK, cache, 'objects')):
        for name in names:
            if '.tmp.' not in name:
                with open(os.path.join(folder, name), 'rb') as file:
                    found[name] = hashlib.sha256(file.read()).hexdigest()
    return found


def poison(chance, cache):
    """Spoils one thing of the cache."""
    paths = sorted(os.path.join(folder, name) for part in ('objects', '.')
                   for folder, _, names in os.walk(os.path.join(WORK, cache, part)) for name in names
                   if part == 'objects' or name == 'digests')
    path = chance.choice(paths) if paths else None
    way = chance.randrange(7)
    try:
        if way == 6 or not path:
            owner = os.path.join(WORK, cache, 'work', '%08x.%016x' % (chance.getrandbits(32),
                                                                     chance.getrandbits(64)))
            os.makedirs(owner, exist_ok=True)
            open(owner + '.lock', 'w').close()
            return
        size = os.path.getsize(path)
        if way == 0:
            os.truncate(path, chance.randrange(size + 1))
        elif way == 1 and size:
            with open(path, 'r+b') as file:
                at = chance.randrange(size)
                file.seek(at)
                byte = file.read(1)[0]
                file.seek(at)
                file.write(bytes([byte ^ 1 << chance.randrange(8)]))
        elif way == 2:
            os.truncate(path, 0)
        elif way == 3:
            os.unlink(path)
            os.symlink('/dev/zero', path)
        elif way == 4:
            os.unlink(path)
            os.mkdir(path)
        else:
            moment = time.time() + chance.choice([-1e8, -7200, 7200, 1e8])
            os.utime(path, (moment, moment))
    except OSError:
        pass  # another host took it away meanwhile, or it was spoilt before


def start(chance, cache, namespaces):
    words = [PROGRAM, '-q', 'farm', 'run', 'plan.jsonl', '--cache', cache]
    most = chance.choice([None, None, None, 0, 100, 5000, 40000])

    def limit():
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    return subprocess.Popen((ENTER if namespaces and chance.randrange(2) else []) + words, cwd=WORK,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit)


def one_run(seed, namespaces, want):
    """What was wrong, or nothing."""
    chance = random.Random(seed)
    cache = 'cache-%d' % seed
    hosts = []
    for _ in range(chance.randrange(2, 5)):
        hosts.append(start(chance, cache, namespaces))
        time.sleep(chance.random() * 0.05)
        for _ in range(chance.randrange(3)):
            poison(chance, cache)
        event, victim = chance.randrange(4), chance.choice(hosts)
        if event == 0:
            victim.kill()
        elif event == 1:
            victim.send_signal(signal.SIGSTOP)
            time.sleep(chance.random() * 0.1)
            victim.send_signal(signal.SIGCONT)
    try:
        statuses = [host.wait(timeout=120) for host in hosts]
    except subprocess.TimeoutExpired:
        for host in hosts:
            host.kill()
        return 'a host does not end'
    for _ in range(chance.randrange(4)):
        poison(chance, cache)
    # a hit reads the head of an entry alone: what lost a bit behind it is found when it is read
    cellscope('farm', 'cache', 'verify', '--cache', cache)
    quiet = cellscope('farm', 'run', 'plan.jsonl', '--cache', cache)
    if set(statuses) & WRONG:
        return 'a host crashed: %s' % statuses
    if quiet not in (0, 1):
        return 'the quiet run ended with %d' % quiet
    if cellscope('farm', 'cache', 'verify', '--cache', cache) != 0:
        return 'what is in the cache is damaged'
    if entries(cache) != want:
        return 'other bytes than those of one quiet host'
    shutil.rmtree(os.path.join(WORK, cache))
    return ''


def main():
    runs, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(os.path.join(WORK, 'game'))
    for i in (1, 2):
        cellscope('gen', 'city', '--actors', '60', '--seed', str(i), '-o', 'game/w%d.json' % i)
        cellscope('gen', 'mesh', 'sphere', '--triangles', '300', '--seed', str(i), '-o',
                  'game/m%d.ply' % i)
    cellscope('farm', 'plan', 'game', '-o', 'plan.jsonl', '--cache', 'planned')
    alone = cellscope('farm', 'run', 'plan.jsonl', '--cache', 'alone')
    want = entries('alone')
    good = alone in (0, 1) and len(want) == 8
    print('%s 1 - one quiet host makes %d results' % ('ok' if good else 'not ok', len(want)))
    namespaces = subprocess.run(ENTER + ['true'], stderr=subprocess.DEVNULL, check=False).returncode == 0
    wrong = []
    for number in range(seed, seed + runs):
        what = one_run(number, namespaces, want)
        if what:
            wrong.append('seed %d: %s' % (number, what))
    print('%s 2 - %d runs of a fleet%s come to its bytes' % (
        'not ok' if wrong else 'ok', runs, ' in name spaces' if namespaces else ''))
    for line in wrong:
        print('# ' + line)
    print('1..2')
    return not good or bool(wrong)


sys.exit(main())
