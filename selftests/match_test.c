/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Selection: all MatchOptions alone and combined (G-MAT, G-SEL), the message
 * token (G-TOK, E-27), match options in groups (E-6).
 */
#include <stdlib.h>
#include <string.h>
#include "q_fixture.h"

/* G-MAT-1, G-MAT-2, M-ID-8 */
TEST_F(q, one_option)
{
	PUTS(self->h, "A c=X; B c=Y; C(G,1,0,G) c=X; D(G,2,5,GS) c=Y;"
		      "E(H,2,0,L) c=Z; F(H,7,5,GS)");
	GET("B", self->k, "BF m=B");
	GET("F2033", self->k, "BF m=NONE");
	GET("B", self->k, "BF c=Y");
	GET("D", self->k, "BN c=Y");
	GET("F2033", self->k, "BN c=Y");
	GET("E", self->k, "BF c=Z");
	GET("C", self->k, "BF g=G");
	GET("D", self->k, "BN g=G");
	GET("E", self->k, "BF g=H");
	GET("D", self->k, "BF s=2");
	GET("E", self->k, "BN s=2");
	GET("F", self->k, "BF s=7");
	GET("D", self->k, "BF o=5");
	GET("F", self->k, "BN o=5");
	GET("F2033", self->k, "BF s=3");
	GET("F2033", self->k, "BF o=1");
	/* null identifiers match every message, numbers never */
	GET("A", self->k, "BF m=none");
	GET("A", self->k, "BF m=none c=none g=none");
	GET("A", self->k, "BF s=1");
	GET("F2033", self->k, "BF s=0");
	GET("F2033", self->k, "BF o=-1");
	GET("A", self->k, "BF o=0");
}

/* G-MAT-1: all combine with AND */
TEST_F(q, combined)
{
	static const char *const words[] = { "m=T", "c=X", "g=G", "s=3", "o=7",
					     "t=T" };
	char opts[64];
	unsigned int set, i;

	/* each differs from T in one of the fields */
	PUTS(self->h, "M(G,3,7,GS) c=X; C(G,3,7,GS) c=N id=T;"
		      "H(N,3,7,GS) c=X id=T; S(G,4,7,GS) c=X id=T;"
		      "O(G,3,8,GS) c=X id=T; T(G,3,7,GS) c=X; U(G,3,7,GS) c=X");
	GET("T", self->k, "BF m=T c=X g=G s=3 o=7");
	for (set = 0; set < 64; set++) {
		static const char *const first[] = { "M", "C", "H", "S", "O" };
		const char *want = "T";

		strcpy(opts, "BF");
		for (i = 0; i < 6; i++)
			if (set & (1U << i)) {
				strcat(opts, " ");
				strcat(opts, words[i]);
			}
		/* the first message that no given option tells from T */
		for (i = 0; i < 5 && !(set & 32); i++)
			if (!(set & (1U << i))) {
				want = first[i];
				break;
			}
		GET(want, self->k, opts) TH_LOG("%s", opts);
	}
	GET("F2033", self->k, "BF m=T c=X g=G s=3 o=9");
	GET("F2033", self->k, "BF m=T c=Z g=G s=3 o=7");
	GET("F2033", self->k, "t=T c=Z");
}

/* G-MAT-8: whatever the index is said to be for */
TEST_F(q, index_type)
{
	static const char *const types[] = { "index=0", "index=1", "index=2",
					     "index=4", "index=5" };
	unsigned int i;

	PUTS(self->h, "A c=X; M(G,3,7,GS) c=Y; B c=Z");
	GET("A", self->k, "BF");
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		EXPECT_STREQ("OK", alter(Q, types[i]));
		GET("B", self->k, "BF m=B");
		GET("B", self->k, "BF c=Z");
		GET("M", self->k, "BF g=G");
		GET("M", self->k, "BF s=3 o=7");
		GET("M", self->k, "BF m=M c=Y g=G s=3");
		GET("A", self->k, "BF t=A");
	}
}

/* G-MAT-1: all 24 bytes count */
TEST_F(q, identifiers_count_to_the_last_byte)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc, dl;
	int i;

	for (i = 0; i < 24; i++) {
		memset(md.MsgId, 0x11, 24);
		md.MsgId[i] = 0x12;
		memcpy(md.CorrelId, md.MsgId, 24);
		MQPUT(self->c, self->h->ho, &md, &pmo, 0, NULL, &cc, &rc);
		ASSERT_EQ(0, cc);
	}
	for (i = 23; i >= 0; i--) {
		memset(md.MsgId, 0x11, 24);
		memset(md.CorrelId, 0, 24);
		if (i & 1) {
			md.MsgId[i] = 0x12;
		} else {
			memset(md.CorrelId, 0x11, 24);
			md.CorrelId[i] = 0x12;
			memset(md.MsgId, 0, 24);
		}
		MQGET(self->c, self->h->ho, &md, &gmo, 0, NULL, &dl, &cc, &rc);
		EXPECT_STREQ("OK", outcome(cc, rc));
		EXPECT_EQ(0x12, md.MsgId[i]);
		EXPECT_EQ(0x12, md.CorrelId[i]);
	}
	EXPECT_EQ(0, depth(Q));
}

/* UC-044, M-MD-2, G-GMO-2 */
TEST_F(q, descriptor_used_again)
{
	PUTS(self->h, "A; B; C; D");
	GET("A", self->k, "gmo=1");
	GET("F2033", self->k, "keep");
	memset(self->k->md.MsgId, 0, 24);
	memset(self->k->md.CorrelId, 0, 24);
	GET("B", self->k, "keep");
	GET("C", self->k, "gmo=2");
	GET("D", self->k, "keep");
}

