/* archive FOLDER SEED LOCATIONS EVENTS writes an archive of random events of MPI with the library of OTF2. */
#include <inttypes.h>
#include <stdlib.h>
#include <otf2/otf2.h>

static uint64_t state;

static uint64_t below(uint64_t n) { /* splitmix64 */
	uint64_t z = (state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % n;
}

static OTF2_FlushType flush(void *d, OTF2_FileType t, OTF2_LocationRef l, void *c, bool f) { return OTF2_FLUSH; }
static OTF2_FlushCallbacks callbacks = {flush, NULL};

/* Numbers of all sizes: of 0 to 64 bits. */
static uint64_t any(void) { return below(UINT64_MAX) >> below(64); }

int main(int argc, char **argv) {
	state = strtoull(argv[2], NULL, 10);
	uint32_t locations = atoi(argv[3]), events = atoi(argv[4]);
	OTF2_Archive *a = OTF2_Archive_Open(argv[1], "random", OTF2_FILEMODE_WRITE, 256 * 1024, 256 * 1024,
		OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	OTF2_Archive_SetFlushCallbacks(a, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(a);
	OTF2_Archive_OpenEvtFiles(a);
	uint64_t counts[64], end = 0;
	for (uint32_t l = 0; l < locations; l++) {
		OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, 7 * l);
		uint64_t t = 1000000;
		for (uint32_t i = 0; i < events; i++) {
			OTF2_AttributeList *none = NULL;
			OTF2_AttributeList *list = OTF2_AttributeList_New();
			if (below(10) == 0) {
				OTF2_AttributeList_AddUint64(list, 0, any());
				none = list;
			}
			uint32_t peer = below(locations), comm = below(2), tag = any(), region = below(3);
			uint64_t size = any(), request = any();
			t += below(4) ? 1 + below(1000) : 0;
			switch (below(13)) {
			case 0: OTF2_EvtWriter_Leave(w, none, t, region); break;
			case 1: OTF2_EvtWriter_MpiSend(w, none, t, peer, comm, tag, size); break;
			case 2: OTF2_EvtWriter_MpiRecv(w, none, t, peer, comm, tag, size); break;
			case 3: OTF2_EvtWriter_MpiIsend(w, none, t, peer, comm, tag, size, request); break;
			case 4: OTF2_EvtWriter_MpiIrecv(w, none, t, peer, comm, tag, size, request); break;
			case 5: OTF2_EvtWriter_MpiIsendComplete(w, none, t, request); break;
			case 6: OTF2_EvtWriter_MpiIrecvRequest(w, none, t, request); break;
			case 7: OTF2_EvtWriter_MpiRequestTest(w, none, t, request); break;
			case 8: OTF2_EvtWriter_MpiRequestCancelled(w, none, t, request); break;
			case 9: OTF2_EvtWriter_MpiCollectiveBegin(w, none, t); break;
			case 10:
				OTF2_EvtWriter_MpiCollectiveEnd(w, none, t, below(16), comm,
					below(2) ? peer : OTF2_UNDEFINED_UINT32, size, request);
				break;
			case 11: OTF2_EvtWriter_OmpFork(w, none, t, peer); break; /* of which only the length matters */
			default: OTF2_EvtWriter_Enter(w, none, t, region);
			}
			OTF2_AttributeList_Delete(list);
		}
		end = t > end ? t : end;
		OTF2_EvtWriter_GetNumberOfEvents(w, &counts[l]);
		OTF2_Archive_CloseEvtWriter(a, w);
	}
	OTF2_Archive_CloseEvtFiles(a);
	OTF2_Archive_OpenDefFiles(a);
	for (uint32_t l = 0; l < locations; l++) {
		OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(a, 7 * l);
		if (l % 3 != 0) { /* communicators 0 and 1 are exchanged, or 1 alone is another one */
			OTF2_IdMap *m = OTF2_IdMap_Create(l % 3 == 1 ? OTF2_ID_MAP_DENSE : OTF2_ID_MAP_SPARSE, 2);
			if (l % 3 == 1) {
				OTF2_IdMap_AddIdPair(m, 0, 1);
				OTF2_IdMap_AddIdPair(m, 1, 0);
			} else {
				OTF2_IdMap_AddIdPair(m, 1, 2);
			}
			OTF2_DefWriter_WriteMappingTable(w, OTF2_MAPPING_COMM, m);
			OTF2_IdMap_Free(m);
		}
		uint64_t at = 900000;
		for (int n = below(5); n > 0; n--, at += 1000 + below(end - 900000)) {
			OTF2_DefWriter_WriteClockOffset(w, at, (int64_t)below(400) - 200, 0.5);
		}
		OTF2_Archive_CloseDefWriter(a, w);
	}
	OTF2_Archive_CloseDefFiles(a);
	OTF2_GlobalDefWriter *g = OTF2_Archive_GetGlobalDefWriter(a);
	OTF2_GlobalDefWriter_WriteClockProperties(g, 1000000000, 1000000, end - 1000000, OTF2_UNDEFINED_TIMESTAMP);
	const char *names[] = {"", "machine", "process", "thread", "MPI_Send", "main", "loop", "world", "turned", "again", "kind"};
	for (uint32_t i = 0; i < 11; i++) {
		OTF2_GlobalDefWriter_WriteString(g, i, names[i]);
	}
	OTF2_GlobalDefWriter_WriteAttribute(g, 0, 10, 0, OTF2_TYPE_UINT64);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(g, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t i = 0; i < 3; i++) {
		OTF2_GlobalDefWriter_WriteRegion(g, i, 4 + i, 4 + i, 0, OTF2_REGION_ROLE_FUNCTION,
			i == 0 ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, i, 2 * i);
	}
	uint64_t all[64], ranks[64], turned[64];
	for (uint32_t l = 0; l < locations; l++) {
		OTF2_GlobalDefWriter_WriteLocationGroup(g, l, 2, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
		OTF2_GlobalDefWriter_WriteLocation(g, 7 * l, 3, OTF2_LOCATION_TYPE_CPU_THREAD, counts[l], l);
		all[l] = 7 * l;
		ranks[l] = l;
		turned[l] = locations - 1 - l;
	}
	OTF2_GlobalDefWriter_WriteGroup(g, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, locations, all);
	OTF2_GlobalDefWriter_WriteGroup(g, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, locations, ranks);
	OTF2_GlobalDefWriter_WriteGroup(g, 2, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, locations, turned);
	for (uint32_t i = 0; i < 3; i++) {
		OTF2_GlobalDefWriter_WriteComm(g, i, 7 + i, 1 + i % 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	}
	return OTF2_Archive_Close(a) != OTF2_SUCCESS;
}
