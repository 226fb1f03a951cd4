/* SPDX-License-Identifier: MIT */
/*
 * The words of MQSC besides attributes.
 */
#ifndef KMQ_TOOL_MQSC_WORDS_H
#define KMQ_TOOL_MQSC_WORDS_H

#include <stdbool.h>

struct mqsc_keyword {
	const char *word;
	const char *synonym;	/* may be shorter than an abbreviation */
	int value;
	int q_type;
};

/* Each ends with a word that is NULL. */
extern const struct mqsc_keyword mqsc_verbs[];
extern const struct mqsc_keyword mqsc_objects[];
extern const struct mqsc_keyword mqsc_operators[];

/* A keyword, its synonym, or three letters or more that fit one keyword only. */
const struct mqsc_keyword *mqsc_keyword_find(const struct mqsc_keyword *table,
					     const char *word);

/* Verbs and objects of MQSC that exist, but have no counterpart here. */
bool mqsc_is_foreign_verb(const char *word);
bool mqsc_is_foreign_object(const char *word);

#endif
