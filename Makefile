# SPDX-License-Identifier: MIT
# make help     this list
# make demo     builds, plays 75 steps on a simulated board and draws what was felt
# make test     builds and runs every test
# make docs-test  runs every example of README.md, docs/ and hw/ (Tests/docs/run)
# make vboard-test  the real programs on a real kernel in a virtual machine, in virtual time (docs/virtual-board.md)
# make vboard-systemd-test  the package, installed there under systemd, in virtual time
# make vboard-real-test, make vboard-systemd-real-test  the same with a real clock, and with kills and restarts: part of nightly
# make nightly  all that a busy machine may decide or that takes its time: an hour; NIGHTLY_HOURS=8 for longer (docs/contributing.md)
# make traces   records the traces in Tests/GoldenTests again; `git diff` shows what has changed
# make walk     service, engine and executor at random in virtual time, WALK_SECONDS=120 of it; make walk-ci: WALK_SEEDS= that never change;
#               make walk-canary: that it sees a missing guard
# make check    format, layering, text and device-tree overlays
# make fuzz     feeds all that reads from outside with libFuzzer, for FUZZ_SECONDS=; make fuzz-replay feeds what was found before, in seconds
# make foreign-test  JSONTestSuite and yaml-test-suite, where they can be had
# make chaos    clients of all kinds on a real daemon for CHAOS_SECONDS=, then 30 that vanish, then RANDOM_PATTERNS= patterns to their end
# make bench    measures against references and writes docs/performance.md: some 12 minutes, as root (BENCHFLAGS=--quick: 3 minutes)
# make man      the man pages, in dist/man
# make docs     the API documentation of the libraries, in dist/docs
# make hot-functions  finds again what an event runs through, which an optimised build puts side by side
# make release  static, stripped programs and their man pages in dist/
# make install, make uninstall  the programs of dist/ with units, configuration and manual; PREFIX= and DESTDIR= as everywhere (docs/install.md)
# make deb      a Debian package in dist/; make package-test builds and examines it
# Each installs the system packages it needs, by apt, where they are missing.

SWIFT ?= swift
BUILD ?= .build
SWIFTFLAGS ?=

# Where things go. Under /usr/local and /usr systemd and udev find their folders by themselves; under another PREFIX name those of the system.
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
# Not to be moved: the daemon looks for its configuration here.
CONFDIR := /etc/hapticd

INSTALL = PROGRAMS=dist DESTDIR="$(DESTDIR)" BINDIR="$(BINDIR)" DATADIR="$(DATADIR)" MANDIR="$(MANDIR)" DOCDIR="$(DOCDIR)" \
	CONFDIR="$(CONFDIR)" UNITDIR="$(UNITDIR)" USERUNITDIR="$(USERUNITDIR)" SYSUSERSDIR="$(SYSUSERSDIR)" TMPFILESDIR="$(TMPFILESDIR)" \
	UDEVRULESDIR="$(UDEVRULESDIR)" BASHDIR="$(BASHDIR)" ZSHDIR="$(ZSHDIR)" FISHDIR="$(FISHDIR)" scripts/install

.PHONY: all help man docs demo test traces docs-test vboard-test vboard-systemd-test vboard-real-test vboard-systemd-real-test nightly walk walk-ci walk-canary check release hot-functions install uninstall deb package-test bench bench-test setup clean

all: setup
	$(SWIFT) build $(SWIFTFLAGS)

help:
	@sed -n '2,/^$$/s/^# //p' Makefile

setup:
	@scripts/setup

demo: setup
	$(SWIFT) build $(SWIFTFLAGS)
	@scripts/demo "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)"

# The build is apart from the run, so that the integration tests find the programs they start.
test: setup
	$(SWIFT) build $(SWIFTFLAGS) --build-tests
	$(SWIFT) test $(SWIFTFLAGS) --skip-build

traces: setup
	$(SWIFT) build $(SWIFTFLAGS) --build-tests
	HAPTICD_REWRITE_TRACES=1 $(SWIFT) test $(SWIFTFLAGS) --skip-build --filter GoldenTests

# With what `make test` has built. The examples send files through pv and rsync, and lines through nc.
docs-test: setup
	@scripts/setup netcat-openbsd pv python3 rsync
	$(SWIFT) build $(SWIFTFLAGS)
	python3 -B Tests/docs/test_blocks.py
	HAPTICD_BIN="$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" Tests/docs/run

# With what `make test` has built.
vboard-test: setup
	$(SWIFT) build $(SWIFTFLAGS)
	HAPTICD_BIN="$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" hw/vboard/run-tests virtual

