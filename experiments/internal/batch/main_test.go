package batch

import (
	"flag"
	"os"
	"testing"
)

// The tests on Slurm wait most of their time, so more of them run at once than there
// are cores.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		if err := f.Value.Set("8"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
