package store_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// A study of six points in three shards. The first process is interrupted after
// one shard and a row of the next; the second computes what is missing.
func Example() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	dir, err := store.Create(filepath.Join(folder, "squares"), store.Plan{
		Version: "v1",
		Points:  6,
		Shards:  3,
		Columns: []store.Column{{Name: "side", Unit: "m"}, {Name: "area", Unit: "m2"}},
		Spec:    json.RawMessage(`{"shape": "square"}`),
	})
	if err != nil {
		log.Fatal(err)
	}

	compute := func(shard, most int) error {
		attempt, err := dir.Begin(shard, nil)
		if err != nil {
			return err
		}
		defer attempt.Close()
		fmt.Printf("shard %d: %d rows taken over\n", shard, attempt.Adopted())
		for range most {
			point, ok := attempt.Next()
			if !ok {
				return attempt.Commit()
			}
			start := time.Now()
			row := []string{strconv.Itoa(point), strconv.Itoa(point * point)}
			if err := attempt.Put(row, time.Since(start)); err != nil {
				return err
			}
		}
		return nil // interrupted
	}
	if err := compute(0, 10); err != nil {
		log.Fatal(err)
	}
	if err := compute(1, 1); err != nil {
		log.Fatal(err)
	}

	missing, err := dir.Missing()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("missing:", store.Ranges(missing))
	for _, shard := range missing {
		if err := compute(shard, 10); err != nil {
			log.Fatal(err)
		}
	}
	results, err := dir.Merge()
	if err != nil {
		log.Fatal(err)
	}
	table, err := os.ReadFile(results)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(table))
	// Output:
	// shard 0: 0 rows taken over
	// shard 1: 0 rows taken over
	// missing: 1-2
	// shard 1: 1 rows taken over
	// shard 2: 0 rows taken over
	// point,side [m],area [m2]
	// 0,0,0
	// 1,1,1
	// 2,2,4
	// 3,3,9
	// 4,4,16
	// 5,5,25
}
