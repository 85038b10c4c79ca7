# SPDX-License-Identifier: MIT
# make help     this list
# make demo     builds, plays 75 steps on a simulated board and draws what was felt
# make test     builds all tests and runs them
# make docs-test  runs every example of README.md, docs/, hw/ and Examples/ (Tests/docs/run)
# make schema-test  the JSON Schemas of our files, by an independent validator, against what hapticctl reads
# make vboard-test  the real programs on a real kernel in a virtual machine, in virtual time (docs/virtual-board.md)
# make vboard-systemd-test  the package, installed there under systemd, in virtual time
# make vboard-real-test, make vboard-systemd-real-test  the same with a real clock, and with kills and restarts: part of nightly
# make nightly  what takes long, or what a busy machine can make fail: about two hours; NIGHTLY_HOURS=8 for longer (docs/contributing.md)
# make traces   records the traces in Tests/GoldenTests again; `git diff` shows the changes
# make snapshots  records Tests/*/Snapshots, and the text cases and digests in Tests/fixtures again; `git diff` shows the changes
# make doctor-page  puts what `hapticctl doctor --explain` prints into docs/troubleshooting.md
# make reference-pages  writes the tables of docs/protocol.md and docs/configuration.md, and words of the fuzzer's dictionaries
# make walk     service, engine and executor at random in virtual time for WALK_SECONDS=120
# make walk-ci  the same with WALK_SEEDS= that never change
# make canaries  shows that a test notices each of thirty deliberate faults; CANARY= names some of them
# make races    the lock-free ring under the thread sanitizer: part of nightly
# make pictures  draws docs/pictures with our own programs; make docs-test fails where one is not as they draw it now
# make feel     computes docs/feel.md and its pictures: what is felt of a pattern; make docs-test fails where they are out of date
# make check    format, layering, sizes, text and device-tree overlays
# make fuzz     feeds everything that reads from outside with libFuzzer, for FUZZ_SECONDS=
# make fuzz-replay  feeds what was found before, in seconds
# make foreign-test  JSONTestSuite and yaml-test-suite, where they can be had
# make chaos    a real daemon with clients of all kinds for CHAOS_SECONDS=, then with 30 that vanish, then RANDOM_PATTERNS= patterns;
#               then how long one user's lines keep another one waiting
# make bench    measures against references and writes docs/performance.md: some 12 minutes, as root (BENCHFLAGS=--quick: 3 minutes)
# make man      the man pages, in dist/man
# make docs     the API documentation of the libraries, in dist/docs
# make release  static, stripped programs and their man pages in dist/
# make install, make uninstall  the programs of dist/ with units, configuration and manual; PREFIX=, DESTDIR= (docs/install.md)
# make deb      a Debian package in dist/; make package-test builds and examines it
# make deb-arm64  the package for arm64 boards with Debian 13, built and examined on x86-64, in dist/arm64/ (the first time: 1.3 GB to download)
# make vboard-arm64-test  that package and its programs on an emulated arm64 board, as root: part of nightly. Its halves are
#               vboard-arm64-devices-test and vboard-arm64-systemd-test
# make clean    removes all that was built here
# Each target installs the system packages that it needs, by apt, where they are missing.

SWIFT ?= swift
BUILD ?= .build
SWIFTFLAGS ?=
# Where `make release` puts the programs.
OUTPUT ?= dist
STRIP ?= strip
# A target imports only what Package.swift lists for it.
LAYERS = --explicit-target-dependency-import-check error

# Where things go. systemd and udev find their folders under /usr/local and /usr. With another PREFIX name the system's folders.
PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DOCDIR ?= $(DATADIR)/doc/hapticd
UNITDIR ?= $(PREFIX)/lib/systemd/system
USERUNITDIR ?= $(PREFIX)/lib/systemd/user
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
TMPFILESDIR ?= $(PREFIX)/lib/tmpfiles.d
UDEVRULESDIR ?= $(PREFIX)/lib/udev/rules.d
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR ?= $(DATADIR)/zsh/site-functions
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
# The only folder that systemd looks into before the machine sleeps.
SLEEPDIR ?= /usr/lib/systemd/system-sleep
# Not to be moved: the daemon looks for its configuration here.
CONFDIR := /etc/hapticd

