package platformxml

// MaxRoutes is the largest number of route elements of all kinds in a file; the way
// back counts as well.
const MaxRoutes = 1 << 20

// Limits of a file. They keep a small file from asking for a large amount of
// memory or time: one cluster element can stand for any number of hosts.
const (
	maxSize       = 64 << 20 // bytes of a file
	maxDepth      = 32       // zones within zones
	maxHosts      = 1 << 20  // of the platform
	maxLinks      = 1 << 22  // of the platform; a split-duplex link counts twice
	maxRouteLinks = 1 << 23  // link_ctn elements; the way back counts as well
	maxCores      = 1 << 20  // of a host
	maxFloyd      = 1 << 10  // points of a Floyd zone, if there is one; else the sum of their cubes is at most 2^30
	maxDijkstra   = 1 << 12  // points of a Dijkstra zone
	maxDimensions = 16       // of a torus; levels of a fat tree
)

// limits are those limits that tests make smaller.
type limits struct{ hosts, links int }
