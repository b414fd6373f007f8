// Package platformxml reads SimGrid's platform files, version 4 and 4.1 of their
// document type, into a topology.Platform: hosts, links, and the route between
// any two hosts. docs/formats/platform-xml.md says which elements are read, which
// are refused and what decides about routes. Routes agree with those of SimGrid
// 3.32 link by link; the page lists the deviations.
//
// # Routes are rules
//
// A zone keeps the rule of its routing and no table of pairs: flat clusters, tori,
// fat trees and dragonflies compute routes from the numbers of their hosts, so a
// cluster costs memory by host and link. Full, Floyd and Dijkstra zones keep the
// routes of the file; Floyd also a table of pairs of the points of that one zone,
// which is why their number is limited, and Dijkstra one tree for each source that
// was asked for. A route between zones is put together when it is asked for.
//
// # Limits
//
// Constants bound what a file may ask for: 64 MiB of text, zones 32
// deep, 2^20 hosts, 2^22 links, 2^19 route elements with 2^22 link_ctn in all, 2^20
// cores of a host, 2^30 for the sum of cubes of the points of Floyd zones, 2^12
// points of a Dijkstra zone, 16 dimensions of a torus or levels of a fat tree. A
// platform at the limit of hosts takes about half a gigabyte. Nothing outside of
// the file is read, neither its document type nor profiles, and a file that
// declares entities is an error.
//
// What it is not: it knows neither time nor sharing, and nothing that changes
// while a machine is in use (profiles, failures), no wireless links and no
// coordinates.
//
// Layer: imports topology, model/units and the standard library. Units: by type;
// values are a number times its unit in float64 as in SimGrid, so they agree to
// the last bit. Determinism: platform and routes are functions of the text alone.
package platformxml
