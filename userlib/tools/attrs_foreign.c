/* SPDX-License-Identifier: MIT */
/*
 * Keywords by what they belong to, sorted: files, channels, publish/subscribe,
 * TLS, monitoring data that is not collected, queue-sharing groups.
 */
#include "attrs_foreign.h"

#include <stddef.h>
#include <stdint.h>
#include <strings.h>

#include "attrs.h"

#define G	ATTR_ON_QMGR
#define Q	ATTR_ON_QUEUES
#define K	ATTR_ON_CLUSTER
#define S	ATTR_ON_STATUS
#define H	ATTR_ON_HANDLE
#define C	ATTR_ON_CONN
#define T	ATTR_ON_QMSTATUS
#define P	ATTR_ON_PROCESS
#define N	ATTR_ON_NAMELIST

static const struct {
	const char *name;
	uint16_t on;
} foreign[] = {
	{ "ACCTCONO", G }, { "ACCTINT", G }, { "ACCTMQI", G }, { "ACCTQ", G },
	{ "ACTCHL", G }, { "ACTIVREC", G }, { "ACTVCONO", G },
	{ "ACTVTRC", G }, { "ADOPTCHK", G }, { "ADOPTMCA", G },
	{ "ADVCAP", G }, { "AMQPCAP", G }, { "AMQPSTAT", T },
	{ "APPLDESC", H | C }, { "ASID", H | C }, { "ASTATE", H },
	{ "BRIDGEEV", G }, { "CERTLABL", G }, { "CERTQSGL", G },
	{ "CERTVPOL", G }, { "CFCONLOS", G }, { "CFSTRUCT", Q | K },
	{ "CHAD", G }, { "CHADEV", G }, { "CHADEXIT", G },
	{ "CHANNEL", H | C }, { "CHIADAPS", G }, { "CHIDISPS", G },
	{ "CHINIT", G | T }, { "CHISERVP", G }, { "CHLAUTH", G },
	{ "CHLEV", G }, { "CLCHNAME", Q | K }, { "CLUSDATE", Q | K },
	{ "CLUSINFO", Q | K }, { "CLUSQMGR", Q | K }, { "CLUSTER", G },
	{ "CLUSTIME", Q | K }, { "CLWLDATA", G }, { "CLWLEXIT", G },
	{ "CLWLLEN", G }, { "CLWLMRUC", G }, { "CLWLUSEQ", G }, { "CMDEV", G },
	{ "CMDSCOPE", G | Q | K | S | H | C | P | N }, { "CMDSERV", T },
	{ "CONFIGEV", G }, { "CONNAME", H | C }, { "CONNAUTH", G },
	{ "CONNOPTS", C }, { "CONNTAG", C }, { "CPILEVEL", G },
	{ "CRDATE", G }, { "CRTIME", G }, { "CURFSIZE", S }, { "CURMAXFS", S },
	{ "CURRLOG", T }, { "CUSTOM", G }, { "DEFCLXQ", G },
	{ "DEFREADA", Q | K }, { "DEST", H }, { "DNSGROUP", G },
	{ "DNSWLM", G }, { "EVENT", G }, { "EXPRYINT", G }, { "EXTURID", C },
	{ "GROUPUR", G }, { "HSTATE", H }, { "IGQ", G }, { "IGQAUT", G },
	{ "IGQUSER", G }, { "IMGINTVL", G }, { "IMGLOGLN", G },
	{ "IMGRCOVO", G }, { "IMGRCOVQ", G | Q | K }, { "IMGSCHED", G },
	{ "INDXTYPE", Q | K }, { "INITKEY", G }, { "INSTDESC", T },
	{ "INSTNAME", T }, { "INSTPATH", T }, { "IPADDRV", G },
	{ "KEYRPWD", G }, { "LDAPCONN", T }, { "LOGGEREV", G },
	{ "LOGINUSE", T }, { "LOGPATH", T }, { "LOGUTIL", T },
	{ "LSTRTMR", G }, { "LU62ARM", G }, { "LU62CHL", G }, { "LUGROUP", G },
	{ "LUNAME", G }, { "MAXCHL", G }, { "MEDIALOG", S | T },
	{ "MONACLS", G }, { "MONCHL", G }, { "MONITOR", S | T },
	{ "MONQ", G | S }, { "MQIACCT", G }, { "MQXRSTAT", T }, { "NID", C },
	{ "NLTYPE", N }, { "OBJNAME", H }, { "OBJTYPE", H | C },
	{ "OPENOPTS", H }, { "OPENTYPE", S }, { "OPORTMAX", G },
	{ "OPORTMIN", G }, { "OTELPCTL", G | Q | K },
	{ "OTELTRAC", G | Q | K }, { "PARENT", G }, { "PSBNAME", H | C },
	{ "PSCLUS", G }, { "PSID", Q | K }, { "PSMODE", G }, { "PSNPMSG", G },
	{ "PSNPRES", G }, { "PSRTYCNT", G }, { "PSSYNCPT", G },
	{ "PSTID", H | C }, { "PUBSUB", G }, { "QMFSUSE", T },
	{ "QMURID", S | H | C }, { "QSGCERT", G },
	{ "QSGDISP", Q | K | S | H | C | P | N }, { "QSGNAME", G },
	{ "QTIME", S }, { "RCVTIME", G }, { "RCVTMIN", G }, { "RCVTTYPE", G },
	{ "RECLOG", T }, { "REVDNS", G }, { "ROUTEREC", G }, { "SCHINIT", G },
	{ "SCMDSERV", G }, { "SPLCAP", G }, { "SQQMNAME", G },
	{ "SSLCRLNL", G }, { "SSLCRYP", G }, { "SSLEV", G }, { "SSLFIPS", G },
	{ "SSLKEYR", G }, { "SSLKEYRPWD", G }, { "SSLRKEYC", G },
	{ "SSLTASKS", G }, { "STANDBY", T }, { "STARTDA", T },
	{ "STARTTI", T }, { "STATACLS", G }, { "STATCHL", G },
	{ "STATINT", G }, { "STATMQI", G }, { "STATQ", G },
	{ "STGCLASS", Q | K }, { "SUBID", H }, { "SUBNAME", H | C },
	{ "SUITEB", G }, { "SYNCPT", G }, { "SYSTEM", G }, { "TASKNO", H | C },
	{ "TCPCHL", G }, { "TCPKEEP", G }, { "TCPNAME", G }, { "TCPSTACK", G },
	{ "TOPICSTR", H }, { "TPIPE", Q | K | H | C },
	{ "TRANSID", H | C }, { "TRAXSTR", G }, { "TRAXTBL", G },
	{ "TREELIFE", G }, { "UNICLUS", T }, { "UOWLOG", H | C },
	{ "UOWLOGDA", C }, { "UOWLOGTI", C }, { "URDISP", H | C },
	{ "URID", H | C }, { "URTYPE", H | C }, { "VERSION", G },
	{ "XRCAP", G },
};

const char *foreign_attr_find(const char *word, unsigned int on)
{
	size_t i;

	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (foreign[i].on & on && !strcasecmp(foreign[i].name, word))
			return foreign[i].name;
	return NULL;
}
