#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cache_server.py FOLDER: a cache as bazel-remote serves it by HTTP, for http_cache.sh.

Its port goes to FOLDER/port, what it is asked to FOLDER/log. A blob of /cas must have the SHA-256 of
its name; a result of /ac must be an ActionResult whose files are in /cas, and comes back with a field
more, as that server adds who made it. While FOLDER/broken is there nothing succeeds. It ends by itself after two minutes.
"""
import hashlib
import http.server
import os
import sys
import threading

FOLDER = sys.argv[1]


def fields(message):
    """(number, value) of each field of a protocol buffer: bytes or a number."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        tag = number()
        value = number()
        if tag & 7 == 2:
            at += value
            value = message[at - value:at]
        yield tag >> 3, value


def is_result(message):
    for number, file in fields(message):
        if number == 2:
            file = dict(fields(file))
            digest = dict(fields(file[2]))
            path = os.path.join(FOLDER, 'cas', digest[1].decode())
            if not file[1] or os.path.getsize(path) != digest[2]:
                return False
    return True


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True
    wbufsize = -1  # an answer is one write

    def path_of(self):
        kind, _, name = self.path.strip('/').partition('/')
        good = kind in ('ac', 'cas') and len(name) == 64 and not set(name) - set('0123456789abcdef')
        return (kind, os.path.join(FOLDER, kind, name)) if good else (None, None)

    def answer(self, status, body=b''):
        self.send_response(status)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        kind, path = self.path_of()
        if os.path.exists(os.path.join(FOLDER, 'broken')):
            self.answer(500)
        elif not kind:
            self.answer(400)
        elif not os.path.exists(path):
            self.answer(404, b'not found')
        else:
            with open(path, 'rb') as file:
                body = file.read()
            self.answer(200, b'\x4a\x06\x0a\x04host' + body if kind == 'ac' else body)

    def do_PUT(self):
        kind, path = self.path_of()
        body = self.rfile.read(int(self.headers['Content-Length']))
        good = kind == 'cas' and hashlib.sha256(body).hexdigest() == os.path.basename(path)
        good = good or kind == 'ac' and is_result(body)
        if not good or os.path.exists(os.path.join(FOLDER, 'broken')):
            self.answer(400, b'no')
            return
        with open(path, 'wb') as file:
            file.write(body)
        self.answer(200)

    def log_message(self, format, *arguments):
        with open(os.path.join(FOLDER, 'log'), 'a') as log:
            print(format % arguments, file=log)


for kind in ('ac', 'cas'):
    os.makedirs(os.path.join(FOLDER, kind))
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
threading.Timer(120, server.shutdown).start()
with open(os.path.join(FOLDER, 'port.new'), 'w') as file:
    print(server.server_address[1], file=file)
os.rename(os.path.join(FOLDER, 'port.new'), os.path.join(FOLDER, 'port'))
server.serve_forever()
