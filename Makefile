# make build   the program, .build/release/tutti; installs missing packages first
# make deb     Debian packages for this machine's release, in .build/deb
# make tarball an archive of the program for other distributions, with a list of the libraries that it needs
# make dist    the source archive, .build/dist/tutti-VERSION.tar.xz, which builds without git
# make image   a container image of the service, with podman, docker or buildah
# make packages  the packages and archives, tested on fresh Debian machines in namespaces (as root); with OTHER_SUITE=1 on
#              both releases
# make test    set-up, format, builds, unit tests, examples, documentation, benchmark programs, real receivers, and everything
#              in make harden; with OTHER_SUITE=1 also a build, and the tests that depend on it, on the other release of Debian,
#              unless less than 20 minutes of TUTTI_SECONDS are left
# make harden  a few seconds of every fuzz target, the engine's core under the thread sanitizer, hostile peers
# make quick   format, unit tests, one case of each kind with real receivers
# make demo    three rooms on this machine, in the browser; without a terminal: a link that is cut, an edited queue, measurements
# make lint | unit | interop    one step of make test
# make docs    the documentation of the modules that programs import, docs/site; a public symbol without a comment is an error
# make site    all documentation as pages that open from a file, .build/site/index.html; a link that leads nowhere is an error
# make race    all unit tests of the playback engine under the thread sanitizer (10 minutes; make harden runs its core)
# make fresh   the README's two commands on a fresh Debian in namespaces (as root): SUITE=bookworm or trixie
# make bench   measures the figures of docs/benchmarks.md (as root; nothing else should run on the machine)
# make clean   removes all builds; the lab's cache stays

SHELL := /bin/bash
# Python with numpy: the first on the PATH that has it, else Debian's own.
PYTHON ?= $(shell for p in python3 /usr/bin/python3; do $$p -c 'import numpy' 2>/dev/null && { echo $$p; break; }; done)
export PYTHON

.PHONY: build deb tarball dist image packages test quick harden demo lint unit interop docs site race fresh bench clean

build:
	scripts/setup.sh build
	scripts/release.sh

deb:
	scripts/deb.sh

tarball:
	scripts/tarball.sh

dist:
	scripts/dist.sh

image:
	scripts/image.sh

packages:
	scripts/packages.sh

demo: build
	[ -t 1 ] && page=--page; .build/release/tutti demo --folder .build/demo $$page

test:
	scripts/check.sh setup lint release \
	  [ interop unit packages / debug examples docs race fuzz api ] hostile timing $(if $(OTHER_SUITE),fresh)

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

site:
	scripts/setup.sh build
	scripts/site.py --programs
	scripts/docs.sh
	scripts/release.sh tutti
	rm -rf .build/man && .build/release/tutti reference man .build/man
	scripts/site.py

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
