package model

import (
	"cmp"
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

//go:embed data/*.csv
var data embed.FS

// CatalogueNodes returns the built-in node types, sorted by age. Their prices are in the currency of the source.
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
		n.IdlePower, n.Cards = units.Watts(row.number("idle_w")), int(row.number("nics"))
		row.figures(&n.Entry, []catalogueFigure{
			{QuantityPrice, n.Price, "price"}, {QuantitySpeed, n.Speed, "hpl"},
			{QuantityMemoryBandwidth, n.MemoryBandwidth, "stream"}, {quantityMemory, n.Memory, "memory"},
			{QuantityPower, n.Power, "power"}, {quantitySpace, input.Number(n.RackUnits), "rack_units"},
			{quantityIdlePower, n.IdlePower, "idle"}, {quantityCards, n.Cards, "nics"},
		})
		if b := row.number("link_GBps"); b > 0 {
			n.inside(topology.Connection{Latency: units.Seconds(row.number("link_us") / 1e6),
				Bandwidth: units.BytesPerSecond(b * 1e9)}, row.source("link"))
			n.figure(QuantityInsideLatency, n.OnNode.Latency.String(), "catalogue: estimate")
		}
		if row.text("kind") == "gpu" { // of which the node has the sums
			each := units.FlopsPerSecond(n.Cores)
			n.Precision, n.Devices = "fp64", &topology.Devices{
				Count: n.Cores, Memory: n.Memory / units.Bytes(each), MemoryBandwidth: n.MemoryBandwidth / units.BytesPerSecond(each),
				Speeds: []topology.PrecisionSpeed{{Precision: "fp64", Speed: n.Speed / each}},
			}
			if peak := units.FlopsPerSecond(row.number("bf16_tflops") * 1e12); peak > 0 { // of one
				n.Devices.Speeds = append(n.Devices.Speeds, topology.PrecisionSpeed{Precision: "bf16", Speed: peak})
				n.figure(speedOfDevice("bf16"), peak.String(), row.source("bf16"))
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
			CablePrice: usd("cable_price"), FatTree: true, Oversubscription: 1,
		}
		row.figures(&n.Entry, []catalogueFigure{
			{QuantityLatency, n.Latency, "measured"}, {QuantityBandwidth, n.Bandwidth, "measured"},
			{quantityPortPrice, n.PortPrice, "port"}, {quantitySwitchPrice, n.Switch.Price, "switch"},
			{quantityCablePrice, n.CablePrice, "cable"}, {QuantityPower, n.powerText(), "power"},
		})
		networks = append(networks, n)
	}
	return networks
}

// A catalogueFigure has a quantity, which begins the name of the column with its source, and a value, empty where the
// figure is not known.
type catalogueFigure struct {
	quantity string
	value    any
	source   string
}

// A catalogueRow has the cells of an entry by column name.
type catalogueRow map[string]string

func (r catalogueRow) text(column string) string {
	cell, ok := r[column]
	if !ok {
		panic(fmt.Sprintf("buy: the catalogue has no column %q", column))
	}
	return cell
}

// number returns a cell; an empty one is 0.
func (r catalogueRow) number(column string) float64 {
	x, err := strconv.ParseFloat(cmp.Or(r.text(column), "0"), 64)
	if err != nil {
		panic(fmt.Sprintf("buy: %s of %s in the catalogue: %v", column, r.text("name"), err))
	}
	return x
}

func (r catalogueRow) source(of string) string { return "catalogue: " + r.text(of+"_source") }

func (r catalogueRow) figures(e *Entry, all []catalogueFigure) {
	for _, f := range all {
		if r.text(f.source+"_source") == "" {
			continue
		}
		e.figure(f.quantity, fmt.Sprint(f.value), r.source(f.source))
		if _, isMoney := f.value.(units.Money); isMoney {
			x := e.Find(f.quantity)
			x.Range, x.Date = strings.ReplaceAll(r.text(f.source+"_range"), "-", " to "), r.text("price_date")
		}
	}
}

// A Document is where figures of the catalogue are from.
type Document struct{ Name, Address, Kind, Read string }

// Documents returns the documents that the sources of figures name.
func Documents(figures []Figure) (all []Document) {
	for _, row := range catalogueRows("sources") {
		d := Document{row.text("document"), row.text("url"), row.text("kind"), row.text("read")}
		if slices.ContainsFunc(figures, func(f Figure) bool { return strings.Contains(f.Source, d.Name) }) {
			all = append(all, d)
		}
	}
	return all
}

// catalogueRows reads a data file. The file is part of the program, so a broken one is a panic.
func catalogueRows(file string) (rows []catalogueRow) {
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
	for _, record := range records[1:] {
		row := catalogueRow{}
		for i, column := range records[0] {
			row[column] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}