INSTALL = PROGRAMS="$(OUTPUT)" DESTDIR="$(DESTDIR)" BINDIR="$(BINDIR)" DATADIR="$(DATADIR)" MANDIR="$(MANDIR)" DOCDIR="$(DOCDIR)" \
	CONFDIR="$(CONFDIR)" UNITDIR="$(UNITDIR)" SLEEPDIR="$(SLEEPDIR)" USERUNITDIR="$(USERUNITDIR)" SYSUSERSDIR="$(SYSUSERSDIR)" TMPFILESDIR="$(TMPFILESDIR)" \
	UDEVRULESDIR="$(UDEVRULESDIR)" BASHDIR="$(BASHDIR)" ZSHDIR="$(ZSHDIR)" FISHDIR="$(FISHDIR)" scripts/install

.PHONY: all help man docs demo test traces snapshots doctor-page reference-pages docs-test pictures feel schema-test vboard-test vboard-systemd-test vboard-real-test vboard-systemd-real-test nightly walk walk-ci canaries check release install uninstall deb deb-arm64 build-arm64-tests arm64-board vboard-arm64-test vboard-arm64-devices-test vboard-arm64-systemd-test races package-test bench bench-test setup clean

all: setup
	$(SWIFT) build $(SWIFTFLAGS) $(LAYERS)

help:
	@sed -n '2,/^$$/s/^# //p' Makefile

setup:
	@scripts/setup

demo: setup
	$(SWIFT) build $(SWIFTFLAGS) --product hapticd
	$(SWIFT) build $(SWIFTFLAGS) --product hapticctl
	@scripts/demo "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)"

# All is built first: the integration tests start the programs.
test: setup
	$(SWIFT) build $(SWIFTFLAGS) $(LAYERS) --build-tests
	$(SWIFT) test $(SWIFTFLAGS) --skip-build

doctor-page: setup
	$(SWIFT) build $(SWIFTFLAGS) --product hapticctl
	scripts/make-doctor-page "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/hapticctl"

reference-pages: setup
	$(SWIFT) build $(SWIFTFLAGS) --product reference-pages
	"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/reference-pages" "$(CURDIR)"

traces: setup
	$(SWIFT) build $(SWIFTFLAGS) --build-tests
	HAPTICD_REWRITE_TRACES=1 $(SWIFT) test $(SWIFTFLAGS) --skip-build --filter GoldenTests

# The suites that record anything.
RECORDED = $(patsubst %,--filter %,$(sort $(shell grep -rlE 'expectSnapshot|TextCases|isRewritingSnapshots' Tests --include=*Tests.swift | cut -d/ -f2)))

snapshots: setup
	$(SWIFT) build $(SWIFTFLAGS) --build-tests
	HAPTICD_REWRITE_SNAPSHOTS=1 $(SWIFT) test $(SWIFTFLAGS) --skip-build $(RECORDED)

# Uses what `make test` has built. The examples send files through pv and rsync, and lines through nc.
docs-test: setup
	@scripts/setup netcat-openbsd pv python3 rsync
	$(SWIFT) build $(SWIFTFLAGS)
	python3 -B Tests/docs/test_blocks.py
	HAPTICD_BIN="$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" Tests/docs/run
	"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/reference-pages" "$(CURDIR)" --check
	scripts/make-pictures "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" --check
	"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/haptic-feel" "$(CURDIR)" --check

pictures: setup
	@scripts/setup python3
	$(SWIFT) build $(SWIFTFLAGS)
	scripts/make-pictures "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)"

feel: setup
	$(SWIFT) build $(SWIFTFLAGS) --product haptic-feel
	"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/haptic-feel" "$(CURDIR)"

# Uses what `make test` has built. Debian's Python is the one that has Debian's modules.
schema-test: setup
	@scripts/setup python3 python3-jsonschema python3-yaml
	$(SWIFT) build $(SWIFTFLAGS)
	/usr/bin/python3 -B Tests/schemas/run "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)"

# Uses what `make test` has built.
vboard-test: setup
	$(SWIFT) build $(SWIFTFLAGS)
	HAPTICD_BIN="$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" hw/vboard/run-tests virtual

vboard-real-test: setup
	$(SWIFT) build $(SWIFTFLAGS)
	HAPTICD_BIN="$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" hw/vboard/run-tests real

BUILT_PACKAGE = "$$(ls -t dist/hapticd_*.deb | head -n 1)"

vboard-systemd-test: deb
	hw/vboard/run-tests systemd-virtual $(BUILT_PACKAGE)

vboard-systemd-real-test: deb
	hw/vboard/run-tests systemd-kills $(BUILT_PACKAGE)
	hw/vboard/run-tests systemd-real $(BUILT_PACKAGE)

# The walk checks invariants. HAPTICD_SEED=… walks a failed seed again. In CI the seeds are always the same: three minutes of one processor.
WALK_SECONDS ?= 120
WALK_SEEDS ?= 1500
WALK_PATTERNS ?= 0
WALK = $(RELEASE) --product haptic-walk
COMMIT = $(shell git rev-parse --short HEAD 2>/dev/null || echo unknown)

