package isoscale_test

import (
	"errors"
	"testing"

	"github.com/isoscale/isoscale"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
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
