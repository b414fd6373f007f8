package replay

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/topology"
)

// placeByHostfile places ranks on the hosts of a file with one host per line, or
// NAME:COUNT for several ranks. If there are more ranks than places, the file is
// repeated. If ranks is 0, there is one rank for each place. named is the number of
// places in the file.
func placeByHostfile(file string, data []byte, p *topology.Platform, ranks int) (of []int32, named int, err error) {
	number := make(map[string]int32, len(p.Hosts))
	for i := range p.Hosts {
		number[p.Hosts[i].Name] = int32(i)
	}
	var places []int32 // no more than there are ranks, if that is given
	lines := bufio.NewScanner(bytes.NewReader(data))
	for line := 1; lines.Scan(); line++ {
		name := strings.TrimSpace(lines.Text())
		if name == "" {
			continue
		}
		count := 1
		host, known := number[name]
		if i := strings.LastIndexByte(name, ':'); !known && i >= 0 {
			n, err := strconv.Atoi(strings.TrimSpace(name[i+1:]))
			if err != nil || n < 1 || n > topology.MaxRanks {
				return nil, 0, input.PlacedErrorf("%s:%d: %q after the host; expected how many ranks run there, at least 1", file, line, name[i+1:])
			}
			count = n
			host, known = number[strings.TrimSpace(name[:i])]
		}
		if !known {
			return nil, 0, input.PlacedErrorf("%s:%d: no host %q in the platform; expected one of its %d hosts, such as %s", file, line, name, len(p.Hosts), p.Hosts[0].Name)
		}
		if named+count > topology.MaxRanks {
			return nil, 0, input.PlacedErrorf("%s:%d: more than %d ranks", file, line, topology.MaxRanks)
		}
		named += count
		for ; count > 0 && (ranks == 0 || len(places) < ranks); count-- {
			places = append(places, host)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, 0, input.Errorf("%s: %v", file, err)
	}
	if len(places) == 0 {
		return nil, 0, input.Errorf("%s: no host; expected one on each line", file)
	}
	if ranks == 0 {
		return places, named, nil
	}
	of = make([]int32, ranks)
	for r := range of {
		of[r] = places[r%len(places)]
	}
	return of, named, nil
}
