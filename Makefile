# SPDX-License-Identifier: GPL-2.0-only
#
# The one thing to call.  "make" explains itself.

# Test machines to run "make check" on: stock kernels 6.1 and 6.12, and
# kernels built here: uml, debug, kcsan.
KERNELS ?= uml 6.1 6.12
# The kernel of "make run" and "make vm", and of "make bench" if given.
KERNEL ?= 6.12
# Only test programs of these names (default: all).
TESTS ?=

PREFIX ?= /usr
LIBDIR ?= $(PREFIX)/lib/x86_64-linux-gnu
INCLUDEDIR ?= $(PREFIX)/include
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
# Where udev and systemd look; not below another PREFIX.
SYSDIR ?= /usr/lib
DESTDIR ?=
VERSION := $(shell sed -n 's/^VERSION := //p' userlib/Makefile)

vm := selftests/vm
# Stock kernels whose headers are installed, or will be by "make deps".
stock := 6.1 6.12

.DEFAULT_GOAL := help
.SUFFIXES:
MAKEFLAGS += --no-print-directory

help:
	@echo 'kmq: message queues in the kernel.'
	@echo
	@echo '  make run        boot a virtual machine with kmq, send messages'
	@echo '                  through it, show what happens'
	@echo '  make check      run all tests; ends with "N passed, N failed"'
	@echo '  make vm         an interactive shell in such a machine'
	@echo '  make modules    kmq.ko for kernels 6.1 and 6.12, in build/'
	@echo '  make lib        the library, shared and static'
	@echo '  make tools      the command line tools'
	@echo '  make selftests  the test programs, without running them'
	@echo '  make lint       style and static checks of the kernel code'
	@echo '  make bench      how fast it is'
	@echo '  make install    library, headers, tools, rules for udev, and the'
	@echo '                  module (DKMS)'
	@echo '  make deps       the Debian packages all of this needs'
	@echo '  make clean      remove what was built (not the kernel cache)'
	@echo
	@echo 'Variables:'
	@echo '  KERNELS="$(KERNELS)"'
	@echo '                  kernels for check; also debug, kcsan'
	@echo '  TESTS="..."     only these test programs in check'
	@echo '  KERNEL=$(KERNEL)     kernel for run, vm and bench'
	@echo '  DESTDIR= PREFIX=$(PREFIX)'
	@echo '                  where install puts things'
	@echo '  KMQ_CACHE=~/.cache/kmq'
	@echo '                  where kernels for testing are kept'
	@echo '  KMQ_ACCEL=tcg   kvm, or auto: use KVM if it works'
	@echo '  V=1             show the results of passed tests too'

deps:
	@selftests/deps

modules: deps
	@for kernel in $(stock); do \
		$(vm)/kernel module $$kernel || exit 1; \
	done

lib tools: deps
	@$(MAKE) -C userlib $@

selftests: deps lib
	@$(MAKE) -C selftests

run: deps
	@selftests/demo/run.sh --kernel $(KERNEL)

vm: deps
	@$(vm)/run --kernel $(KERNEL) --shell

check: deps
	@KERNELS="$(KERNELS)" TESTS="$(TESTS)" V="$(V)" selftests/check

lint: deps
	@selftests/lint

# Figures are for 6.1 unless another kernel is asked for.
bench: deps lib
	@selftests/bench/run \
		--kernel $(if $(filter file,$(origin KERNEL)),6.1,$(KERNEL))

install: install-user install-system install-module

install-user: lib tools
	$(MAKE) -C userlib install DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" \
		LIBDIR="$(LIBDIR)" INCLUDEDIR="$(INCLUDEDIR)"
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(DATADIR)/kmq
	install -m 755 userlib/kmq $(DESTDIR)$(BINDIR)
	for name in $$(cat userlib/tools/LINKS); do \
		ln -sf kmq $(DESTDIR)$(BINDIR)/$$name; \
	done
	install -m 644 userlib/share/*.mqsc $(DESTDIR)$(DATADIR)/kmq
	for page in userlib/man/*.[1-8]; do \
		[ -e "$$page" ] || continue; \
		dir=$(DESTDIR)$(DATADIR)/man/man$${page##*.}; \
		install -d $$dir && install -m 644 $$page $$dir || exit 1; \
	done
	for name in $$(cat userlib/tools/LINKS); do \
		page=kmq.1; [ $$name != runmqsc ] || page=kmq-sc.1; \
		ln -sf $$page $(DESTDIR)$(DATADIR)/man/man1/$$name.1; \
	done
	install -D -m 644 userlib/tools/kmq.bash-completion \
		$(DESTDIR)$(DATADIR)/bash-completion/completions/kmq

# Who may use the nodes, and the module at boot.  A package's own scripts do
# what is done here when there is no DESTDIR.
install-system:
	install -D -m 644 packaging/kmq.rules \
		$(DESTDIR)$(SYSDIR)/udev/rules.d/60-kmq.rules
	install -D -m 644 packaging/sysusers.conf \
		$(DESTDIR)$(SYSDIR)/sysusers.d/kmq.conf
	install -D -m 644 packaging/modules-load.conf \
		$(DESTDIR)$(SYSDIR)/modules-load.d/kmq.conf
	@[ -n "$(DESTDIR)" ] || ! command -v systemd-sysusers >/dev/null || \
		systemd-sysusers kmq.conf
	@[ -n "$(DESTDIR)" ] || ! command -v udevadm >/dev/null || \
		udevadm control --reload || :

install-module:
	packaging/install-module "$(VERSION)" "$(DESTDIR)"

clean:
	@rm -rf build
	@[ ! -e userlib/Makefile ] || $(MAKE) -C userlib clean
	@$(MAKE) -C selftests clean

.PHONY: help deps modules lib tools selftests run vm check lint bench \
	install install-user install-system install-module clean
