package titrace

import (
	"fmt"
	"strings"
)

// usages says for each action how it is written, behind the rank.
var usages = map[string]string{
	"init":          "init [anything]",
	"finalize":      "finalize",
	"comm_size":     "comm_size [anything]",
	"comm_split":    "comm_split [anything]",
	"comm_dup":      "comm_dup [anything]",
	"location":      "location FILE LINE",
	"compute":       "compute FLOP",
	"sleep":         "sleep SECONDS",
	"send":          "send PEER TAG COUNT [TYPE]",
	"isend":         "isend PEER TAG COUNT [TYPE]",
	"recv":          "recv PEER TAG COUNT [TYPE]",
	"irecv":         "irecv PEER TAG COUNT [TYPE]",
	"sendRecv":      "sendRecv COUNT PEER COUNT PEER TYPE TYPE",
	"wait":          "wait SOURCE DESTINATION TAG",
	"test":          "test SOURCE DESTINATION TAG",
	"waitall":       "waitall [anything]",
	"barrier":       "barrier",
	"bcast":         "bcast COUNT [ROOT [TYPE]]",
	"reduce":        "reduce COUNT FLOP [ROOT [TYPE]]",
	"allreduce":     "allreduce COUNT FLOP [TYPE]",
	"reducescatter": "reducescatter COUNTS FLOP [TYPE]",
	"scan":          "scan COUNT FLOP [TYPE]",
	"exscan":        "exscan COUNT FLOP [TYPE]",
	"gather":        "gather COUNT COUNT [ROOT [TYPE [TYPE]]]",
	"scatter":       "scatter COUNT COUNT [ROOT [TYPE [TYPE]]]",
	"allgather":     "allgather COUNT COUNT [TYPE [TYPE]]",
	"alltoall":      "alltoall COUNT COUNT [TYPE [TYPE]]",
	"gatherv":       "gatherv COUNT COUNTS [ROOT [TYPE [TYPE]]]",
	"scatterv":      "scatterv COUNTS COUNT [ROOT [TYPE [TYPE]]]",
	"allgatherv":    "allgatherv COUNT COUNTS [TYPE [TYPE]] [DISPLACEMENTS]",
	"alltoallv":     "alltoallv COUNT COUNTS COUNT COUNTS [TYPE [TYPE]]",
}

// actionNames lists the actions in the order of the documentation.
const actionNames = "init, finalize, comm_size, comm_split, comm_dup, location, compute, sleep, " +
	"send, isend, recv, irecv, sendRecv, wait, test, waitall, " +
	"barrier, bcast, reduce, allreduce, reducescatter, scan, exscan, " +
	"gather, scatter, allgather, alltoall, gatherv, scatterv, allgatherv, alltoallv"

// expectedAction is for a word that is not an action.
func expectedAction(word []byte) string {
	for name := range strings.SplitSeq(actionNames, ", ") {
		if strings.EqualFold(name, string(word)) {
			return fmt.Sprintf("%q, written like this", name)
		}
	}
	return "one of " + actionNames
}
