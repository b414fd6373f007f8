package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
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

// mostPoints is how many points a child computes before it only waits for its end, so that its progress does not depend
// on the speed of the machine.
const mostPoints = 150

// work computes missing shards, with a clock on which a point takes 0.3 s, and
// tells what it adopts and when it puts a row.
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
	// Starting at one of the first shards, in order: then two processes often meet, and shards still become complete.
	from := rand.IntN(min(3, len(missing)))
	put := 0
	for _, shard := range slices.Concat(missing[from:], missing[:from]) {
		a, err := d.Begin(shard, nil)
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
			if err := a.Put(sampleRow(point), 0); err != nil {
				return err
			}
			fmt.Println("put")
			if put++; put == mostPoints {
				_, err := io.Copy(io.Discard, os.Stdin) // ends when the parent does
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
	expect.Long(t, "takes seconds")
	t.Parallel()
	// 50 children compute at most 7500 points, so none gets to the end.
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
	missing := expect.Value(d.Missing())(t)
	parts := expect.Value(filepath.Glob(filepath.Join(d.path, "part-*")))(t)
	own := 0
	for _, shard := range missing {
		a := expect.Value(d.Begin(shard, nil))(t)
		own += a.Adopted()
		rest(t, a)
	}
	t.Logf("%d rows adopted by children and %d at the end; %d of %d shards were missing, %d parts left", adopted, own, len(missing), p.Shards, len(parts))
	// At the end there may be none: the last children may have died between shards.
	expect.That(t, adopted != 0, "no row was adopted: this tests nothing")
	expect.That(t, merged(t, d) == want, "the merge differs from the undisturbed one")
	expect.Equal(t, len(names(t, d)), p.Shards+2, "files")
}

// killTwo starts two processes, kills each at a random moment and returns how
// many rows they have adopted.
func killTwo(t *testing.T, path string) (adopted int) {
	t.Helper()
	count := make(chan int, 2)
	for range 2 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childEnv+"="+path)
		in := expect.Value(child.StdinPipe())(t)
		out := expect.Value(child.StdoutPipe())(t)
		expect.Success(t, child.Start())
		go func() {
			defer in.Close()
			// Killed after that many rows, by which time it has put some more.
			left := rand.IntN(mostPoints)
			rows := 0
			lines := bufio.NewScanner(out)
			begun := false
			for lines.Scan() {
				var n int
				switch line := lines.Text(); {
				case strings.HasPrefix(line, "failed"):
					t.Errorf("a child %s", line)
				case line == "begins", line == "put":
					begun = true
					if left == 0 {
						_ = child.Process.Kill()
					}
					left--
				default:
					if _, err := fmt.Sscanf(line, "adopted %d", &n); err == nil {
						rows += n
					}
				}
			}
			err := child.Wait()
			expect.That(t, err != nil && begun, "a child was not killed: %v", err)
			count <- rows
		}()
	}
	return <-count + <-count
}
