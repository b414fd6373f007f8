package batch

import (
	"flag"
	"os"
	"testing"
)

// built is the folder of the program that the tests call.
var built string

// The tests on Slurm wait most of their time, so more of them run at once than there
// are cores.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		if err := f.Value.Set("8"); err != nil {
			panic(err)
		}
	}
	os.Exit(func() int {
		var err error
		if built, err = os.MkdirTemp("", "isoscale"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(built)
		return m.Run()
	}())
}
