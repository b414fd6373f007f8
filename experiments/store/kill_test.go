package store

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// childEnv names the study that the test binary works on instead of testing.
const childEnv = "ISOSCALE_STORE_TEST_STUDY"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		if err := work(path); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work computes missing shards, with a clock on which a point
// takes 0.3 s, and tells what it adopts.
func work(path string) error {
	d, err := Open(path)
	if err != nil {
		return err
	}
	now := time.Now()
	d.sys.now = func() time.Time { now = now.Add(300 * time.Millisecond); return now }
	missing, err := d.Missing()
	if err != nil {
		return err
	}
	fmt.Println("begins")
	// From one of the first on, in order: then two processes often meet, and
	// shards get complete in spite of all.
	from := rand.IntN(min(3, len(missing)))
	for _, shard := range slices.Concat(missing[from:], missing[:from]) {
		a, err := d.Begin(shard)
		if errors.Is(err, ErrComplete) {
			continue
		}
		if err != nil {
			return err
		}
		fmt.Println("adopted", a.Adopted())
		for {
			point, ok := a.Next()
			if !ok {
				break
			}
			time.Sleep(100 * time.Microsecond)
			if err := a.Put(sampleRow(point), 0); err != nil {
				return err
			}
		}
		if err := a.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// Processes are killed 50 times at random moments, two working at the same time.
// What is computed in the end is what one undisturbed process computes.
func TestKilled(t *testing.T) {
	t.Parallel()
	// Each sleeps for 100 us in each point and lives for 15 ms at most: 50 of
	// them compute at most 7500 points, so none gets to the end.
	p := samplePlan(9000, 300)
	create := func() *Dir {
		d := mustCreate(t, p)
		d.sys = withoutSyncs(d.sys)
		return d
	}
	clean, d := create(), create()
	compute(t, clean)
	want := merged(t, clean)
	adopted := 0
	for range 25 {
		adopted += killTwo(t, d.path)
	}
	missing, err := d.Missing()
	if err != nil {
		t.Fatal(err)
	}
	parts, err := filepath.Glob(filepath.Join(d.path, "part-*"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rows adopted by children; %d of %d shards missing, %d parts left", adopted, len(missing), p.Shards, len(parts))
	own := 0
	for _, shard := range missing {
		a, err := d.Begin(shard)
		if err != nil {
			t.Fatal(err)
		}
		own += a.Adopted()
		rest(t, a)
	}
	if adopted == 0 || own == 0 {
		t.Errorf("%d rows adopted by children and %d at the end: this tests nothing", adopted, own)
	}
	if got := merged(t, d); got != want {
		t.Error("the merge differs from the undisturbed one")
	}
	if got := names(t, d); len(got) != p.Shards+2 {
		t.Errorf("files %q", got)
	}
}

// killTwo starts two processes, kills each at a random moment and returns how
// many rows they have adopted.
func killTwo(t *testing.T, path string) (adopted int) {
	t.Helper()
	count := make(chan int, 2)
	for range 2 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childEnv+"="+path)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		go func() {
			rows := 0
			lines := bufio.NewScanner(out)
			begun := false
			for lines.Scan() {
				var n int
				switch line := lines.Text(); {
				case strings.HasPrefix(line, "failed"):
					t.Errorf("a child %s", line)
				case line == "begins":
					begun = true
					time.AfterFunc(rand.N(15*time.Millisecond), func() { _ = child.Process.Kill() })
				default:
					if _, err := fmt.Sscanf(line, "adopted %d", &n); err == nil {
						rows += n
					}
				}
			}
			if err := child.Wait(); err == nil || !begun {
				t.Errorf("a child was not killed: %v", err)
			}
			count <- rows
		}()
	}
	return <-count + <-count
}
