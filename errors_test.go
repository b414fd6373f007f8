package isoscale_test

import (
	"errors"
	"testing"

	"github.com/isoscale/isoscale"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// Errors of configuration name the field.
func TestErrorsHaveTheField(t *testing.T) {
	c := expect.Value(isoscale.NewCluster(0, 1e9, isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: 1e9}))(t)
	body := func(*isoscale.Rank) {}
	for field, run := range map[string]func() error{
		"latency": func() error {
			_, err := isoscale.NewCluster(-1, 1e9, isoscale.Node{Name: "n", Count: 1, Cores: 1, Speed: 1})
			return err
		},
		"nodes[0].Cores": func() error {
			_, err := isoscale.NewCluster(0, 1e9, isoscale.Node{Name: "n", Count: 1, Speed: 1})
			return err
		},
		"Network": func() error {
			_, err := isoscale.Run(t.Context(), isoscale.Simulation{Cluster: c, Body: body, Network: isoscale.Custom(nil)})
			return err
		},
		"Streams": func() error {
			_, err := isoscale.Run(t.Context(), isoscale.Simulation{Cluster: c, Body: body, Streams: -1})
			return err
		},
		"Cluster": func() error { _, err := isoscale.Run(t.Context(), isoscale.Simulation{Body: body}); return err },
		"Body":    func() error { _, err := isoscale.Run(t.Context(), isoscale.Simulation{Cluster: c}); return err },
	} {
		var config *sim.ConfigError
		err := run()
		expect.That(t, errors.As(err, &config) && config.Field == field, "%s: got %v", field, err)
	}
}

// What cannot be used is refused before anything takes memory, with what was expected; nothing is ignored.
func TestRefusals(t *testing.T) {
	node := isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: 1e9}
	c, zero := expect.Value(isoscale.NewCluster(0, 1e9, node))(t), &isoscale.Cluster{}
	body := func(*isoscale.Rank) {}
	none := func(int) workloads.Program { return nil }
	for _, x := range []struct {
		run  isoscale.Simulation
		says string
	}{
		{isoscale.Simulation{Cluster: c, Body: body, Streams: 1e9}, "1000000000 streams; expected 0 to 1000"},
		{isoscale.Simulation{Cluster: c, Program: none, Streams: 1}, "1 streams without a Body; expected 0"},
		{isoscale.Simulation{Cluster: c, Program: none}, "the function Program returned nil; expected a program"},
		{isoscale.Simulation{Cluster: zero, Body: body, Network: c.Flow()}, "no cluster; expected that of NewCluster"},
		{isoscale.Simulation{Cluster: zero, Body: body}, "no cluster; expected that of NewCluster"},
	} {
		_, err := isoscale.Run(t.Context(), x.run)
		expect.Failure(t, err, x.says)
	}
	node.Count, node.Cores = 1<<40, 1<<40
	_, err := isoscale.NewCluster(0, 1e9, node)
	expect.Failure(t, err, "Count 1099511627776; expected 1 to 2147483647\n")
	expect.Failure(t, err, "Cores 1099511627776; expected 1 to 2147483647")
}
