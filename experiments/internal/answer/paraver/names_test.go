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
	_, err = Read("t", strings.NewReader(trace))
	expect.Failure(t, err, "collective call 501 is not known")
}
