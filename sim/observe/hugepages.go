//go:build !linux

package observe

// leastBlock is the length of the shortest block. In a browser, clearing longer ones costs more than it saves.
const leastBlock = 1 << 15

// inHugePages does nothing: this system has no huge pages, or decides itself when to use them.
func inHugePages[T any]([]T) {}
