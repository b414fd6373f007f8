package model

import (
	"cmp"
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

//go:embed data/*.csv
var data embed.FS

// CatalogueNodes returns the built-in node types in the order of their age. Their
// prices keep the currency of the source.
func CatalogueNodes() []Node {
	var nodes []Node
	for _, row := range catalogueRows("nodes") {
		n := Node{
			Entry:           Entry{Name: row.text("name"), Title: row.text("title") + ": " + row.text("processors")},
			Cores:           int(row.number("cores")),
			Speed:           units.FlopsPerSecond(row.number("hpl_gflops") * 1e9),
			Memory:          units.Bytes(row.number("memory_GB") * 1e9),
			MemoryBandwidth: units.BytesPerSecond(row.number("stream_GBps") * 1e9),
			Power:           units.Watts(row.number("power_w")),
			RackUnits:       row.number("rack_units"),
			Price:           units.Money{Amount: row.number("price"), Currency: row.text("currency")},
		}
		n.Processes, n.Threads = n.Cores, 1
		from := func(column string) string { return "catalogue: " + row.text(column) }
		n.figure(QuantityPrice, n.Price.String(), from("price_source"))
		n.figure(QuantitySpeed, n.Speed.String(), from("hpl_source"))
		n.figure(QuantityMemoryBandwidth, n.MemoryBandwidth.String(), from("stream_source"))
		if n.Memory > 0 {
			n.figure(quantityMemory, n.Memory.String(), from("memory_source"))
		}
		n.figure(QuantityPower, n.Power.String(), from("power_source"))
		n.figure(quantitySpace, input.Number(n.RackUnits), from("rack_units_source"))
		if n.IdlePower = units.Watts(row.number("idle_w")); n.IdlePower > 0 {
			n.figure(quantityIdlePower, n.IdlePower.String(), from("idle_source"))
		}
		if n.Cards = int(row.number("nics")); n.Cards > 0 {
			n.figure(quantityCards, fmt.Sprint(n.Cards), from("nics_source"))
		}
		if b := row.number("link_GBps"); b > 0 {
			n.inside(topology.Connection{Latency: units.Seconds(row.number("link_us") / 1e6),
				Bandwidth: units.BytesPerSecond(b * 1e9)}, from("link_source"))
			n.figure(QuantityInsideLatency, n.OnNode.Latency.String(), "catalogue: estimate")
		}
		if row.text("kind") == "gpu" { // of which the node has the sums
			each := units.FlopsPerSecond(n.Cores)
			n.Precision, n.Devices = "fp64", &topology.Devices{
				Count: n.Cores, Memory: n.Memory / units.Bytes(each), MemoryBandwidth: n.MemoryBandwidth / units.BytesPerSecond(each),
				Speeds: []topology.PrecisionSpeed{{Precision: "fp64", Speed: n.Speed / each}},
			}
			if peak := row.number("bf16_tflops"); peak > 0 { // of one
				n.Devices.Speeds = append(n.Devices.Speeds,
					topology.PrecisionSpeed{Precision: "bf16", Speed: units.FlopsPerSecond(peak * 1e12)})
			}
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// CatalogueNetworks returns the built-in networks, the slowest first. Their prices are in USD.
func CatalogueNetworks() []Network {
	var networks []Network
	for _, row := range catalogueRows("networks") {
		usd := func(column string) units.Money { return units.Money{Amount: row.number(column), Currency: "USD"} }
		n := Network{
			Entry:     Entry{Name: row.text("name"), Title: row.text("title")},
			Latency:   units.Seconds(row.number("latency_us") / 1e6),
			Bandwidth: units.BytesPerSecond(row.number("bandwidth_GBps") * 1e9),
			PortPrice: usd("port_price"), PortPower: units.Watts(row.number("port_power_w")),
			Switch: Switch{
				Price: usd("switch_price"), Ports: int(row.number("switch_ports")),
				Power: units.Watts(row.number("switch_power_w")), RackUnits: 1,
			},
			FatTree: true, Oversubscription: 1,
		}
		measured := "catalogue: " + row.text("measured_source")
		n.figure(QuantityLatency, n.Latency.String(), measured)
		n.figure(QuantityBandwidth, n.Bandwidth.String(), measured)
		n.figure(quantityPortPrice, n.PortPrice.String(), "catalogue: "+row.text("port_source"))
		n.figure(quantitySwitchPrice, n.Switch.Price.String(), "catalogue: "+row.text("switch_source"))
		n.figure(QuantityPower, n.powerText(), "catalogue: "+row.text("power_source"))
		networks = append(networks, n)
	}
	return networks
}

type catalogueRow struct {
	file    string
	columns map[string]int
	cells   []string
}

func (r catalogueRow) text(column string) string {
	i, ok := r.columns[column]
	if !ok {
		panic(fmt.Sprintf("buy: data/%s.csv has no column %q", r.file, column))
	}
	return r.cells[i]
}

// number returns a cell; an empty one is 0.
func (r catalogueRow) number(column string) float64 {
	x, err := strconv.ParseFloat(cmp.Or(r.text(column), "0"), 64)
	if err != nil {
		panic(fmt.Sprintf("buy: data/%s.csv: %s of %s: %v", r.file, column, r.cells[0], err))
	}
	return x
}

// catalogueRows reads a data file. It panics where the file is broken: it is part of the program.
func catalogueRows(file string) []catalogueRow {
	var records [][]string
	f, err := data.Open("data/" + file + ".csv")
	if err == nil {
		reader := csv.NewReader(f)
		reader.Comment = '#'
		records, err = reader.ReadAll()
	}
	if err != nil || len(records) < 2 {
		panic(fmt.Sprintf("buy: data/%s.csv: %v", file, err))
	}
	columns := map[string]int{}
	for i, name := range records[0] {
		columns[name] = i
	}
	rows := make([]catalogueRow, len(records)-1)
	for i, record := range records[1:] {
		rows[i] = catalogueRow{file, columns, record}
	}
	return rows
}
