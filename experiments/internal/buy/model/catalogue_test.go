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
	expect.That(t, len(nodes) >= 20 && len(networks) >= 10,
		"%d node types and %d networks", len(nodes), len(networks))
	var figures []Figure
	for _, n := range nodes {
		figures = append(figures, n.Figures...)
		if n.Cores < 1 || n.Speed <= 0 || n.Price.Amount <= 0 || n.Price.Currency == "" || n.Power <= 0 ||
			n.RackUnits <= 0 {
			t.Errorf("%+v", n)
		}
		expect.That(t, n.IdlePower >= 0 && n.IdlePower <= n.Power,
			"%s: idle power %v of %v", n.Name, n.IdlePower, n.Power)
		if d := n.Devices; d != nil && (n.Cards < 1 || d.Count > 1 && n.OnNode == nil || d.Speed("fp64") <= 0 ||
			d.Memory <= 0 || d.MemoryBandwidth <= 0) {
			t.Errorf("%s: devices %+v, %d cards, connected by %+v", n.Name, d, n.Cards, n.OnNode)
		}
	}
	for _, n := range networks {
		figures = append(figures, n.Figures...)
		if n.Latency <= 0 || n.Bandwidth <= 0 || n.PortPrice.Amount <= 0 || n.CablePrice.Amount <= 0 || n.Switch.Ports < 2 {
			t.Errorf("%+v", n)
		}
	}
	for _, f := range figures {
		expect.That(t, strings.TrimPrefix(f.Source, "catalogue: ") != "" && f.Value != "",
			"no source or value: %+v", f)
		var price, low, high float64
		if _, err := fmt.Sscanf(f.Value+" "+f.Range, "%f USD %f to %f", &price, &low, &high); f.Range != "" &&
			(err != nil || price < low || price > high || low >= high) {
			t.Errorf("%+v: a price beyond its range", f)
		}
		expect.That(t, strings.HasPrefix(f.Quantity, "price") == (f.Date != ""),
			"%+v: expected a date of prices", f)
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
		if url := row.text("url"); !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
			t.Errorf("%s has no address: %q", row.text("document"), url)
		}
		if _, err := time.Parse(time.DateOnly, row.text("read")); err != nil {
			t.Errorf("%s: no day on which it was read: %v", row.text("document"), err)
		}
		if kind := row.text("kind"); !slices.Contains(kinds, kind) {
			t.Errorf("%s: kind %q; expected one of %s", row.text("document"), kind, strings.Join(kinds, ", "))
		}
		documents = append(documents, &document{name: row.text("document")})
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
				if !named && source != "" {
					t.Errorf("%s of %s: %q is no estimate and names no document of sources.csv", figure,
						row.text("name"), source)
				}
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
	if want := (Wiring{Ports: 1024, Leaves: 32, Spines: 16, Uplinks: 1024, Down: 32}); !ok || w != want {
		t.Errorf("%+v, want %+v", w, want)
	}
	expect.Equal(t, float64(w.Ports+w.Cables())*n.CablePrice.Amount, 2621440, "USD of cables")
}
