// SPDX-License-Identifier: MIT
/*
 * Callback functions: given by address, or by name as "library(function)".
 */
#include "routine.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include "name.h"

#define NAME_LEN	MQ_EXIT_NAME_LENGTH

/* A library that is there but cannot be loaded is another error than none. */
static MQLONG load_reason(const char *library)
{
	const char *text = dlerror();
	bool there;

	if (strchr(library, '/'))
		there = !access(library, F_OK);
	else
		there = text && !strstr(text, strerror(ENOENT));
	return there ? MQRC_MODULE_INVALID : MQRC_MODULE_NOT_FOUND;
}

/* The library stays: nobody knows when the last call of it has returned. */
static MQLONG load(PMQCB_FUNCTION *function, const char *library,
		   const char *symbol)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void *address;

	if (!handle)
		return load_reason(library);
	address = dlsym(handle, symbol);
	if (!address) {
		dlclose(handle);
		return MQRC_MODULE_ENTRY_NOT_FOUND;
	}
	memcpy(function, &address, sizeof(address));
	return MQRC_NONE;
}

static MQLONG find_by_name(PMQCB_FUNCTION *function, const char *field)
{
	char name[NAME_LEN + 1];
	size_t length = kmq_name_length(field, NAME_LEN);
	char *bracket;

	memcpy(name, field, length);
	name[length] = 0;
	bracket = strchr(name, '(');
	if (!bracket || bracket == name || name[length - 1] != ')' ||
	    bracket + 2 > name + length - 1)
		return MQRC_CALLBACK_ROUTINE_ERROR;
	name[length - 1] = 0;
	*bracket = 0;
	return load(function, name, bracket + 1);
}

MQLONG kmq_routine_find(struct kmq_routine *routine, const MQCBD *cbd)
{
	bool named = !kmq_name_is_blank(cbd->CallbackName,
					sizeof(cbd->CallbackName));

	if (named == !!cbd->CallbackFunction)
		return MQRC_CALLBACK_ROUTINE_ERROR;
	routine->area = cbd->CallbackArea;
	routine->options = cbd->Options;
	if (named)
		return find_by_name(&routine->function, cbd->CallbackName);
	memcpy(&routine->function, &cbd->CallbackFunction,
	       sizeof(routine->function));
	return MQRC_NONE;
}

void kmq_callback_init(struct kmq_callback *call,
		       const struct kmq_routine *routine, MQHOBJ hobj,
		       MQLONG type)
{
	*call = (struct kmq_callback){
		.routine = *routine,
		.hobj = hobj,
		.type = type,
		.state = MQCS_NONE,
	};
}

static MQLONG option_of(MQLONG type)
{
	switch (type) {
	case MQCBCT_START_CALL:
		return MQCBDO_START_CALL;
	case MQCBCT_STOP_CALL:
		return MQCBDO_STOP_CALL;
	case MQCBCT_REGISTER_CALL:
		return MQCBDO_REGISTER_CALL;
	default:
		return MQCBDO_DEREGISTER_CALL;
	}
}

bool kmq_callback_wanted(struct kmq_callback *call,
			 const struct kmq_routine *routine, MQHOBJ hobj,
			 MQLONG type)
{
	kmq_callback_init(call, routine, hobj, type);
	if (!routine->function || !(routine->options & option_of(type)))
		call->routine.function = NULL;
	return call->routine.function;
}

void kmq_callback_make(const struct kmq_callback *call, MQHCONN hconn,
		       MQPTR connection_area)
{
	MQCBC context = {
		.StrucId = { MQCBC_STRUC_ID_ARRAY },
		.Version = MQCBC_VERSION_2,
		.CallType = call->type,
		.Hobj = call->hobj,
		.CallbackArea = call->routine.area,
		.ConnectionArea = connection_area,
		.CompCode = call->comp_code,
		.Reason = call->reason,
		.State = call->state,
		.DataLength = call->data_length,
		.BufferLength = call->buffer_length,
		.ReconnectDelay = MQRD_NO_RECONNECT,
	};

	call->routine.function(hconn, call->md, call->gmo, call->buffer,
			       &context);
}
