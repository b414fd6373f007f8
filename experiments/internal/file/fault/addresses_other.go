//go:build !linux

package fault

import "github.com/isoscale/isoscale/model/units"

// leftAddresses is not known here.
func leftAddresses() (units.Bytes, bool) { return 0, false }