# And once more built for libgpiod 2.
vboard-real-test: setup
	$(SWIFT) build $(SWIFTFLAGS)
	gpiod2="$$(hw/vboard/libgpiod2)" && export PKG_CONFIG_PATH="$$gpiod2/lib/pkgconfig" && \
	$(SWIFT) build $(SWIFTFLAGS) --scratch-path $(BUILD)-gpiod2 && \
	HAPTICD_BIN="$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" GPIOD2="$$gpiod2/lib" \
	HAPTICD_BIN_GPIOD2="$$($(SWIFT) build $(SWIFTFLAGS) --scratch-path $(BUILD)-gpiod2 --show-bin-path)" \
	hw/vboard/run-tests real

BUILT_PACKAGE = "$$(ls -t dist/hapticd_*.deb | head -n 1)"

vboard-systemd-test: deb
	hw/vboard/run-tests systemd-virtual $(BUILT_PACKAGE)

vboard-systemd-real-test: deb
	hw/vboard/run-tests systemd-kills $(BUILT_PACKAGE)
	hw/vboard/run-tests systemd-real $(BUILT_PACKAGE)

# Service, engine and executor together at random in virtual time, judged by an oracle, for so many seconds; HAPTICD_SEED=… walks a failed seed again.
# For CI so many seeds that are always the same: two minutes of one processor.
WALK_SECONDS ?= 120
WALK_SEEDS ?= 6000
WALK_PATTERNS ?= 0
WALK = $(SWIFT) build -c release $(SWIFTFLAGS) --product haptic-walk
COMMIT = $(shell git rev-parse --short HEAD 2>/dev/null || echo unknown)

walk: setup
	$(WALK) --scratch-path $(BUILD)-walk
	scripts/walk "$$($(WALK) --scratch-path $(BUILD)-walk --show-bin-path)/haptic-walk" --seconds $(WALK_SECONDS) --patterns $(WALK_PATTERNS) --commit $(COMMIT)

walk-ci: setup
	$(WALK) --scratch-path $(BUILD)-walk
	"$$($(WALK) --scratch-path $(BUILD)-walk --show-bin-path)/haptic-walk" --first 1 --seeds $(WALK_SEEDS) --commit $(COMMIT)

# A build in which one guard is missing has to fail, or a failure would not be seen: one of the engine's, then one of the service's.
walk-canary: setup
	@for guard in HAPTICD_CANARY HAPTICD_SERVICE_CANARY; do \
		$(WALK) --scratch-path $(BUILD)-canary -Xswiftc -D$$guard && \
		"$$($(WALK) --scratch-path $(BUILD)-canary --show-bin-path)/haptic-walk" --seconds 60 | grep '^FAILED' || exit 1; \
	done

nightly: setup
	SWIFT="$(SWIFT)" MAKE="$(MAKE)" scripts/nightly

check: setup
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Plugins Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests Fuzz/Package.swift Fuzz/Sources
	scripts/check-layering
	scripts/check-text
	scripts/check-outside-text
	scripts/check-traps
	scripts/check-overlays
	@scripts/setup procps systemd
	scripts/check-units

# Bound to its libraries before it runs, so that what points to them can be read-only from then on; looking for them where the system has them, not first in /usr/bin
# (SwiftPM's $ORIGIN); and without the paths of this machine in it.
# What an event runs through is put side by side (docs/adr/0013), where there is a linker that can: lld, which comes with Swift. A name on the list that is
# there no more is no error. A folder that was built before without sections is to be cleaned first: the compiler does not see the difference.
LLD := $(or $(wildcard $(dir $(shell command -v $(SWIFT)))ld.lld),$(shell command -v ld.lld))
HOT = $(if $(LLD),-Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xswiftc -use-ld=lld \
	-Xlinker --symbol-ordering-file=$(CURDIR)/scripts/hot-functions.txt -Xlinker --no-warn-symbol-ordering)
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now -Xcc -ffile-prefix-map=$(CURDIR)=. $(HOT) $(SWIFTFLAGS)

release: setup
	@# Where only the list has changed it would not be linked again.
	@for program in hapticd hapticctl; do \
	    built="$$($(RELEASE) --show-bin-path)/$$program"; [ ! scripts/hot-functions.txt -nt "$$built" ] || rm -f "$$built"; done
	$(RELEASE) --product hapticd
	$(RELEASE) --product hapticctl
	mkdir -p dist
	cd "$$($(RELEASE) --show-bin-path)" && cp hapticd hapticctl "$(CURDIR)/dist/"
	strip dist/hapticd dist/hapticctl
	@scripts/setup python3 go-md2man
	scripts/make-man dist dist/man

