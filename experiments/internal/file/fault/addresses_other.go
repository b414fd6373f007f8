//go:build !linux

package fault

import "github.com/isoscale/isoscale/model/units"

// leftAddresses returns false: on this system a limit is not known.
func leftAddresses() (units.Bytes, bool) { return 0, false }
