package paraver

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"strings"

	"github.com/isoscale/isoscale/workloads"
)

// named are the collective operations by their names in files of names (.pcf), in lower case.
var named = map[string]workloads.Collective{
	"mpi_barrier": workloads.Barrier, "mpi_bcast": workloads.Bcast, "mpi_reduce": workloads.Reduce,
	"mpi_allreduce": workloads.Allreduce, "mpi_alltoall": workloads.Alltoall, "mpi_alltoallv": workloads.Alltoall,
	"mpi_alltoallw": workloads.Alltoall, "mpi_gather": workloads.Gather, "mpi_gatherv": workloads.Gather,
	"mpi_scatter": workloads.Scatter, "mpi_scatterv": workloads.Scatter, "mpi_allgather": workloads.Allgather,
	"mpi_allgatherv": workloads.Allgather, "mpi_scan": workloads.Scan, "mpi_exscan": workloads.Scan,
	"mpi_reduce_scatter": workloads.ReduceScatter, "mpi_reduce_scatter_block": workloads.ReduceScatter,
}

// NamesFile is where the names that belong to a trace are, if there are any.
func NamesFile(trace string) string {
	return strings.TrimSuffix(strings.TrimSuffix(trace, ".gz"), ".prv") + ".pcf"
}

// callsOf returns the collective operations by the numbers of their calls: those of Extrae, but
// for what the file of names beside the trace says, if there is one.
func callsOf(trace string) (map[int64]workloads.Collective, error) {
	name := NamesFile(trace)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return operations, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readCalls(name, f)
}

// readCalls reads a file of names, which has sections with headings and blank lines between them:
// below EVENT_TYPE the types of events, and below VALUES the numbers and names of their values.
func readCalls(name string, r io.Reader) (map[int64]workloads.Collective, error) {
	s, err := newScanner(name, r)
	if err != nil {
		return nil, err
	}
	calls := maps.Clone(operations)
	section, ours := "", false
	for s.more() {
		line := strings.TrimSpace(string(s.line))
		switch {
		case line == "":
			section = ""
		case line == "EVENT_TYPE":
			section, ours = line, false
		case line == "VALUES":
			section = line
		case section == "EVENT_TYPE":
			s.skipBlanks()
			s.number("colour of a type of events")
			s.skipBlanks()
			ours = s.number("type of events") == collectives || ours
		case section == "VALUES" && ours:
			s.skipBlanks()
			call := s.number("number of a call")
			s.skipBlanks()
			if op, ok := named[strings.ToLower(strings.TrimSpace(string(s.line[s.at:])))]; ok {
				calls[call] = op
			}
		}
	}
	return calls, s.err
}

func (s *scanner) skipBlanks() {
	for s.skip(' ') || s.skip('\t') {
	}
}
