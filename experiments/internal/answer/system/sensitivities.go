package system

import "github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"

// Sensitivities returns the derivatives of the time of a simulation with this critical path. Work stays where it is,
// although a workload would divide it differently at other speeds. REQUIRES: messages do not share links, and the
// system had Laws set.
func (x *Simulation) Sensitivities(path efficiencies.Walk) *efficiencies.Sensitivities {
	var hosts []efficiencies.Hosts
	places := map[efficiencies.Hosts]int{}
	of := make([]int, len(x.System.Speeds)) // by rank
	for _, b := range x.System.Placement.Blocks {
		h := efficiencies.Hosts{Where: b.Type.Name, Speed: float64(b.Speed()), Memory: float64(b.Memory().Bandwidth), Unit: "flop/s"}
		if b.OnDevices() {
			h.Where += " (devices)"
		}
		if _, ok := places[h]; !ok {
			places[h] = len(hosts)
			hosts = append(hosts, h)
		}
		for r := range b.Nodes * b.Processes {
			of[x.System.Placement.Rank(b.FirstSlot+r)] = places[h]
		}
	}
	prices := x.System.Prices()
	if x.System.places.Links != nil {
		prices.AddLaws(x.System.places)
	}
	return efficiencies.SensitivitiesOf(path, prices, hosts, func(rank int32) int { return of[rank] })
}
