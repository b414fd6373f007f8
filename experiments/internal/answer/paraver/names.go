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

// Endings of the files with names that may be beside a trace: of types and values of events, and of objects.
const valueNames, objectNames = ".pcf", ".row"

// NamesFiles are the files with names that are beside a trace.
func NamesFiles(trace string) (files []string) {
	for _, ending := range []string{valueNames, objectNames} {
		if name := beside(trace, ending); exists(name) {
			files = append(files, name)
		}
	}
	return files
}

func beside(trace, ending string) string {
	return strings.TrimSuffix(strings.TrimSuffix(trace, ".gz"), ".prv") + ending
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// readBeside reads a file with names beside a trace; without one the answer is none.
func readBeside[T any](trace, ending string, none T, read func(name string, r io.Reader) (T, error)) (T, error) {
	name := beside(trace, ending)
	if !exists(name) {
		return none, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return none, err
	}
	defer f.Close()
	return read(name, f)
}

// NodesOf returns the names of the nodes that a file beside the trace gives, none if it does not.
func NodesOf(trace string) ([]string, error) { return readBeside(trace, objectNames, nil, readNodes) }

// readNodes reads a file of names of objects, which has lists of names behind headings as LEVEL NODE SIZE 2.
func readNodes(name string, r io.Reader) (nodes []string, err error) {
	s, err := newScanner(name, r)
	if err != nil {
		return nil, err
	}
	left, ours := int64(0), false
	for s.more() {
		if left > 0 {
			if left--; ours {
				nodes = append(nodes, strings.TrimSpace(string(s.line)))
			}
			continue
		}
		if s.skipBlanks(); s.at == len(s.line) {
			continue
		}
		s.word("LEVEL")
		from := s.at
		for s.at < len(s.line) && s.line[s.at] != ' ' {
			s.at++
		}
		ours = string(s.line[from:s.at]) == "NODE"
		s.skipBlanks()
		s.word("SIZE")
		left = s.number("number of names")
	}
	if left > 0 {
		s.offset, s.at = s.next, 0
		s.fail("the file ends; expected %d names more", left)
	}
	return nodes, s.err
}

func (s *scanner) word(word string) {
	if n := s.at + len(word); n > len(s.line) || string(s.line[s.at:n]) != word {
		s.fail("%q is no heading; expected LEVEL, a kind of objects, SIZE and how many names follow", clip(s.line))
		return
	}
	s.at += len(word)
	s.skipBlanks()
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
