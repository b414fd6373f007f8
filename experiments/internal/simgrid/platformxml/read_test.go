package platformxml_test

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/simgrid/platformxml"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// mustRead reads a platform without mistakes.
func mustRead(t testing.TB, text string) *topology.Platform {
	t.Helper()
	return expect.Value(platformxml.Read("p.xml", []byte(text)))(t)
}

// names returns the links of a route, or the error.
func names(t testing.TB, p *topology.Platform, from, to string) string {
	t.Helper()
	a, ok := p.HostNumber(from)
	b, ok2 := p.HostNumber(to)
	expect.Need(t, ok && ok2, "no host %s or %s", from, to)
	route, err := p.Route(nil, a, b)
	if err != nil {
		var none *topology.NoRouteError
		expect.Need(t, errors.As(err, &none) && none.From == from && none.To == to,
			"route from %s to %s: %v", from, to, err)
		return "none"
	}
	var list []string
	for _, l := range route {
		list = append(list, p.Links[l].Name)
	}
	return strings.Join(list, " ")
}

// TestRoutesOfSimGrid compares routes with those that SimGrid 3.32 gives for the
// same files (Host::route_to after the platform is sealed): each line is a
// source, a destination and the links, none if there is no route. Of the larger
// platforms there is every fourth source.
func TestRoutesOfSimGrid(t *testing.T) {
	files, err := filepath.Glob("testdata/*.xml")
	expect.Need(t, err == nil && len(files) >= 7, "%d files, %v", len(files), err)
	total := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data := expect.Value(os.ReadFile(file))(t)
			p := mustRead(t, string(data))
			want := expect.Value(os.Open(strings.TrimSuffix(file, ".xml") + ".routes"))(t)
			defer want.Close()
			lines := bufio.NewScanner(want)
			for lines.Scan() {
				from, rest, _ := strings.Cut(lines.Text(), " ")
				to, links, found := strings.Cut(rest, " ")
				if !found {
					links = "none"
				}
				expect.Equal(t, names(t, p, from, to), links, "%s to %s", from, to)
				total++
			}
		})
	}
	expect.That(t, total >= 500, "compared only %d routes", total)
	t.Logf("compared %d routes", total)
}

// in puts elements into a zone of routing Full.
func in(elements string) string {
	return `<platform version="4.1"><zone id="z" routing="Full">` + elements + `</zone></platform>`
}

const twoHosts = `<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>`

func TestHosts(t *testing.T) {
	for _, tt := range []struct {
		attributes string
		speed      float64
		cores      int
	}{
		{`speed="1"`, 1, 1},
		{`speed="2f"`, 2, 1},
		{`speed="1.5e3kf" core="6"`, 1.5e6, 6},
		{`speed="3Mf"`, 3e6, 1},
		{`speed=".5Gf"`, 5e8, 1},
		{`speed="7.Tf"`, 7e12, 1},
		{`speed="1Ef"`, 1e18, 1}, // exa, not an exponent
		{`speed="2megaflops"`, 2e6, 1},
		{`speed="1Gf, 2Gf,3Gf" pstate="2"`, 3e9, 1},
		{`speed="1Gf,0f" pstate="0.0"`, 1e9, 1},
		{`speed="8.095Gf"`, 8095000000.000001, 1}, // 8.095 * 1e9 in float64
	} {
		p := mustRead(t, in(`<host id="a" `+tt.attributes+`/>`))
		h := p.Hosts[0]
		expect.That(t, float64(h.Speed) == tt.speed && h.Cores == tt.cores && h.Name == "a" &&
			h.Memory == topology.NoLink,
			"%s: %+v", tt.attributes, h)
	}
}

