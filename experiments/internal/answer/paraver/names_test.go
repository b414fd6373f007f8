package paraver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// A file of names says which call has which number; others keep those of Extrae.
func TestNames(t *testing.T) {
	const text = "STATES\n7    Scheduling\n\nEVENT_TYPE\n9   50000003    MPI Other\nVALUES\n500   MPI_Bcast\n\n" +
		"EVENT_TYPE\r\n9   50000002    MPI Collective Comm\r\nVALUES\r\n501   MPI_Allreduce\r\n502 MPI_Ibarrier\r\n0   Outside MPI\r\n"
	calls := expect.Value(readCalls("t.pcf", strings.NewReader(text)))(t)
	expect.That(t, calls[501] == workloads.Allreduce && calls[7] == workloads.Bcast && calls[500] == 0 && calls[502] == 0, "calls %v", calls)
	_, err := readCalls("t.pcf", strings.NewReader("EVENT_TYPE\n9 x\n"))
	expect.Failure(t, err, "t.pcf: byte 13: no type of events")
	_, err = readCalls("t.pcf", strings.NewReader("EVENT_TYPE\n9 50000002\nVALUES\nMPI_Bcast\n"))
	expect.Failure(t, err, "t.pcf: byte 29: no number of a call")

	dir := t.TempDir()
	expect.Success(t, os.WriteFile(filepath.Join(dir, "a.pcf"), []byte(text), 0o600))
	trace := strings.ReplaceAll(small, "50000002:7:", "50000002:501:")
	expect.Success(t, os.WriteFile(filepath.Join(dir, "a.prv"), []byte(trace), 0o600))
	x := expect.Value(Open(filepath.Join(dir, "a.prv")))(t)
	last := steps(t, x)[0]
	expect.Equal(t, last[len(last)-1].Operation, workloads.Allreduce, "operation")
	_, err = read("t", strings.NewReader(trace), operations, inMemory)
	expect.Failure(t, err, "collective call 501 is not known")
}

// A file of names of objects names the nodes, and is refused if it has another form.
func TestNodes(t *testing.T) {
	const text = "LEVEL CPU SIZE 2\n1.s01\n2.s01\n\nLEVEL NODE SIZE 2\r\ns01\r\nLEVEL\r\n\r\nLEVEL THREAD SIZE 1\nTHREAD 1.1.1\n"
	expect.List(t, expect.Value(readNodes("t.row", strings.NewReader(text)))(t), []string{"s01", "LEVEL"}, "nodes")
	for _, tt := range []struct{ text, says string }{
		{"x\n", "t.row: byte 0: \"x\" is not a heading"},
		{"LEVEL NODE\n", "t.row: byte 10: "},
		{"LEVEL NODE SIZE x\n", "t.row: byte 16: no number of names"},
		{"LEVEL NODE SIZE 1\na\nb\n", "t.row: byte 20: "},
		{"LEVEL NODE SIZE 3\na\n", "t.row: byte 20: the file ends; expected 2 more names"},
	} {
		_, err := readNodes("t.row", strings.NewReader(tt.text))
		expect.Failure(t, err, tt.says)
	}
	trace := filepath.Join(t.TempDir(), "a.prv.gz")
	expect.Equal(t, len(expect.Value(NodesOf(trace))(t)), 0, "nodes without a file")
	row := expect.File(t, "b.row", text)
	trace = strings.TrimSuffix(row, ".row") + ".prv.gz"
	expect.Equal(t, len(expect.Value(NodesOf(trace))(t)), 2, "nodes")
	expect.List(t, NamesFiles(trace), []string{row}, "files")
}