/* G-SEL-4, G-PHY-2: first by order key, whatever the criteria */
TEST_F(q, candidates_in_order_of_priority)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->h, "a1 p=1 c=X; b9 p=9 c=Y; c5 p=5 c=X; d9 p=9 c=X;"
		      "e5 p=5 c=X");
	EXPECT_STREQ("d9 c5 e5 a1", drain(self->k, "c=X"));
	LIST("b9");
}

/* E-6, G-MAT-5..7 */
TEST_F(q, in_logical_order)
{
	PUTS(self->h, "A; Y1(Y,1,0,G); Z2(Z,2,0,L); Y2(Y,2,0,G); Y3a(Y,3,0,SL);"
		      "Y3b(Y,3,10,EL); Z1(Z,1,0,G); B");
	GET("Z1", self->k, "LO g=Z");
	GET("F2247", self->k, "LO m=Z1");
	GET("F2247", self->k, "LO c=Q");
	GET("F2247", self->k, "LO g=Y");
	GET("F2247", self->k, "LO s=3");
	GET("F2247", self->k, "LO o=4");
	GET("Z2", self->k, "LO m=none g=Z s=2 o=0");
	GET("F2247", self->k, "LO s=5");
	GET("F2247", self->k, "LO o=1");
	GET("F2033", self->k, "LO g=UNKNOWN");
	GET("A", self->k, "LO s=1 o=0");
	/* the next item is not there: 2033, not 2247 (G-MAT-6) */
	GET("Y1", self->k, "LO");
	GET("Y2", self->h, "m=Y2");
	GET("F2033", self->k, "LO m=B");
}

/* G-MAT-7: the default match options, descriptor not reset */
TEST_F(q, trap_of_the_default_match_options)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,L)");
	GET("K1", self->k, "gmo=2 LO mopt=3 m=none c=none");
	GET("F2247", self->k, "keep");
	GET("K2", self->k, "LO");
}

/* E-27, G-TOK-1, G-TOK-2, M-ID-9 */
TEST_F(q, token)
{
	PUTS(self->h, "A; B; C");
	GET("A", self->k, "BN");
	GET("B", self->k, "BN");
	GET("B", self->k, "t=B");
	GET("F2033", self->k, "t=B");
	GET("A", self->k, "BF");
	GET("F2033", self->k, "BN t=A");
	GET("F2331", self->k, "t=A WT(10)");
	GET("F2331", self->k, "t=A SIG(10)");
	GET("A", self->k, "MC t=B");
	/* all-null and unknown tokens match nothing */
	GET("F2033", self->k, "mopt=32");
	GET("F2033", self->k, "t=NEVER");
	/* a message restored by back-out keeps its token (get() compares) */
	GET("C", self->k, "SP");
	EXPECT_STREQ("OK", back(self->d));
	GET("C", self->k, "t=C m=C");
	EXPECT_EQ(0, depth(Q));
}

/* M-ID-9: unique, never reused */
TEST_F(q, tokens_are_unique)
{
	static MQBYTE seen[64][16];
	int i, j;

	for (i = 0; i < 64; i++) {
		PUT("OK", self->h, "A");
		get(self->k, "");
		memcpy(seen[i], self->k->gmo.MsgToken, 16);
		for (j = 0; j < i; j++)
			EXPECT_NE(0, memcmp(seen[i], seen[j], 16));
	}
}

/* UC-010 without the memory: an expired message has a dead token. */
TEST_F(q, token_of_an_expired_message)
{
	PUTS(self->h, "A exp=1; B");
	GET("A", self->k, "BF");
	nap(130);
	GET("F2033", self->k, "t=A");
	LIST("B");
}

/* G-MAT-3, G-MAT-9, G-CUR-1: cursor gets look at none of it */
TEST_F(q, cursor_gets_ignore_match_options)
{
	PUTS(self->h, "A; B");
	GET("A", self->k, "BF");
	GET("A", self->k, "BC m=B");
	GET("A", self->k, "BC mopt=0x40");
	GET("A", self->k, "BC g=NONE v1");
	GET("A", self->k, "BC mopt=32 gmo=2");
	GET("A", self->k, "BC mopt=32 WT(5)");
	GET("F2257", self->k, "BC LO v1");
	GET("A", self->k, "MC c=NONE");
}

/* G-OPT-15, G-OPT-16 */
TEST_F(q, versions_and_bits)
{
	PUT("OK", self->h, "A");
	GET("F2257", self->k, "g=X v1");
	GET("F2257", self->k, "s=1 v1");
	GET("F2257", self->k, "o=0 v1");
	GET("F2256", self->k, "mopt=32 gmo=2");
	GET("F2247", self->k, "mopt=0x40");
	GET("F2247", self->k, "mopt=0x80000000");
	GET("F2247", self->k, "BF mopt=0x40");
	GET("A", self->k, "AM AS CM v1 gmo=1 BF");
}

/* UC-046 in small: keys shared by many, order among them kept. */
TEST_F(q, many_messages_share_a_key)
{
	char text[64], want[16], opts[32];
	int i;

	for (i = 0; i < 300; i++) {
		sprintf(text, "N%d c=C%d", i, i % 3);
		ASSERT_STREQ("OK", put(self->h, text));
	}
	for (i = 0; i < 100; i++) {
		int key = i * 7 % 3;
		static int next[3] = { 0, 1, 2 };

		sprintf(want, "N%d", next[key]);
		next[key] += 3;
		sprintf(opts, "c=C%d", key);
		GET(want, self->k, opts);
	}
	GET("N299", self->k, "m=N299");
	GET("N150", self->k, "m=N150");
	EXPECT_EQ(198, depth(Q));
}

TEST_HARNESS_MAIN
