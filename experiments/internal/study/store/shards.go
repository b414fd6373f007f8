package store

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Shards proposes a number of shards for a study of so many points: the square
// root, at least 32 and at most 1000, but no more than there are points.
//
// Each shard costs a few file operations and, as an array task, a start by the
// scheduler of about a second. So there should not be many more shards than points per
// shard. But workers are given whole shards and wait for the last one at the end, so
// there should be many shards. At the square root both numbers are equal: 32 for 1000
// points, 1000 for a million. With 32 shards even a small study keeps the cores of a
// computer busy. More than 1000 do not fit into a job array of Slurm with its default
// limit, and are slow as files of one directory on network file systems.
func Shards(points int) int {
	root := int(math.Ceil(math.Sqrt(float64(points))))
	return max(1, min(points, max(root, 32), 1000))
}

// Ranges writes numbers in the notation of sbatch --array, sorted and without
// repetition: "7,25,38-39".
func Ranges(numbers []int) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(numbers)))
	var out strings.Builder
	for i := 0; i < len(sorted); {
		last := i
		for last+1 < len(sorted) && sorted[last+1] == sorted[last]+1 {
			last++
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(strconv.Itoa(sorted[i]))
		if last > i {
			out.WriteByte('-')
			out.WriteString(strconv.Itoa(sorted[last]))
		}
		i = last + 1
	}
	return out.String()
}

// ParseRanges reads what Ranges wrote, and the same in another order. Numbers
// are at most 99999; each is returned once, in ascending order. An empty text
// has none.
func ParseRanges(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var numbers []int
	for item := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(item, "-")
		first, err := parseShard(from)
		last := first
		if err == nil && isRange {
			last, err = parseShard(to)
		}
		if err != nil || last < first {
			return nil, fmt.Errorf("shards %q: %q; expected numbers below %d and ranges of them, as in 7,25,38-39", text, item, maxShards)
		}
		if len(numbers)+last-first >= maxShards {
			return nil, fmt.Errorf("shards %q: more than %d; expected each at most once", text, maxShards)
		}
		for n := first; n <= last; n++ {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// parseShard reads the number of a shard: digits only.
func parseShard(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err == nil && n >= maxShards {
		err = strconv.ErrRange
	}
	return int(n), err
}
