#!/usr/bin/env python3
"""Serves a model with llama.cpp's own server, for tests: llama_server.py MODEL PORT SLOTS

Listens on 127.0.0.1 only; port 0 is any free one. Prints its address, and nothing else, on standard
output once the server says that it is well. Goes on until standard input ends or whoever started it
is gone, so that a test that dies leaves no server behind; start it with a pipe as its input.

One thread, because tests share their cores with what they test. SLOTS is how many answers it gives at
once: two let one of them be one that nobody waits for any more, four are what the server has when
nobody says otherwise, all of them in one memory. Needs the Python package xllamacpp.
"""

import os
import select
import sys
import time
import urllib.request

import xllamacpp

LONGEST_START_S = 60
STOCK_SLOTS = 4
# How often it looks whether whoever started it is still there.
LOOK_EVERY_S = 0.5
# The server's own measure of how much it tells: what failed.
ERRORS_ONLY = 1


def main(model, port, slots):
    parent = os.getppid()
    if not os.path.isfile(model):
        sys.exit(f"llama_server.py: there is no model {model}; run .ci/llama again")

    params = xllamacpp.CommonParams()
    params.model.path = model
    # The model's name in answers; a path would tell where the test ran.
    params.model_alias = {os.path.basename(model).removesuffix(".gguf")}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_parallel = slots
    params.kv_unified = slots == STOCK_SLOTS
    # As much as the model was made for.
    params.n_ctx = 0
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.verbosity = ERRORS_ONLY
    try:
        server = xllamacpp.Server(params)
    except Exception as why:
        sys.exit(f"llama_server.py: {model} cannot be served: {why}")

    wait_until_well(server.listening_address)
    print(server.listening_address, flush=True)
    wait_until_unwanted(parent)
    # The server's threads may be in the middle of an answer; nobody waits for it.
    os._exit(0)


def wait_until_well(address):
    """Asks until the model is loaded. A proxy has no business between here and here."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    give_up_at = time.monotonic() + LONGEST_START_S
    while True:
        try:
            with direct.open(f"{address}/health", timeout=5):
                return
        except OSError as why:
            if time.monotonic() > give_up_at:
                sys.exit(f"llama_server.py: the server does not get well: {why}")
            time.sleep(0.05)


def wait_until_unwanted(parent):
    while os.getppid() == parent:
        readable, _, _ = select.select([sys.stdin], [], [], LOOK_EVERY_S)
        if readable and not os.read(sys.stdin.fileno(), 4096):
            return


if __name__ == "__main__":
    if len(sys.argv) != 4 or not all(it.isdecimal() for it in sys.argv[2:]):
        sys.exit("usage: llama_server.py MODEL PORT SLOTS")
    main(sys.argv[1], *map(int, sys.argv[2:]))
