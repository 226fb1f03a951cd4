/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Options of MQGET that may not be combined (G-OPT, E-30, UC-001).
 */
#include <string.h>
#include "q_fixture.h"

/* G-OPT-1..13: [C] all valid but for the rule named */
TEST_F(q, combinations)
{
	static const struct {
		const char *opts, *want;
	} cases[] = {
		/* G-OPT-1 */
		{ "opt=0x00080000", "F2046" }, { "opt=0x20000000", "F2046" },
		{ "opt=0x40000000", "F2046" }, { "opt=0x80000000", "F2046" },
		/* G-OPT-2 */
		{ "SP NS", "F2046" }, { "SP SIP", "F2046" },
		{ "NS SIP", "F2046" },
		/* G-OPT-3, UC-001 */
		{ "BF BN", "F2046" }, { "BF BC", "F2046" },
		{ "BF MC", "F2046" }, { "BN BC", "F2046" },
		{ "BN MC", "F2046" }, { "BC MC", "F2046" },
		/* G-OPT-4 */
		{ "BF SP", "F2046" }, { "BN SP", "F2046" },
		{ "BC SP", "F2046" }, { "UL SP", "F2046" },
		{ "BF LK SP", "F2046" },
		/* G-OPT-5 */
		{ "BF SIP", "F2046" }, { "BN SIP", "F2046" },
		{ "BC SIP", "F2046" }, { "CM SIP", "F2046" },
		{ "UL SIP", "F2046" },
		/* G-OPT-6 */
		{ "MSB", "F2046" }, { "MSB NS", "F2046" },
		{ "MSB SIP", "F2046" }, { "MSB BF", "F2046" },
		/* G-OPT-7 */
		{ "WT(1) opt=0x8", "F2046" },
		/* G-OPT-8 */
		{ "LK", "F2046" }, { "LK MC", "F2046" }, { "LK SP", "F2046" },
		/* G-OPT-9 */
		{ "UL WT(1)", "F2046" }, { "UL FQ", "F2046" },
		{ "UL BF", "F2046" }, { "UL LK BF", "F2046" },
		{ "UL AT", "F2046" }, { "UL MC", "F2046" },
		{ "UL opt=0x4000", "F2046" }, { "UL CM", "F2046" },
		/* G-OPT-10 */
		{ "MH", "F2046" }, { "UMH", "F2046" }, { "MK", "F2046" },
		{ "UMK", "F2046" }, { "MC MH", "F2046" },
		{ "BF MH AM", "F2046" }, { "BF MH AS", "F2046" },
		{ "BF MH CM", "F2046" }, { "BF MH LK", "F2046" },
		{ "BF MH LO", "F2046" }, { "BF UB LO", "F2046" },
		{ "BF UB CM", "F2046" }, { "BF UB LK", "F2046" },
		{ "BF UB AM", "F2046" }, { "BF UMH AS", "F2046" },
		{ "UB LO", "F2046" }, { "UL UB", "F2046" },
		{ "BF UMK LO", "F2046" },
		/* G-OPT-11 */
		{ "BF UMK MK", "F2046" }, { "BF UMK UB", "F2046" },
		{ "BF UMH MH", "F2046" }, { "BF UMH UB", "F2046" },
		/* G-OPT-12 */
		{ "BF MK", "F2046" }, { "BF UMK", "F2046" },
		/* G-OPT-13 */
		{ "opt=0x06000000", "F2046" }, { "opt=0x0a000000", "F2046" },
		{ "opt=0x12000000", "F2046" }, { "opt=0x0c000000", "F2046" },
		{ "opt=0x14000000", "F2046" }, { "opt=0x18000000", "F2046" },
		/* G-OPT-14: everything else is valid */
		{ "SP", "F2033" }, { "NS", "F2033" }, { "SIP", "F2033" },
		{ "SP MSB", "F2033" }, { "BF NS", "F2033" },
		{ "BF LK NS", "F2033" }, { "CM SP", "F2033" },
		{ "LO AM AS CM AT FQ SP", "F2033" },
		{ "BF LO AM AS CM AT FQ LK", "F2033" },
		{ "BC WT(5)", "F2034" }, { "MC opt=0x8", "F2034" },
		{ "BF MH", "F2033" }, { "BN UMH", "F2033" },
		{ "BF UB MH", "F2033" }, { "UB", "F2033" },
		{ "UB SP", "F2033" }, { "UL", "W2209" }, { "UL NS", "W2209" },
		{ "opt=0x02000000", "F2033" }, { "opt=0x04000000", "F2033" },
		{ "opt=0x10000000", "F2033" }, { "opt=0x4000", "F2033" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		GET(cases[i].want, self->h, cases[i].opts)
			TH_LOG("case %u", i);
}

/* UC-001: an error leaves the cursor alone */
TEST_F(q, cursor_is_not_moved_by_an_error)
{
	PUTS(self->h, "A; B");
	GET("A", self->h, "BF");
	GET("F2046", self->h, "BF BN");
	GET("A", self->h, "BC");
	GET("B", self->h, "BN");
}

/* E-30 */
TEST_F(q, example)
{
	struct mqh *in = opn(self->c, Q, "i"), *b = opn(self->c, Q, "b"), bad;

	GET("F2036", in, "BF");
	GET("F2036", in, "MC");
	GET("F2037", b, "");
	GET("F2037", b, "MC");
	GET("F2090", self->h, "WT(-2)");
	GET("F2033", self->h, "wi=-2");
	GET("F2247", self->h, "mopt=0x40");
	GET("F2257", self->h, "g=X v1");
	GET("F2256", self->h, "mopt=32 gmo=2");
	bad = *self->h;
	bad.ho = 9999;
	GET("F2019", &bad, "gmo=9");
	GET("F2005", self->h, "buf=-1");
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	GET("F2016", self->h, "");
	GET("F2016", self->h, "BF");
	GET("W2209", self->h, "UL");
}

/* G-OPT-15: versions that LOGICAL_ORDER needs */
TEST_F(q, versions)
{
	GET("F2256", self->h, "LO gmo=1");
	GET("F2257", self->h, "LO v1");
	GET("F2256", self->h, "LO v1 gmo=1");
	GET("F2033", self->h, "LO gmo=2");
	GET("F2033", self->h, "CM AM AS gmo=1 v1");
}

/* G-GMO-1, G-OUT-1..4: get() checks what each version may write */
TEST_F(q, fields_of_each_version)
{
	PUTS(self->h, "A(Y,1,0,GSA); B(Y,1,10,LE); C; D");
	GET("A", self->k, "gmo=1");
	GET("B", self->k, "gmo=2");
	GET("C", self->k, "gmo=3");
	GET("D", self->k, "gmo=4 v1");
}

/* G-VAL-1, G-WAIT-11: quiescing */
TEST_F(q, quiescing)
{
	PUTS(self->h, "A");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	GET("F2161", self->h, "FQ");
	GET("F2161", self->h, "BF FQ");
	GET("A", self->h, "BF");
	GET("A", self->h, "");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	GET("F2033", self->h, "FQ");
}

TEST_HARNESS_MAIN
