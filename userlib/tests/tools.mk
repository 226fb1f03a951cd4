# SPDX-License-Identifier: MIT
#
# Tests of the tools that need no kernel module. Included by userlib/Makefile;
# alone it is run as "make -f userlib/tests/tools.mk check-tools" from anywhere.

TOOLS_TESTS := $(dir $(lastword $(MAKEFILE_LIST)))
TOOLS_OUT := $(TOOLS_TESTS)../../build/tools-tests
TOOLS_SOURCES := $(addprefix $(TOOLS_TESTS)../tools/, \
	attr_table.c attrs.c attrs_foreign.c mqsc_display.c mqsc_lex.c \
	mqsc_parse.c mqsc_terms.c mqsc_words.c)

.PHONY: check-tools mqsc_test

check-tools: mqsc_test

# Prints TAP; fails if a test fails.
mqsc_test: $(TOOLS_OUT)/mqsc_test
	@$<

$(TOOLS_OUT)/mqsc_test: $(TOOLS_TESTS)mqsc_test.c $(TOOLS_SOURCES) \
		$(wildcard $(TOOLS_TESTS)../tools/*.h)
	@mkdir -p $(@D)
	@$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra \
		-fsanitize=address,undefined -fno-sanitize-recover=all \
		-I$(TOOLS_TESTS)../include -I$(TOOLS_TESTS)../../uapi \
		-o $@ $(filter %.c,$^)

# In userlib/Makefile the test is built and run like all others, but what it
# tests is not in the library.
ifdef obj
$(obj)/tests/mqsc_test: $(addprefix $(obj)/tools/, \
	attr_table.o attrs.o attrs_foreign.o mqsc_display.o mqsc_lex.o \
	mqsc_parse.o mqsc_terms.o mqsc_words.o)
endif
