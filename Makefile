# make build   the program, .build/release/tutti; installs missing packages first
# make deb     Debian packages for this machine's release, in .build/deb
# make tarball an archive of the program for other distributions, with a list of the libraries that it needs
# make dist    the source archive, .build/dist/tutti-VERSION.tar.xz, which builds without git
# make image   a container image of the service, with podman, docker or buildah
# make packages  the packages and archives, tested on fresh Debian machines in namespaces (as root); with OTHER_SUITE=1 on
#              both releases
# make test    what decides: set-up, format, a debug build of everything, unit tests, examples, comments of public names, and a
#              case of each kind with real receivers; at most 15 minutes from a fresh clone
# make proof   what convinces: everything in real time, long, random, or with programs of others; ONLY='interop hostile' takes
#              some steps, WRITE=1 writes docs/proof.md. Steps: examples docs api packages fresh house-faults houses race fuzz
#              interop timing hostile demo
# make quick   format, build, unit tests
# make demo    three rooms on this machine, in the browser; without a terminal: a link that is cut, an edited queue, measurements
# make lint | unit | smoke    one step of make test, with those that it needs
# make docs    the documentation of the modules that programs import, docs/site; a public symbol without a comment is an error
# make site    all documentation as pages that open from a file, .build/site/index.html; a link that leads nowhere is an error
# make race    all unit tests of the playback engine under the thread sanitizer (10 minutes; make proof runs its core)
# make houses  houses of our sender and our speakers in virtual time, with faults: N=1000 of them, from SEED=1 on
# make house-faults  faults put into a copy of the sources on purpose, each of which a house must find: ONLY='NAME NAME'
# make fresh   the README's two commands on a fresh Debian in namespaces (as root): SUITE=bookworm or trixie
# make bench   measures the figures of docs/benchmarks.md (as root; nothing else should run on the machine)
# make clean   removes all builds; the lab's cache stays

SHELL := /bin/bash
# Python with numpy: the first on the PATH that has it, else Debian's own.
PYTHON ?= $(shell for p in python3 /usr/bin/python3; do $$p -c 'import numpy' 2>/dev/null && { echo $$p; break; }; done)
export PYTHON

.PHONY: build deb tarball dist image packages test proof quick demo lint unit smoke docs site race houses house-faults fresh bench clean

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
	scripts/check.sh setup lint debug unit names smoke
	scripts/passed.sh

# Builds and all that only computes come first, the longest first: they would disturb what runs in real time.
PROOF := examples docs api packages fresh house-faults houses race fuzz interop timing hostile demo
proof:
	scripts/check.sh $(or $(ONLY),$(PROOF)); status=$$?; \
	  scripts/proof.py $(if $(WRITE),--write) || status=1; exit $$status

quick:
	scripts/check.sh setup lint unit

lint unit smoke:
	scripts/check.sh $@

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

houses:
	scripts/setup.sh build
	scripts/houses.sh $(or $(N),1000) $(or $(SEED),1)

house-faults:
	scripts/setup.sh build
	scripts/house_faults.py $(ONLY:%=--only %)

SUITE ?= trixie
fresh:
	scripts/setup.sh test
	scripts/fresh.sh $(SUITE)

bench: build
	scripts/setup.sh proof
	scripts/release.sh SampleAppsRunner
	$(or $(PYTHON),python3) Benchmarks/bench.py $(BENCH)

clean:
	rm -rf .build docs/site Examples/.build Fuzz/.build Benchmarks/.build
