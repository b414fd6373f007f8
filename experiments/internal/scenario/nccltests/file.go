package nccltests

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
)

// File is the format of what a program of nccl-tests prints: a comment for each rank with its host, and a row for each
// size,
//
//	#  Rank  0 Group  0 Pid  41 on  node-1 device  0 [0x1b] NVIDIA H100 80GB HBM3
//	#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
//	#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
//	    33554432       8388608     float     sum      -1    215.0  156.07  273.12      0    214.1  156.72  274.27      0
//
// of which the out-of-place time is used. Rows of 0 bytes are ignored.
var File = document.Format{Want: wantFile, Parse: parse}

// Lists of a file: the host of each rank; the size, time and bandwidths of each row; the name of the program, if it is
// printed.
const (
	listHosts     = "hosts"
	listTests     = "tests"
	listSizes     = "size"
	listTimes     = "time"
	listAlgorithm = "algbw"
	listBus       = "busbw"
)

var columns = []string{listSizes, listTimes, listAlgorithm, listBus}

var (
	rankLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#\s*Rank\s+(\d+)\s.*\bon\s+(\S+)\s+device\s`) })
	testLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#\s*Collective test starting:\s*(\S+)`) })
)

const wantFile = "output of nccl-tests"

const wantRow = "a row of nccl-tests: size, count, type, redop, root, time, algbw, busbw"

func parse(file string, data []byte) (*yamldoc.Node, error) {
	start := yamldoc.Position{File: file, Line: 1, Column: 1}
	hosts, tests := yamldoc.List{Key: listHosts, Pos: start}, yamldoc.List{Key: listTests, Pos: start}
	rows := each.Of(columns, func(name string) yamldoc.List { return yamldoc.List{Key: name, Pos: start} })
	var problems yamldoc.Problems
	last := 0.0 // size
	for i, line := range strings.Split(string(data), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		pos := yamldoc.Position{File: file, Line: i + 1, Column: strings.Index(line, words[0]) + 1}
		bad := func(want, format string, args ...any) {
			problems = append(problems, &yamldoc.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Want: want})
		}
		if m := rankLine().FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if m[1] != strconv.Itoa(len(hosts.Values)) {
				bad("the ranks of one run, from 0", "rank %s behind %d ranks", yamldoc.Clip(m[1]), len(hosts.Values))
			}
			hosts.Values = append(hosts.Values, yamldoc.Value{Pos: pos, Text: m[2]})
			continue
		}
		if m := testLine().FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			tests.Values = append(tests.Values, yamldoc.Value{Pos: pos, Text: m[1]})
			continue
		}
		if _, err := strconv.ParseUint(words[0], 10, 64); err != nil {
			continue
		}
		if len(words) < 8 {
			bad(wantRow, "%d words", len(words))
			continue
		}
		texts := []string{words[0], words[5], words[6], words[7]}
		var values [4]float64
		for j, text := range texts {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || !(v >= 0) || math.IsInf(v, 0) {
				bad("a number, at least 0", "%s is %q", columns[j], yamldoc.Clip(text))
				values[0] = 0
				break
			}
			values[j] = v
		}
		size, time, bandwidth := values[0], values[1]*1e-6, values[2]*1e9
		switch {
		case size == 0:
			continue
		case time == 0:
			bad("above 0", "time is 0")
		case size <= last:
			bad("sizes of one run, which grow", "size %s behind %.0f", texts[0], last)
		// Bandwidths have two decimals, times at least three digits.
		case math.Abs(size/time-bandwidth) > 0.02*bandwidth+0.02e9:
			bad("size/time", "algbw is %s GB/s, but %s B in %s us are %.2f GB/s", texts[2], texts[0], texts[1], size/time/1e9)
		}
		last = max(last, size)
		for j, text := range texts {
			rows[j].Values = append(rows[j].Values, yamldoc.Value{Pos: pos, Text: text})
		}
	}
	missing := func(what string) {
		problems = append(problems, &yamldoc.Error{Pos: start, Msg: "no " + what, Want: wantFile})
	}
	if len(rows[0].Values) == 0 && len(problems) == 0 {
		missing("row of a size")
	}
	if len(hosts.Values) == 0 && len(problems) == 0 {
		missing("line of a rank, such as # Rank 0 Group 0 Pid 41 on node-1 device 0")
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return yamldoc.Lists(start, append(rows, hosts, tests)...), nil
}
