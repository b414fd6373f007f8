package platformxml_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/simgrid/platformxml"
)

// Two clusters behind routers, and the way from a host of one to a host of the
// other.
func Example() {
	const file = `<?xml version="1.0"?>
<platform version="4.1">
  <zone id="site" routing="Full">
    <cluster id="old" prefix="o" suffix="" radical="0-15" speed="2Gf" bw="1Gbps" lat="50us"/>
    <cluster id="new" prefix="n" suffix="" radical="0-63" speed="40Gf" core="8" bw="10Gbps" lat="5us" bb_bw="200Gbps" bb_lat="1us"/>
    <link id="trunk" bandwidth="40Gbps" latency="20us"/>
    <zoneRoute src="old" dst="new" gw_src="oold_router" gw_dst="nnew_router">
      <link_ctn id="trunk"/>
    </zoneRoute>
  </zone>
</platform>`
	p, err := platformxml.Read("site.xml", []byte(file))
	if err != nil {
		fmt.Println(err)
		return
	}
	from, _ := p.HostNumber("o3")
	to, _ := p.HostNumber("n40")
	route, err := p.Route(nil, from, to)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range route {
		fmt.Println(p.Links[l].Name, p.Links[l].Bandwidth.Bits(), p.Links[l].Latency)
	}
	fmt.Println(len(p.Hosts), "hosts,", p.Latency(route), "from o3 to n40")
	// Output:
	// old_link_3_UP 1 Gbit/s 50 us
	// trunk 40 Gbit/s 20 us
	// new_backbone 200 Gbit/s 1 us
	// new_link_40_DOWN 10 Gbit/s 5 us
	// 80 hosts, 76 us from o3 to n40
}
