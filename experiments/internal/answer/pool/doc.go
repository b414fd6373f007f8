// Package pool does pieces of work at the same time.
package pool
