// Package buytest has plans for tests of what to buy.
package buytest
