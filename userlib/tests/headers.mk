# SPDX-License-Identifier: MIT
#
# Tests of the MQI headers. Included by userlib/Makefile; alone it is run as
# "make -f userlib/tests/headers.mk check-headers" from anywhere.

HEADERS_TESTS := $(dir $(lastword $(MAKEFILE_LIST)))

.PHONY: check-headers headers

# Prints TAP; fails if a test fails.
check-headers:
	@CC="$(CC)" CXX="$(CXX)" sh $(HEADERS_TESTS)headers_test.sh

# Writes the headers and the name tables anew from userlib/spec.
headers:
	$(HEADERS_TESTS)../gen/mkheaders
	$(HEADERS_TESTS)../gen/mknames