# Makes the list again that orders the functions of an optimised build; worth it where the way of an event has changed.
hot-functions: release
	@scripts/setup python3 binutils valgrind
	scripts/find-hot-functions "$$($(RELEASE) --show-bin-path)/hapticd" > dist/hot-functions.txt
	mv dist/hot-functions.txt scripts/hot-functions.txt
	@$(MAKE) release

# As root, without a compiler: what `make release` has built.
install:
	@$(INSTALL)

uninstall:
	@$(INSTALL) --uninstall

# Debian's own tools do the work (debian/rules), so `dpkg-buildpackage -b` does, too.
deb: setup
	@scripts/setup $(PACKAGERS)
	DEB_OUTPUT=dist debian/rules clean binary

PACKAGERS = binutils debhelper dpkg-dev lintian procps python3 go-md2man systemd udev

package-test: deb
	scripts/test-package

man: setup
	@scripts/setup python3 go-md2man man-db mandoc
	$(SWIFT) build $(SWIFTFLAGS)
	scripts/make-man "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" dist/man
	scripts/check-man dist/man

docs: setup
	$(SWIFT) build $(SWIFTFLAGS)
	scripts/make-docs "$$($(SWIFT) build $(SWIFTFLAGS) --show-bin-path)" dist/docs

.PHONY: fuzz fuzz-replay chaos foreign-test

# An optimised build with libFuzzer's counters in all of it but the build tools; Fuzz/README.md says more.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= lines json config patterns records guard daemon
FUZZ = $(SWIFT) build -c release --toolset Fuzz/toolset.json --static-swift-stdlib $(SWIFTFLAGS) --package-path Fuzz

fuzz: setup
	$(FUZZ) --product fuzz
	scripts/fuzz "$$($(FUZZ) --show-bin-path)/fuzz" $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzz-replay: setup
	$(SWIFT) build $(SWIFTFLAGS) --package-path Fuzz --product fuzz-replay
	"$$($(SWIFT) build $(SWIFTFLAGS) --package-path Fuzz --show-bin-path)/fuzz-replay" Fuzz/Corpora Fuzz/Failures

CHAOS_SECONDS ?= 60
RANDOM_PATTERNS ?= 1000

chaos: release
	python3 -B Tests/chaos/chaos dist --seconds $(CHAOS_SECONDS)
	python3 -B Tests/chaos/chaos dist --seconds $(CHAOS_SECONDS) --vanishing 30
	python3 -B Tests/chaos/patterns dist --count $(RANDOM_PATTERNS)

# The second reads YAML for us to compare with.
foreign-test: setup
	@scripts/setup python3 python3-pip python3-yaml ca-certificates
	$(SWIFT) build $(SWIFTFLAGS) --package-path Fuzz --product read-document
	python3 -B Tests/foreign/run "$$($(SWIFT) build $(SWIFTFLAGS) --package-path Fuzz --show-bin-path)"

# What is measured is what is shipped. With --quick nothing is written but to the terminal.
BENCHFLAGS ?= --output docs/performance.md
BENCH = $(SWIFT) build -c release --static-swift-stdlib $(SWIFTFLAGS) --package-path Benchmarks
# By the compiler itself: SwiftPM would link Swift's library to it, which the daemon would then have twice, and that would be measured, too.
NULL_GPIO = $(or $(wildcard $(dir $(shell command -v $(SWIFT)))clang),$(CC)) -O2 -Wall -Wextra -Werror -fPIC -shared Benchmarks/NullGPIO/NullGPIO.c -o

bench: release
	@scripts/setup rt-tests feedbackd dbus libsystemd-dev
	$(BENCH)
	$(NULL_GPIO) "$$($(BENCH) --show-bin-path)/libNullGPIO.so"
	"$$($(BENCH) --show-bin-path)/bench" --root "$(CURDIR)" $(BENCHFLAGS)

# That what measures still builds; nothing is measured.
bench-test: setup
	@scripts/setup libsystemd-dev
	$(SWIFT) build $(SWIFTFLAGS) --package-path Benchmarks --build-tests
	$(NULL_GPIO) "$$($(SWIFT) build $(SWIFTFLAGS) --package-path Benchmarks --show-bin-path)/libNullGPIO.so"
	$(SWIFT) test $(SWIFTFLAGS) --package-path Benchmarks --skip-build

clean:
	rm -rf debian/.debhelper debian/hapticd debian/files debian/*.substvars debian/*.debhelper* debian/debhelper-build-stamp
	rm -rf Benchmarks/.build Fuzz/.build $(BUILD) $(BUILD)-walk $(BUILD)-canary $(BUILD)-gpiod2 dist