walk: setup
	$(WALK)
	scripts/walk "$$($(WALK) --show-bin-path)/haptic-walk" --seconds $(WALK_SECONDS) --patterns $(WALK_PATTERNS) --commit $(COMMIT)

walk-ci: setup
	$(WALK)
	"$$($(WALK) --show-bin-path)/haptic-walk" --first 1 --seeds $(WALK_SEEDS) --commit $(COMMIT)

# A build with all deliberate faults (Tests/canaries), of which an environment variable picks one: a test has to notice each.
CANARIES = $(SWIFT) build $(SWIFTFLAGS) --build-tests --scratch-path $(BUILD)-canaries -Xswiftc -DHAPTICD_CANARIES

canaries: setup
	$(CANARIES)
	@scripts/setup python3
	python3 -B scripts/canaries "$$($(CANARIES) --show-bin-path)/hapticdPackageTests.xctest" $(CANARY)

races: setup
	SWIFT="$(SWIFT)" scripts/races $(BUILD)-races

nightly: setup
	SWIFT="$(SWIFT)" scripts/nightly

check: setup
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Plugins Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests Fuzz/Package.swift Fuzz/Sources
	scripts/check-layering
	@scripts/setup python3
	python3 -B scripts/check-imports
	scripts/check-text
	scripts/check-outside-text
	scripts/check-traps
	python3 -B scripts/check-sizes --self-test
	python3 -B scripts/check-sizes
	scripts/check-overlays
	@scripts/setup procps systemd
	scripts/check-units

# A program is bound to its libraries before it runs, so that what points to them can be read-only. It looks for them where the system
# has them, not first in /usr/bin (SwiftPM's $ORIGIN). It contains no path of this machine.
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now -Xcc -ffile-prefix-map=$(CURDIR)=. $(SWIFTFLAGS)

release: setup
	$(RELEASE) --product hapticd
	$(RELEASE) --product hapticctl
	mkdir -p $(OUTPUT)
	cd "$$($(RELEASE) --show-bin-path)" && cp hapticd hapticctl "$(CURDIR)/$(OUTPUT)/"
	$(STRIP) $(OUTPUT)/hapticd $(OUTPUT)/hapticctl
	@scripts/setup python3 go-md2man
	scripts/make-man $(OUTPUT) $(OUTPUT)/man

# Installs what `make release` has built. As root; needs no compiler.
install:
	@$(INSTALL)

uninstall:
	@$(INSTALL) --uninstall

# Debian's own tools do the work (debian/rules), so `dpkg-buildpackage -b` works as well.
deb: setup
	@scripts/setup $(PACKAGERS)
	DEB_OUTPUT=dist flock debian/rules debian/rules clean binary

PACKAGERS = binutils debhelper dpkg-dev lintian procps python3 go-md2man systemd udev

package-test: deb
	scripts/test-package

# The package for arm64, cross-built on x86-64 (docs/install.md). Its programs need the glibc of Debian 13. qemu runs them, for
# man pages and completions are made from what they say of themselves. Nothing that is set for this make is to reach the inner one.
ARM64 = MAKEFLAGS= OUTPUT=dist/arm64 SWIFT=scripts/swift-arm64 SWIFTFLAGS="--scratch-path $(BUILD)-arm64 $(SWIFTFLAGS)" STRIP=aarch64-linux-gnu-strip \
	EMULATOR="qemu-aarch64 -L $$sdk/sysroot" SHLIBS="$$(printf -- '-S%s ' "$$sdk"/libraries/*)"
ARM64_SETUP = [ "$$(uname -m)" = x86_64 ] || exec scripts/arm64-sdk; SWIFT=scripts/swift-arm64 scripts/setup $(PACKAGERS) binutils-aarch64-linux-gnu bubblewrap ca-certificates qemu-user

deb-arm64:
	@$(ARM64_SETUP)
	@sdk="$$(scripts/arm64-sdk)" && eval "$$(dpkg-architecture -a arm64 -f -s 2>/dev/null)" && export DEB_BUILD_OPTIONS="nocheck $$DEB_BUILD_OPTIONS" && \
	DEB_OUTPUT=dist/arm64 $(ARM64) flock debian/rules debian/rules clean binary && \
	$(ARM64) scripts/test-package && \
	scripts/check-orders $(BUILD)-arm64/release

# All tests, compiled for arm64 by the cross build's Swift, which is older than ours.
ARM64_TESTS = scripts/swift-arm64 build --build-tests --scratch-path $(BUILD)-arm64 $(SWIFTFLAGS)

