//go:build !linux

package observe

// inHugePages does nothing: this system has no huge pages, or decides itself.
func inHugePages[T any]([]T) {}
