// Package pool does pieces of work concurrently.
package pool
