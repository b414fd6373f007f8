package report

import (
	"slices"
	"strings"
)

// A Size is a word for how large a deviation is. What the limits are is up to who
// writes the report.
type Size string

const (
	SizeEqual  Size = "equal"
	SizeSlight Size = "slight"
	SizeSmall  Size = "small"
	SizeMedium Size = "medium"
	SizeLarge  Size = "large"
)

// SizeOf returns the size that a cell ends in, as in "+2.6 % small".
func SizeOf(cell string) (size Size, ok bool) {
	size = Size(cell[strings.LastIndex(cell, " ")+1:])
	return size, slices.Contains([]Size{SizeEqual, SizeSlight, SizeSmall, SizeMedium, SizeLarge}, size)
}
