package topology

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
)

// Devices are the accelerators of a node, all alike. A process that runs on a
// device has it for itself. A quantity of 0 is not known.
type Devices struct {
	Count int // at least 1
	// Speeds are the marked speeds of one device by the precision of the numbers
	// that it computes with, in the order of the description; at least one.
	Speeds          []PrecisionSpeed
	Memory          units.Bytes          // of one device
	MemoryBandwidth units.BytesPerSecond // of one device, for its own memory
	// Link connects a device with the others of its node, each way; nil if they
	// are connected as the cores of the node are.
	Link             *Connection
	Power, IdlePower units.Watts // of one device under load and without work
	WaitPower        units.Watts // of one whose process is in messages
	Kernels          []Kernel    // the efficiencies of a device
}

// PrecisionSpeed is the speed at which a device computes with numbers of one
// precision.
type PrecisionSpeed struct {
	Precision string // fp64, bf16, ...
	Speed     units.FlopsPerSecond
}

// Kernel is the efficiency of an inner loop: the fraction of the marked speed
// that it sustains.
type Kernel struct {
	Name     string
	Fraction float64 // above 0
}

// usualPrecision is the one of marked speeds, and so the one that devices
// compute with if nothing else is said.
const usualPrecision = "fp64"

// Precisions returns the names of the precisions in the order of the description.
func (d *Devices) Precisions() []string {
	names := make([]string, len(d.Speeds))
	for i, s := range d.Speeds {
		names[i] = s.Precision
	}
	return names
}

// Speed returns the marked speed of a device at a precision, 0 if it is not known.
func (d *Devices) Speed(precision string) units.FlopsPerSecond {
	i := slices.IndexFunc(d.Speeds, func(s PrecisionSpeed) bool { return s.Precision == precision })
	if i < 0 {
		return 0
	}
	return d.Speeds[i].Speed
}

// DefaultPrecision returns what devices compute with if nothing is said: double
// precision, or the only precision that is known. It is "" if that is not clear.
func (d *Devices) DefaultPrecision() string {
	switch {
	case d.Speed(usualPrecision) > 0:
		return usualPrecision
	case len(d.Speeds) == 1:
		return d.Speeds[0].Precision
	}
	return ""
}

// CheckDevices reports why n processes cannot run on the devices of each node of
// that type, one on each.
func (m *Machine) CheckDevices(typeName string, n int) error {
	t := m.Type(typeName)
	switch {
	case t == nil:
		return fmt.Errorf("machine %s has no node type %q", m.Name, typeName)
	case t.Devices == nil:
		return fmt.Errorf("a %s node has no devices", typeName)
	case n < 1 || n > t.Devices.Count:
		return fmt.Errorf("a %s node has %d devices and each process needs one, so %d processes do not go", typeName, t.Devices.Count, n)
	}
	return nil
}

// CheckPrecision reports why the devices of that type cannot compute at a precision.
func (m *Machine) CheckPrecision(typeName, precision string) error {
	t := m.Type(typeName)
	if t == nil || t.Devices == nil {
		return m.CheckDevices(typeName, 1)
	}
	if t.Devices.Speed(precision) == 0 {
		return fmt.Errorf("the speed of the devices of %s at precision %q is not known; expected one of %s", typeName, precision, strings.Join(t.Devices.Precisions(), ", "))
	}
	return nil
}

// Kernel returns the efficiency of a kernel on the cores of a node, or on its
// devices; false if the type does not state it.
func (t *NodeType) Kernel(name string, onDevices bool) (float64, bool) {
	kernels := t.Kernels
	if onDevices && t.Devices != nil {
		kernels = t.Devices.Kernels
	}
	i := slices.IndexFunc(kernels, func(k Kernel) bool { return k.Name == name })
	if i < 0 {
		return 0, false
	}
	return kernels[i].Fraction, true
}

// TotalPower returns the power of a node with its devices under load, 0 if it is
// not known.
func (t *NodeType) TotalPower() units.Watts {
	if t.Power == 0 || t.Devices == nil {
		return t.Power
	}
	return t.Power + units.Watts(units.Watts(t.Devices.Count)*t.Devices.Power)
}

// TotalIdlePower is [NodeType.TotalPower] without work.
func (t *NodeType) TotalIdlePower() units.Watts {
	if t.IdlePower == 0 || t.Devices == nil {
		return t.IdlePower
	}
	return t.IdlePower + units.Watts(units.Watts(t.Devices.Count)*t.Devices.IdlePower)
}