build-arm64-tests:
	@$(ARM64_SETUP)
	$(ARM64_TESTS)

vboard-arm64-test: vboard-arm64-devices-test vboard-arm64-systemd-test

# First what can fail soon.
arm64-board:
	VBOARD_PROCESSOR=arm64 hw/vboard/vboard build

vboard-arm64-devices-test: arm64-board deb-arm64 build-arm64-tests
	VBOARD_PROCESSOR=arm64 HAPTICD_BIN=dist/arm64 HAPTICD_TESTS="$$($(ARM64_TESTS) --show-bin-path)" \
	SWIFT_LIBRARIES="$$(scripts/arm64-sdk)/sysroot/usr/lib/swift/linux" hw/vboard/run-tests all

vboard-arm64-systemd-test: arm64-board deb-arm64
	VBOARD_PROCESSOR=arm64 hw/vboard/run-tests systemd "$$(ls -t dist/arm64/hapticd_*_arm64.deb | head -n 1)"

man: setup
	@scripts/setup python3 go-md2man man-db mandoc
	$(SWIFT) build $(SWIFTFLAGS)
	scripts/make-man "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" dist/man
	scripts/check-man dist/man

docs: setup
	$(SWIFT) build $(SWIFTFLAGS)
	scripts/make-docs "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" dist/docs

.PHONY: schema-test fuzz fuzz-replay chaos foreign-test

# An optimised build with libFuzzer's counters in everything but the build tools (Fuzz/README.md).
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= lines json config patterns ahap haptic settings records guard daemon
FUZZ = $(SWIFT) build -c release --toolset Fuzz/toolset.json --static-swift-stdlib $(SWIFTFLAGS) --package-path Fuzz

fuzz: setup
	$(FUZZ) --product fuzz
	scripts/fuzz "$$($(FUZZ) --show-bin-path)/fuzz" $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzz-replay: setup
	$(SWIFT) build $(SWIFTFLAGS) --product fuzz-replay
	"$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)/fuzz-replay" Fuzz/Corpora Fuzz/Failures

CHAOS_SECONDS ?= 60
RANDOM_PATTERNS ?= 1000

chaos: release
	python3 -B Tests/chaos/chaos dist --seconds $(CHAOS_SECONDS)
	python3 -B Tests/chaos/chaos dist --seconds $(CHAOS_SECONDS) --vanishing 30
	python3 -B Tests/chaos/patterns dist --count $(RANDOM_PATTERNS)
	python3 -B Tests/chaos/waits dist --seconds $$(( $(CHAOS_SECONDS) / 3 ))

# python3-yaml reads YAML, for comparison.
foreign-test: setup
	@scripts/setup python3 python3-pip python3-yaml ca-certificates
	$(SWIFT) build $(SWIFTFLAGS) --product read-document
	python3 -B Tests/foreign/run "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)"

# Measures what is shipped. With --quick it writes to the terminal only.
BENCHFLAGS ?= --output docs/performance.md
BENCH = $(SWIFT) build -c release --static-swift-stdlib $(SWIFTFLAGS) --package-path Benchmarks
# Not built by SwiftPM, which would link Swift's library to it: the daemon would have that twice, and it would be measured.
NULL_GPIO = $(or $(wildcard $(dir $(shell command -v $(SWIFT)))clang),$(CC)) -O2 -Wall -Wextra -Werror -fPIC -shared Benchmarks/NullGPIO/NullGPIO.c -o

bench: release
	@scripts/setup rt-tests feedbackd dbus libsystemd-dev valgrind
	$(BENCH)
	$(NULL_GPIO) "$$($(BENCH) --show-bin-path)/libNullGPIO.so"
	"$$($(BENCH) --show-bin-path)/bench" --root "$(CURDIR)" $(BENCHFLAGS)

# Only builds what measures, and runs its tests.
bench-test: setup
	@scripts/setup libsystemd-dev
	$(SWIFT) build $(SWIFTFLAGS) --package-path Benchmarks --build-tests
	$(NULL_GPIO) "$$($(SWIFT) build $(SWIFTFLAGS) --package-path Benchmarks --show-bin-path)/libNullGPIO.so"
	$(SWIFT) test $(SWIFTFLAGS) --package-path Benchmarks --skip-build

clean:
	rm -rf debian/.debhelper debian/hapticd debian/files debian/*.substvars debian/*.debhelper* debian/debhelper-build-stamp
	rm -rf Benchmarks/.build Fuzz/.build $(BUILD) $(BUILD)-canaries $(BUILD)-races $(BUILD)-arm64 dist
