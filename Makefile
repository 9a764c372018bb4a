# make build   the program, .build/release/tutti; installs missing packages first
# make test    set-up, format, builds, unit tests, examples, documentation, benchmark programs, real receivers, and everything
#              in make harden; with OTHER_SUITE=1 also build and unit tests on the other release of Debian
# make harden  a few seconds of every fuzz target, the engine's core under the thread sanitizer, hostile peers
# make quick   format, unit tests, one case of each kind with real receivers
# make demo    three speakers on this machine, music on all, a link that is cut, an edited queue; needs nothing else
# make lint | unit | interop    one step of make test
# make docs    the documentation of the modules with Apple's names, docs/site; a public symbol without a comment is an error
# make race    all unit tests of the playback engine under the thread sanitizer (10 minutes; make harden runs its core)
# make fresh   the README's two commands on a fresh Debian in namespaces (as root): SUITE=bookworm or trixie
# make bench   measures the figures of docs/benchmarks.md (as root; nothing else should run on the machine)
# make clean   removes all builds; the lab's cache stays

SHELL := /bin/bash
# Python with numpy: the first on the PATH that has it, else Debian's own.
PYTHON ?= $(shell for p in python3 /usr/bin/python3; do $$p -c 'import numpy' 2>/dev/null && { echo $$p; break; }; done)
export PYTHON

.PHONY: build test quick harden demo lint unit interop docs race fresh bench clean

build:
	scripts/setup.sh build
	scripts/release.sh

demo: build
	.build/release/tutti demo --folder .build/demo

test:
	scripts/check.sh setup lint release \
	  [ interop unit / debug examples docs benchmarks race fuzz ] hostile timing $(if $(OTHER_SUITE),fresh)

harden:
	scripts/check.sh setup release debug fuzz race hostile

quick:
	scripts/check.sh setup lint debug [ quick / unit ]

lint:
	scripts/check.sh lint

unit:
	scripts/check.sh setup debug unit

interop:
	scripts/check.sh setup release interop timing

docs:
	scripts/setup.sh build
	scripts/docs.sh

race:
	scripts/setup.sh build
	scripts/thread-sanitizer.sh

SUITE ?= trixie
fresh:
	scripts/setup.sh test
	scripts/fresh.sh $(SUITE)

bench: build
	scripts/setup.sh test
	scripts/release.sh SampleAppsRunner
	$(or $(PYTHON),python3) Benchmarks/bench.py $(BENCH)

clean:
	rm -rf .build docs/site Examples/.build Fuzz/.build Benchmarks/.build