func TestLinks(t *testing.T) {
	for _, tt := range []struct {
		attributes         string
		bandwidth, latency float64
		fatPipe            bool
	}{
		{`bandwidth="1"`, 1, 0, false},
		{`bandwidth="8bps" latency="2"`, 1, 2, false},
		{`bandwidth="2KiBps" latency="3ms"`, 2048, 3 * 1e-3, false},
		{`bandwidth="8Mibps" latency="1m"`, 1 << 20, 60, false},
		{`bandwidth="1Gbps" latency="100us"`, 125e6, 9.999999999999999e-05, false}, // 100 * 1e-6 in float64
		{`bandwidth="41.279125MBps" latency="59.904us"`, 41279125, 59.904e-6, false},
		{`bandwidth="1EBps" latency="5ns"`, 1e18, 5e-9, false},
		{`bandwidth="1kBps" latency="1h" sharing_policy="FATPIPE"`, 1000, 3600, true},
		{`bandwidth="1TBps" latency="1w"`, 1e12, 604800, false},
		{`bandwidth="1e-3MBps" latency="1d"`, 1000, 86400, false},
	} {
		p := mustRead(t, in(twoHosts+`<link id="l" `+tt.attributes+`/>`))
		l := p.Links[0]
		expect.That(t, float64(l.Bandwidth) == tt.bandwidth && float64(l.Latency) == tt.latency &&
			l.FatPipe == tt.fatPipe,
			"%s: %+v", tt.attributes, l)
	}
	p := mustRead(t, in(twoHosts+`<link id="l" bandwidth="1GBps" latency="1s" sharing_policy="SPLITDUPLEX"/>`))
	expect.That(t, p.Links[0].Name == "l_UP" && p.Links[1].Name == "l_DOWN" && p.Links[0].Bandwidth == 1e9 &&
		p.Links[1].Latency == 1,
		"split-duplex: %+v", p.Links)
	expect.Equal(t, p.Links[2], (topology.Link{Name: "__loopback__", Bandwidth: 10e9, FatPipe: true}), "implicit loopback")
}

// Expected by the rules as the document page states them.
func TestRoutes(t *testing.T) {
	const links = `<link id="x" bandwidth="1" latency="0"/><link id="y" bandwidth="1" latency="0"/><link id="s" bandwidth="1" latency="0" sharing_policy="SPLITDUPLEX"/>`
	const three = twoHosts + `<host id="c" speed="1Gf"/>` + links
	const cluster = `<platform version="4.1"><cluster id="k" prefix="h" suffix="" radical="0-2" speed="1Gf" bw="1" lat="0" `
	for _, tt := range []struct{ name, text, from, to, want string }{
		{"there", in(three + `<route src="a" dst="b"><link_ctn id="x"/><link_ctn id="s" direction="UP"/></route>`), "a", "b", "x s_UP"},
		{"back", in(three + `<route src="a" dst="b"><link_ctn id="x"/><link_ctn id="s" direction="UP"/></route>`), "b", "a", "s_DOWN x"},
		{"down", in(three + `<route src="a" dst="b"><link_ctn id="s" direction="DOWN"/></route>`), "b", "a", "s_UP"},
		{"a half stays", in(three + `<route src="a" dst="b"><link_ctn id="s_UP"/></route>`), "b", "a", "s_UP"},
		{"one way", in(three + `<route src="a" dst="b" symmetrical="NO"><link_ctn id="x"/></route>`), "b", "a", "none"},
		{"other way", in(three + `<route src="a" dst="b" symmetrical="NO"><link_ctn id="x"/></route><route src="b" dst="a" symmetrical="no"><link_ctn id="y"/></route>`), "b", "a", "y"},
		{"full does not join", in(three + `<route src="a" dst="b"><link_ctn id="x"/></route><route src="b" dst="c"><link_ctn id="y"/></route>`), "a", "c", "none"},
		{"floyd joins", strings.Replace(in(three+`<route src="a" dst="b"><link_ctn id="x"/></route><route src="b" dst="c"><link_ctn id="y"/></route>`), "Full", "Floyd", 1), "a", "c", "x y"},
		{"dijkstra joins", strings.Replace(in(three+`<route src="a" dst="b"><link_ctn id="x"/></route><route src="b" dst="c"><link_ctn id="y"/></route>`), "Full", "dijkstra", 1), "c", "a", "y x"},
		{"fewest links, not routes", strings.Replace(in(three+`<route src="a" dst="b"><link_ctn id="x"/></route><route src="b" dst="c"><link_ctn id="y"/></route>`+
			`<route src="a" dst="c"><link_ctn id="x"/><link_ctn id="x"/><link_ctn id="x"/></route>`), "Full", "Floyd", 1), "a", "c", "x y"},
		{"none", strings.Replace(in(twoHosts), "Full", "None", 1), "a", "b", "none"},
		{"implicit loopback", in(three), "a", "a", "__loopback__"},
		{"implicit loopback, none", strings.Replace(in(twoHosts), "Full", "None", 1), "a", "a", "__loopback__"},
		{"declared loopback", in(three + `<route src="a" dst="a"><link_ctn id="y"/></route>`), "a", "a", "y"},
		{"flat", cluster + `/></platform>`, "h0", "h2", "k_link_0_UP k_link_2_DOWN"},
		{"flat, self", cluster + `/></platform>`, "h1", "h1", "k_link_1_UP k_link_1_DOWN"},
		{"flat, shared, self", cluster + `sharing_policy="SHARED"/></platform>`, "h1", "h1", "k_link_1"},
		{"flat, backbone", cluster + `bb_bw="1" bb_lat="1"/></platform>`, "h0", "h2", "k_link_0_UP k_backbone k_link_2_DOWN"},
		{"flat, limiter", cluster + `limiter_link="1"/></platform>`, "h0", "h2", "k_link_0_limiter k_link_0_UP k_link_2_DOWN k_link_2_limiter"},
		{"flat, loopback", cluster + `loopback_bw="1"/></platform>`, "h2", "h2", "k_link_2_loopback"},
		{"ring, short way", cluster + `topology="TORUS" topo_parameters="3"/></platform>`, "h0", "h2", "k_link_from_2_to_0_DOWN"},
		{"ring, self", cluster + `topology="TORUS" topo_parameters="3"/></platform>`, "h0", "h0", "__loopback__"},
		{"one switch", cluster + `topology="FAT_TREE" topo_parameters="1;3;1;1" sharing_policy="SHARED"/></platform>`, "h0", "h2", "link_from_0_5_0 link_from_2_5_2"},
		{"two routers", strings.Replace(cluster, "0-2", "0-1", 1) + `topology="DRAGONFLY" topo_parameters="1,1;1,1;2,3;1"/></platform>`, "h1", "h0",
			"local_link_from_router_1_to_node_0_1_UP green_link_in_chassis_0_between_routers_0_and_1_2_DOWN local_link_from_router_0_to_node_0_0_DOWN"},
		{"cluster zone, no link", strings.Replace(in(twoHosts), "Full", "Cluster", 1), "a", "b", "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect.Equal(t, names(t, mustRead(t, tt.text), tt.from, tt.to), tt.want, "%s to %s", tt.from, tt.to)
		})
	}
}

