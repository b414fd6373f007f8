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

// named are the collective operations by their names in .pcf files, in lower case.
var named = map[string]workloads.Collective{
	"mpi_barrier": workloads.Barrier, "mpi_bcast": workloads.Bcast, "mpi_reduce": workloads.Reduce,
	"mpi_allreduce": workloads.Allreduce, "mpi_alltoall": workloads.Alltoall, "mpi_alltoallv": workloads.Alltoall,
	"mpi_alltoallw": workloads.Alltoall, "mpi_gather": workloads.Gather, "mpi_gatherv": workloads.Gather,
	"mpi_scatter": workloads.Scatter, "mpi_scatterv": workloads.Scatter, "mpi_allgather": workloads.Allgather,
	"mpi_allgatherv": workloads.Allgather, "mpi_scan": workloads.Scan, "mpi_exscan": workloads.Scan,
	"mpi_reduce_scatter": workloads.ReduceScatter, "mpi_reduce_scatter_block": workloads.ReduceScatter,
}

// Endings of files beside a trace, with names of types and values of events, and with names of objects.
const valueNames, objectNames = ".pcf", ".row"

// NamesFiles are the files with names that exist beside a trace.
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

// readBeside reads a file with names beside a trace; without the file it returns none.
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

// NodesOf returns the names of the nodes in a file beside the trace, nil if there are none.
func NodesOf(trace string) ([]string, error) { return readBeside(trace, objectNames, nil, readNodes) }

// readNodes reads a file of names of objects. It has lists of names below headings such as LEVEL NODE SIZE 2.
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
		s.fail("the file ends; expected %d more names", left)
	}
	return nodes, s.err
}

func (s *scanner) word(word string) {
	if n := s.at + len(word); n > len(s.line) || string(s.line[s.at:n]) != word {
		s.fail("%q is not a heading; expected LEVEL, a kind of object, SIZE and the number of names that follow", clip(s.line))
		return
	}
	s.at += len(word)
	s.skipBlanks()
}

// readCalls reads a file of names of events. It has sections with headings, separated by blank lines:
// below EVENT_TYPE are types of events, and below VALUES the numbers and names of their values.
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
