package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
)

// Every entry of the catalogue is complete.
func TestCatalogue(t *testing.T) {
	nodes, networks := CatalogueNodes(), CatalogueNetworks()
	expect.That(t, len(nodes) >= 20 && len(networks) >= 10, "%d node types and %d networks", len(nodes), len(networks))
	var figures []Figure
	for _, n := range nodes {
		figures = append(figures, n.Figures...)
		expect.That(t, n.Cores >= 1 && n.Speed > 0 && n.Power > 0 && n.RackUnits > 0, "%+v", n)
		expect.That(t, n.Price.Amount > 0 && n.Price.Currency != "", "price of %+v", n)
		expect.That(t, n.IdlePower >= 0 && n.IdlePower <= n.Power,
			"%s: idle power %v of %v", n.Name, n.IdlePower, n.Power)
		if d := n.Devices; d != nil {
			expect.That(t, d.Speed("fp64") > 0 && d.Memory > 0 && d.MemoryBandwidth > 0, "%s: devices %+v", n.Name, d)
			expect.That(t, n.Cards >= 1 && (d.Count == 1 || n.OnNode != nil), "%s: %d cards, %+v", n.Name, n.Cards, n.OnNode)
		}
	}
	for _, n := range networks {
		figures = append(figures, n.Figures...)
		expect.That(t, n.Latency > 0 && n.Bandwidth > 0 && n.Switch.Ports >= 2, "%+v", n)
		expect.That(t, n.PortPrice.Amount > 0 && n.CablePrice.Amount > 0, "prices of %+v", n)
	}
	for _, f := range figures {
		expect.That(t, strings.TrimPrefix(f.Source, "catalogue: ") != "" && f.Value != "", "no source or value: %+v", f)
		var price, low, high float64
		_, err := fmt.Sscanf(f.Value+" "+f.Range, "%f USD %f to %f", &price, &low, &high)
		expect.That(t, f.Range == "" || err == nil && price >= low && price <= high && low < high, "%+v: a price beyond its range", f)
		expect.That(t, strings.HasPrefix(f.Quantity, "price") == (f.Date != ""), "%+v: expected a date of prices", f)
	}
}

// A figure of the catalogue is either an estimate or from a document of sources.csv that was read. Every document is
// used, if only for an estimate.
func TestFiguresOfTheCatalogueNameDocuments(t *testing.T) {
	type document struct {
		name string
		used int
	}
	kinds := []string{"measurement", "operator", "vendor", "seller", "press", "secondary"}
	var documents []*document
	for _, row := range catalogueRows("sources") {
		name, url := row.text("document"), row.text("url")
		expect.That(t, strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://"), "%s has no address: %q", name, url)
		_, err := time.Parse(time.DateOnly, row.text("read"))
		expect.That(t, err == nil, "%s: no day on which it was read: %v", name, err)
		expect.That(t, slices.Contains(kinds, row.text("kind")), "%s: kind %q, want one of %q", name, row.text("kind"), kinds)
		documents = append(documents, &document{name: name})
	}
	for _, file := range []string{"nodes", "networks"} {
		for _, row := range catalogueRows(file) {
			for column := range row {
				figure, isSource := strings.CutSuffix(column, "_source")
				source := row.text(column)
				if !isSource {
					continue
				}
				named := strings.HasPrefix(source, "estimate")
				for _, d := range documents {
					if strings.Contains(source, d.name) {
						named = true
						d.used++
					}
				}
				expect.That(t, named || source == "",
					"%s of %s: %q is no estimate and names no document of sources.csv", figure, row.text("name"), source)
			}
		}
	}
	for _, d := range documents {
		expect.That(t, d.used != 0, "no figure is from %s", d.name)
	}
}

// A published tree for 1024 GPUs has 48 NDR switches and 2048 cables for 2 621 440 USD: 1024 cables to nodes and as
// many between 32 leaves of 32 nodes and 16 spines.
func TestPublishedTreeOfNDR(t *testing.T) {
	all := CatalogueNetworks()
	n := all[slices.IndexFunc(all, func(n Network) bool { return n.Name == "infiniband-ndr" })]
	w, ok := n.Wire(1024)
	expect.That(t, ok, "it cannot be connected")
	expect.Equal(t, w, Wiring{Ports: 1024, Leaves: 32, Spines: 16, Uplinks: 1024, Down: 32}, "wiring")
	expect.Equal(t, float64(w.Ports+w.Cables())*n.CablePrice.Amount, 2621440, "USD of cables")
}
