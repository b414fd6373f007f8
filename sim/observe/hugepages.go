//go:build !linux

package observe

// leastBlock is the length of the shortest block: in a browser, clearing a longer one would take longer than what it is for.
const leastBlock = 1 << 13

// inHugePages does nothing: this system has no huge pages, or decides itself.
func inHugePages[T any]([]T) {}
