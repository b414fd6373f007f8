package platformxml

// Limits of a file. They keep a small file from asking for a large amount of
// memory or time: one cluster element can stand for any number of hosts.
const (
	MaxSize       = 64 << 20 // bytes of a file
	MaxDepth      = 32       // zones within zones
	MaxHosts      = 1 << 20  // of the platform
	MaxLinks      = 1 << 22  // of the platform; a split-duplex link counts twice
	MaxRoutes     = 1 << 20  // route elements of all kinds; the way back counts as well
	MaxRouteLinks = 1 << 23  // link_ctn elements; the way back counts as well
	MaxCores      = 1 << 20  // of a host
	MaxFloyd      = 1 << 10  // points of a Floyd zone, if there is one; else the sum of their cubes is at most 2^30
	MaxDijkstra   = 1 << 12  // points of a Dijkstra zone
	MaxDimensions = 16       // of a torus; levels of a fat tree
)

// limits are those limits that tests make smaller.
type limits struct{ hosts, links int }