func TestGreenCablesAreOneLink(t *testing.T) {
	p := mustRead(t, `<platform version="4.1"><cluster id="k" prefix="h" suffix="" radical="0-1" speed="1Gf" bw="5" lat="0" `+
		`topology="DRAGONFLY" topo_parameters="1,1;1,1;2,3;1"/></platform>`)
	route, err := p.Route(nil, 0, 1)
	expect.That(t, err == nil && p.Links[route[1]].Bandwidth == 15,
		"bandwidth of three cables of 5: %v, %v", p.Links[route[1]], err)
}

// A missing part makes a missing route, also behind a gateway.
func TestMissingBehindGateway(t *testing.T) {
	p := mustRead(t, `<platform version="4.1"><zone id="w" routing="Full">`+
		`<zone id="l" routing="Full">`+twoHosts+`</zone><zone id="r" routing="Full"><host id="c" speed="1Gf"/></zone>`+
		`<link id="x" bandwidth="1"/><zoneRoute src="l" dst="r" gw_src="a" gw_dst="c"><link_ctn id="x"/></zoneRoute></zone></platform>`)
	got := names(t, p, "a", "c") + "," + names(t, p, "c", "a") + "," + names(t, p, "b", "c")
	expect.That(t, got == "x,x,none", "%v", got)
}

// Route appends and leaves what was there, and the buffer as it was on failure.
func TestRouteAppends(t *testing.T) {
	p := mustRead(t, in(twoHosts+`<host id="c" speed="1Gf"/><link id="x" bandwidth="1"/><route src="a" dst="b"><link_ctn id="x"/></route>`))
	if got, err := p.Route([]int32{7, 8}, 0, 1); err != nil || !slices.Equal(got, []int32{7, 8, 0}) {
		t.Error(got, err)
	}
	if got, err := p.Route([]int32{7, 8}, 0, 2); err == nil || !slices.Equal(got, []int32{7, 8}) {
		t.Error(got, err)
	}
}

