package sim_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// own is a network that a user has written, with a smallest latency of 1 s.
type own struct {
	network.Ideal
	cost     network.Cost
	handling network.Handling
}

func (n own) Message(int32, int32, units.Bytes) network.Cost { return n.cost }
func (n own) MinLatency() units.Seconds                      { return 1 }
func (n own) Handling() network.Handling                     { return n.handling }

// A network that breaks its contract is refused, and the part is named.
func TestNetworksKeepTheirContract(t *testing.T) {
	nan, inf := units.Seconds(math.NaN()), units.Seconds(math.Inf(1))
	for _, tt := range []struct {
		net  sim.Network
		want string // "" for none
	}{
		{own{cost: network.Cost{Latency: 1}}, ""},
		{own{cost: network.Cost{Latency: 0.5}}, "a latency of 500 ms; expected at least 1 s, its smallest latency"},
		{own{cost: network.Cost{Latency: -1}}, "a latency of -1 s; expected at least 0"},
		{own{cost: network.Cost{Latency: 1, SendOverhead: -1}}, "a send overhead of -1 s; expected at least 0"},
		{own{cost: network.Cost{Latency: 1, RecvOverhead: -1}}, "a receive overhead of -1 s; expected at least 0"},
		{own{cost: network.Cost{Latency: 1, Transmission: nan}}, "a transmission of NaN s; expected at least 0"},
		{own{cost: network.Cost{Latency: inf}}, "expected at most"},
		{own{cost: network.Cost{Latency: 1}, handling: 7}, "unknown handling of messages (7)"},
		{network.Hockney{Latency: 1, Bandwidth: -1}, "bandwidth"},
	} {
		s := script{{send(1, 8, 0)}, {recv(0, 0)}}
		_, err := sim.Run(context.Background(), sim.Config{Program: s.program(), Network: tt.net, Rates: ones(2)})
		expect.Outcome(t, err, tt.want)
	}
	// To itself, a message may take no time.
	s := script{{isend(0, 8, 0, 1), recv(0, 0), wait(1)}}
	expect.Value(sim.Run(context.Background(), sim.Config{Program: s.program(), Network: own{}, Rates: ones(1)}))(t)
	_, err := sim.Run(context.Background(), sim.Config{
		Program: s.program(), Network: own{}, Rates: ones(1), Protocol: network.Protocol{EveryMessage: true},
	})
	expect.Failure(t, err, "a protocol beside a network")
}

// The zero Protocol has no limits: the sender of 8 B goes on at once.
func TestZeroProtocol(t *testing.T) {
	s := script{{send(1, 8, 0), compute(1)}, {compute(20), recv(0, 0)}}
	for _, tt := range []struct {
		protocol network.Protocol
		want     units.Seconds // end of rank 0
	}{
		{network.Protocol{}, 1},
		// The data flow when the receive is posted, and take 1 s + 8 s.
		{network.Protocol{EveryMessage: true}, 30},
	} {
		r := expect.Value(onFabric(t, s, star{}.machine(2), tt.protocol))(t)
		expect.Equal(t, r.Ranks[0].Finish, tt.want, "%+v: the sender ends at", tt.protocol)
	}
}

// Errors of a configuration name the field.
func TestConfigErrorsNameTheField(t *testing.T) {
	for field, spoil := range map[string]func(c *sim.Config){
		"Program":       func(c *sim.Config) { c.Program = nil },
		"Network":       func(c *sim.Config) { c.Network = network.Hockney{Latency: -1, Bandwidth: 1} },
		"Protocol":      func(c *sim.Config) { c.Protocol.EagerBelow = 1 },
		"Rates":         func(c *sim.Config) { c.Rates = c.Rates[1:] },
		"Rates[1]":      func(c *sim.Config) { c.Rates[1] = 0 },
		"Rates[2]":      func(c *sim.Config) { c.Rates[2], c.Site.Place = 5, []int32{0, 1, 1} },
		"Memory":        func(c *sim.Config) { c.Memory = []units.BytesPerSecond{1} },
		"Memory[1]":     func(c *sim.Config) { c.Memory = []units.BytesPerSecond{1, 0, 1} },
		"Processes[0]":  func(c *sim.Config) { c.Processes = []sim.Process{{Name: "idle"}} },
		"Events[1]":     func(c *sim.Config) { c.Events = []*sim.Event{sim.NewEvent("x"), nil} },
		"Site.Place":    func(c *sim.Config) { c.Site.Place = []int32{0} },
		"Site.Place[1]": func(c *sim.Config) { c.Site.Place = []int32{0, 3, 0} },
	} {
		c := sim.Config{Program: script{{}, {}, {}}.program(), Network: hockney, Rates: ones(3)}
		expect.Success(t, c.Validate())
		spoil(&c)
		_, err := sim.Run(context.Background(), c)
		e, ok := errors.AsType[*sim.ConfigError](err)
		expect.That(t, ok && e.Field == field && errors.Unwrap(e) != nil, "%s: %v", field, err)
	}
}
