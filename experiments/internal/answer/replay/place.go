package replay

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// placeByHostfile places ranks on the hosts of a file with one host per line, or NAME:COUNT for
// several ranks. If there are more ranks than places, the file is repeated. If ranks is 0, there is
// one rank for each place. named is the number of places in the file.
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
				return nil, 0, input.PlacedErrorf("%s:%d: %q after the host; expected the number of ranks there, at least 1", file, line, name[i+1:])
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

// sharedCoresWarning says how many ranks share cores because their hosts have
// more ranks than cores, and why ranks are placed so.
func sharedCoresWarning(p *topology.Platform, place []int32, why string) []string {
	on := ranksOn(p, place)
	ranks, hosts, first := 0, 0, 0
	for h := range p.Hosts {
		if on[h] <= p.Hosts[h].Cores {
			continue
		}
		if hosts == 0 {
			first = h
		}
		hosts++
		ranks += on[h]
	}
	if hosts == 0 {
		return nil
	}
	x, having := &p.Hosts[first], "1 host has"
	if hosts > 1 {
		having = fmt.Sprintf("%d hosts have", hosts)
	}
	return []string{fmt.Sprintf("%d of %d ranks share cores and compute more slowly: %s more ranks than cores, the "+
		"first of them %s with %d on %s; %s",
		ranks, len(place), having, x.Name, on[first], input.Plural(x.Cores, "core"), why)}
}

// ranksOn returns the number of ranks on each host.
func ranksOn(p *topology.Platform, place []int32) []int {
	on := make([]int, len(p.Hosts))
	for _, h := range place {
		on[h]++
	}
	return on
}

// processes returns the speeds of ranks when all of them compute, some on shared cores.
func processes(p *topology.Platform, place []int32) []compute.Process {
	on := ranksOn(p, place)
	return each.Of(place, func(h int32) compute.Process {
		x := &p.Hosts[h]
		return compute.Process{Speed: x.Speed * units.FlopsPerSecond(min(1, float64(x.Cores)/float64(on[h]))), Memory: compute.Unlimited}
	})
}

// placeRanks places the ranks. why is the reason for the placement, for the warning
// about shared cores.
func placeRanks(r *document.Reader, o TIOptions, p *topology.Platform,
	ranks int) (place []int32, why string, err error) {
	if o.Hostfile != "" {
		data, err := input.ReadFile(o.Hostfile)
		if err != nil {
			return nil, "", input.Errorf("%s: cannot read: %v; expected a host on each line", o.Hostfile, input.Reason(err))
		}
		r.Record(o.Hostfile, data, o.Hostfile)
		place, named, err := placeByHostfile(filepath.ToSlash(o.Hostfile), data, p, ranks)
		if len(place) > named {
			return place, fmt.Sprintf("%s has places for %s and is repeated", o.Hostfile,
				input.Plural(named, "rank")), err
		}
		return place, "as " + o.Hostfile + " places them", err
	}
	place = make([]int32, 0, ranks)
	for len(place) < ranks {
		for h := range p.Hosts {
			for range p.Hosts[h].Cores {
				if len(place) < ranks {
					place = append(place, int32(h))
				}
			}
		}
	}
	cores := each.Sum(p.Hosts, func(h topology.Host) int { return h.Cores })
	return place, fmt.Sprintf("%s has %s", o.Platform, input.Plural(cores, "core")), nil
}