func TestNotes(t *testing.T) {
	p := mustRead(t, `<platform version="4.1">
<config><prop id="network/model" value="CM02"/></config>
<zone id="z" routing="Full"><prop id="x" value="y"/>
<host id="a" speed="1Gf" coordinates="1 2"><prop id="p" value="q"/><disk id="d" read_bw="1" write_bw="1"><prop id="r" value="s"/></disk></host>
</zone></platform>`)
	want := []string{
		"p.xml:2: <config> is ignored: options are given where the simulation is described",
		"p.xml:3: <prop> is ignored: properties do not change times (2 times)",
		"p.xml:4: the attribute coordinates of host is ignored",
		"p.xml:4: <disk> is ignored: disks are not simulated",
	}
	expect.List(t, p.Notes, want, "p.Notes")
}

func TestReadErrors(t *testing.T) {
	zone := func(routing, elements string) string {
		return `<platform version="4.1"><zone id="z" routing="` + routing + "\">\n" + elements + `</zone></platform>`
	}
	full := func(elements string) string { return zone("Full", elements) }
	cluster := func(attributes string) string {
		return "<platform version=\"4.1\">\n" + `<cluster id="k" prefix="h" suffix="" speed="1Gf" bw="1" lat="0" ` + attributes + `/></platform>`
	}
	const link = `<link id="l" bandwidth="1"/>`
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "1:1: no platform; expected <platform"},
		{"not XML", "hello", "1:1: unexpected text \"hello\"; expected elements only"},
		{"broken tag", "<platform version=\"4.1\">\n<zone id=>", "2:11: unquoted or missing attribute value"},
		{"ends early", `<platform version="4.1">`, "1:25: the file ends; expected </platform>"},
		{"wrong end", "<platform version=\"4.1\">\n</zone>", "2:1: unexpected </zone>; expected </platform>"},
		{"no hosts", `<platform version="4.1"></platform>`, "a platform without hosts; expected at least one"},
		{"two platforms", in(twoHosts) + "\n<platform version=\"4.1\"/>", "2:1: <platform> after the platform; expected the end of the file"},
		{"old version", `<platform version="3">`, `1:11: platform version="3": not a version that can be read; expected 4 or 4.1`},
		{"entities", "<?xml version='1.0'?>\n<!DOCTYPE platform [<!ENTITY a \"b\">]>", "2:1: declarations of a document type in the file"},
		{"unknown entity", `<platform version="4.1"><zone id="&a;" routing="Full"/>`, "invalid character entity &a;"},
		{"unknown element", full("<gpu/>"), "2:1: unknown element <gpu>"},
		{"refused element", full(`<peer id="p"/>`), "2:1: <peer> is not supported"},
		{"trace", full(`<trace id="t" periodicity="1">0 1</trace>`), "2:1: <trace> is not supported"},
		{"unknown attribute", full(`<host id="a"` + "\n" + `  gpu="1" speed="1Gf"/>`), "3:3: unknown attribute gpu of host; expected one of id, speed, core, pstate, coordinates"},
		{"refused attribute", full(`<host id="a" speed="1Gf" state_file="x"/>`), `2:26: host state_file="x": not supported`},
		{"missing attribute", full(`<host id="a"/>`), "2:1: host has no speed; expected this attribute"},
		{"attribute twice", full(`<host id="a" speed="1Gf" speed="1Gf"/>`), `2:14: host speed="1Gf": given twice`},
		{"misplaced", `<platform version="4.1">` + "\n" + `<host id="a" speed="1Gf"/>`, "2:1: <host> in <platform>; expected it in zone, AS"},
		{"unknown value", full(`<link id="l" bandwidth="1" sharing_policy="BEST"/>`), `2:28: link sharing_policy="BEST": unknown value; expected SHARED, SPLITDUPLEX, FULLDUPLEX, FATPIPE, WIFI`},
		{"wifi", full(`<link id="l" bandwidth="1" sharing_policy="WIFI"/>`), `2:28: link sharing_policy="WIFI": not supported`},
		{"unknown unit", full(`<link id="l" bandwidth="1KBps"/>`), `2:14: link bandwidth="1KBps": unknown unit "KBps"; expected a bandwidth above 0`},
		{"no number", full(`<link id="l" bandwidth="fast"/>`), `bandwidth="fast": no number`},
		{"infinite", full(`<link id="l" bandwidth="1e999"/>`), `bandwidth="1e999": a number out of range`},
		{"no bandwidth", full(`<link id="l" bandwidth="0"/>`), `bandwidth="0": no bandwidth`},
		{"several bandwidths", full(`<link id="l" bandwidth="1;2"/>`), `unknown unit ";2"`},
		{"negative latency", full(`<link id="l" bandwidth="1" latency="-1s"/>`), `2:28: link latency="-1s": a negative value`},
		{"no speed", full(`<host id="a" speed="0Gf"/>`), `speed="0Gf": no speed`},
		{"no such state", full(`<host id="a" speed="1Gf" pstate="1"/>`), `2:26: host pstate="1": there are 1 speeds`},
		{"no cores", full(`<host id="a" speed="1Gf" core="0"/>`), `core="0": not such a number; expected a whole number from 1 to`},
		{"host twice", full(twoHosts + "\n" + `<router id="a"/>`), `3:1: there is already a host, router or zone "a"; expected another name`},
		{"link twice", full(link + "\n" + link), `3:1: there is already a link "l"`},
		{"wifi zone", zone("Wifi", ""), `1:38: zone routing="Wifi": not supported; expected Full, Floyd`},
		{"vivaldi host", zone("Vivaldi", twoHosts), "2:1: a host in a zone of routing Vivaldi"},
		{"mixed", full(twoHosts + "\n" + `<zone id="y" routing="Full"/>`), "3:1: a zone beside hosts and routers"},
		{"mixed, too", full(`<zone id="y" routing="Full"/>` + "\n" + twoHosts), "3:1: a host beside zones"},
		{"cabinet beside a later zone", zone("Cluster", `<cabinet id="c" prefix="" suffix="" radical="1" speed="1" bw="1" lat="1"/><zone id="y" routing="Full"/>`), "2:1: a cabinet beside zones"},
		{"two roots", "<platform version=\"4.1\"><zone id=\"a\" routing=\"Full\"/>\n<zone id=\"b\" routing=\"Full\"/>", "2:1: a second outermost zone"},
		{"unknown end", full(twoHosts + link + "\n" + `<route src="a" dst="x">`), `3:16: route dst="x": unknown; expected a host, router or zone`},
		{"unknown link", full(twoHosts + "\n" + `<route src="a" dst="b"><link_ctn id="x"/>`), `3:34: link_ctn id="x": unknown`},
		{"empty route", full(twoHosts + "\n" + `<route src="a" dst="b"></route>`), "3:1: a route without links"},
		{"route twice", full(twoHosts + link + `<route src="a" dst="b"><link_ctn id="l"/></route>` + "\n" + `<route src="b" dst="a"><link_ctn id="l"/></route>`), "3:1: there is already a route from b to a, or back"},
		{"no direction", full(twoHosts + `<link id="s" bandwidth="1" sharing_policy="SPLITDUPLEX"/>` + "\n" + `<route src="a" dst="b"><link_ctn id="s"/></route>`), `3:34: link_ctn id="s": a split-duplex link; expected direction="UP"`},
		{"direction of a shared link", full(twoHosts + link + "\n" + `<route src="a" dst="b"><link_ctn id="l" direction="UP"/></route>`), `3:41: link_ctn direction="UP": the link is not split-duplex`},
		{"route of a zone", full(`<zone id="y" routing="Full">` + twoHosts + `</zone>` + "\n" + `<route src="y" dst="a">`), `3:8: route src="y": a zone`},
		{"route elsewhere", full(`<zone id="y" routing="Full">` + twoHosts + `</zone>` + "\n" + `<route src="a" dst="b">`), `3:8: route src="a": not in this zone; expected something in zone z`},
		{"gateway outside", full(`<zone id="x" routing="Full"><host id="a" speed="1"/></zone><zone id="y" routing="Full"><host id="b" speed="1"/></zone>` + "\n" +
			`<zoneRoute src="x" dst="y" gw_src="a" gw_dst="a">`), `3:39: zoneRoute gw_dst="a": outside of zone y; expected a host or router inside of it`},
		{"route in none", zone("None", twoHosts+link+"\n"+`<route src="a" dst="b">`), "3:1: <route> in a zone of routing None"},
		{"cabinet in full", full(`<cabinet id="c" prefix="" suffix="" radical="1" speed="1" bw="1" lat="1"/>`), "2:1: <cabinet> in a zone of routing Full; expected it in a zone of routing Cluster"},
		{"route in a cluster", zone("Cluster", twoHosts+link+"\n"+`<route src="a" dst="b">`), "3:1: a route between different hosts of a zone of routing Cluster"},
		{"host_link of nothing", zone("Cluster", `<host_link id="a" up="l" down="l"/>`), `2:12: host_link id="a": unknown; expected a host of zone z`},
		{"host_link over nothing", zone("Cluster", twoHosts+`<host_link id="a" up="l" down="l"/>`), `host_link up="l": unknown`},
		{"radical", cluster(`radical="3-1"`), `2:65: cluster radical="3-1": "3-1" is neither; expected numbers and ranges`},
		{"radical twice", cluster(`radical="1,1"`), `there is already a host, router or zone "h1"`},
		{"huge radical", cluster(`radical="0-2000000000"`), "2:1: too many hosts; expected at most 1048576"},
		{"huge links", cluster(`radical="0-1000000" limiter_link="1" topology="TORUS" topo_parameters="10,10,10,10,10,10"`), "2:1: too many links; expected at most 4194304"},
		{"torus", cluster(`radical="0-3" topology="TORUS" topo_parameters="2,x"`), `topo_parameters="2,x": "x" is not a number above 0`},
		{"too few hosts", cluster(`radical="0-3" topology="TORUS" topo_parameters="5"`), `radical="0-3": 4 hosts; expected the 5 of topo_parameters="5"`},
		{"fat tree", cluster(`radical="0-3" topology="FAT_TREE" topo_parameters="2;2,2;1,1"`), `3 parts; expected at most 16 levels`},
		{"fat tree levels", cluster(`radical="0-3" topology="FAT_TREE" topo_parameters="2;2,2;1;1,1"`), `"1" does not have 2 numbers`},
		{"huge fat tree", cluster(`radical="0-3" topology="FAT_TREE" topo_parameters="2;2,2;60000,60000;60000,60000"`), `too many links`},
		{"dragonfly", cluster(`radical="0-3" topology="DRAGONFLY" topo_parameters="3,1;1,1;2,1;1"`), "3 groups, but 2 routers in a chassis"},
		{"latency without bandwidth", cluster(`radical="0-3" bb_lat="1s"`), `bb_lat="1s": a latency without a bandwidth`},
		{"deep", `<platform version="4.1">` + deep(33), "zones nested too deeply; expected at most 32"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := platformxml.Read("p.xml", []byte(tt.text))
			var s *platformxml.SyntaxError
			expect.Need(t, p == nil && errors.As(err, &s), "%v, %v", p, err)
			expect.That(t, strings.HasPrefix(err.Error(), "p.xml:") &&
				strings.Contains(strings.TrimPrefix(err.Error(), "p.xml:"), tt.want),
				"%v; want %s", err, tt.want)
		})
	}
}

// deep is n zones in each other.
func deep(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`<zone routing="Full" id="z` + strings.Repeat("i", i) + `">`)
	}
	return b.String()
}

func TestDeepestZone(t *testing.T) {
	const deepest = 32
	text := `<platform version="4.1">` + deep(deepest) + twoHosts + strings.Repeat("</zone>", deepest) + `</platform>`
	got := names(t, mustRead(t, text), "a", "b")
	expect.That(t, got == "none", "%v", got)
}

func TestTooLarge(t *testing.T) {
	expect.Refusal(platformxml.Read("p.xml", make([]byte, 64<<20+1)))(t, "the file is too large")
}
