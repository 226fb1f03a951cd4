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
VERSION := $(shell sed -n 's/^KMQ_VERSION := //p' Kbuild)

vm := selftests/vm
# Stock kernels, downloaded when first used; never installed.
stock := 6.1 6.12
links := $(shell cat userlib/tools/LINKS)

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
	@echo '  make uninstall  take all of that away again'
	@echo '  make deps       the Debian packages that all of this needs; each'
	@echo '                  target asks for those it needs itself'
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
	@selftests/deps check

# What a target needs is asked for when it is made.
modules:
	@selftests/deps modules
	@for kernel in $(stock); do \
		$(vm)/kernel module $$kernel || exit 1; \
	done

lib tools:
	@selftests/deps build
	@$(MAKE) -C userlib $@

selftests: lib
	@selftests/deps kernels
	@$(MAKE) -C selftests

run:
	@selftests/deps run
	@selftests/demo/run.sh --kernel $(KERNEL)

vm:
	@$(vm)/run --kernel $(KERNEL) --shell

check:
	@KERNELS="$(KERNELS)" TESTS="$(TESTS)" V="$(V)" selftests/check

lint:
	@selftests/deps lint modules
	@selftests/lint

# Figures are for 6.1 unless another kernel is asked for.
bench: lib
	@selftests/deps run kernels
	@selftests/bench/run \
		--kernel $(if $(filter file,$(origin KERNEL)),6.1,$(KERNEL))

# A package has the module built where it is installed.
install:
	@selftests/deps $(if $(DESTDIR),build,install)
	@$(MAKE) install-user install-system install-module

where := DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" \
	INCLUDEDIR="$(INCLUDEDIR)"
pages := $(notdir $(wildcard userlib/man/*.[1-8]))
completions := $(DATADIR)/bash-completion/completions
mandir = $(DESTDIR)$(DATADIR)/man/man$(subst .,,$(suffix $(1)))

install-user: lib tools
	$(MAKE) -C userlib install $(where)
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(DATADIR)/kmq \
		$(DESTDIR)$(completions)
	install -m 755 userlib/kmq $(DESTDIR)$(BINDIR)
	install -m 644 userlib/share/*.mqsc $(DESTDIR)$(DATADIR)/kmq
	$(foreach page,$(pages),install -D -m 644 userlib/man/$(page) \
		$(call mandir,$(page))/$(page) &&) :
	sed 's|@names@|kmq $(links)|' userlib/tools/kmq.bash-completion \
		>$(DESTDIR)$(completions)/kmq
	chmod 644 $(DESTDIR)$(completions)/kmq
	for name in $(links); do \
		page=kmq.1; [ $$name != runmqsc ] || page=kmq-sc.1; \
		ln -sf kmq $(DESTDIR)$(BINDIR)/$$name && \
		ln -sf kmq $(DESTDIR)$(completions)/$$name && \
		ln -sf $$page $(DESTDIR)$(DATADIR)/man/man1/$$name.1 || \
			exit 1; \
	done

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
		{ udevadm control --reload && \
		  udevadm trigger --subsystem-match=kmq; } || :

install-module:
	packaging/install-module install "$(VERSION)" "$(DESTDIR)"

# The module first: nothing is taken away while programs use it.  The group mqm
# stays, as files may belong to it.
uninstall: uninstall-module uninstall-user uninstall-system

uninstall-module:
	packaging/install-module remove "$(VERSION)" "$(DESTDIR)"

uninstall-user:
	$(MAKE) -C userlib uninstall $(where)
	rm -f $(addprefix $(DESTDIR)$(BINDIR)/,kmq $(links)) \
		$(addprefix $(DESTDIR)$(completions)/,kmq $(links)) \
		$(addprefix $(DESTDIR)$(DATADIR)/man/man1/,$(links:=.1)) \
		$(foreach page,$(pages),$(call mandir,$(page))/$(page)) \
		$(addprefix $(DESTDIR)$(DATADIR)/kmq/, \
			$(notdir $(wildcard userlib/share/*.mqsc)))
	rmdir $(DESTDIR)$(DATADIR)/kmq 2>/dev/null || :

uninstall-system:
	rm -f $(DESTDIR)$(SYSDIR)/udev/rules.d/60-kmq.rules \
		$(DESTDIR)$(SYSDIR)/sysusers.d/kmq.conf \
		$(DESTDIR)$(SYSDIR)/modules-load.d/kmq.conf
	@[ -n "$(DESTDIR)" ] || ! command -v udevadm >/dev/null || \
		udevadm control --reload || :

clean:
	@rm -rf build
	@[ ! -e userlib/Makefile ] || $(MAKE) -C userlib clean
	@$(MAKE) -C selftests clean

.PHONY: help deps modules lib tools selftests run vm check lint bench \
	install install-user install-system install-module \
	uninstall uninstall-user uninstall-system uninstall-module clean
