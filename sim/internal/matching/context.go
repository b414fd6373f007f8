package matching

import "math"

// Tags from FirstContext on are apart: those of context c are ContextTags in number and
// begin at FirstContext + c ContextTags. Context 0 has the messages of collective
// operations among all ranks. Each other one is a group's: the lower half of its tags
// is for messages, which AnyOf(c) matches, the upper half for collective operations,
// which no wildcard matches.
const (
	FirstContext int32 = 1 << 30
	ContextTags  int32 = 1 << contextBits
	Contexts           = FirstContext/ContextTags - 1 // the largest context

	contextBits = 16
)

// AnyOf returns the wildcard for the messages of a group: a number below Any that
// differs from the first tag of the group in the two highest bits.
func AnyOf(context int32) int32 { return math.MinInt32 | context<<contextBits }

// IsAnyOf reports whether a tag is a wildcard of a group.
func IsAnyOf(tag int32) bool {
	return tag >= AnyOf(1) && tag <= AnyOf(Contexts) && tag%ContextTags == 0
}

// IsAnyFor reports whether a wildcard of a group matches a tag.
func IsAnyFor(wildcard, tag int32) bool {
	const differ = 3 << 30 // the two highest bits
	return uint32(wildcard^tag)&^uint32(ContextTags/2-1) == differ
}

// ContextOf returns the group's context that a tag or a wildcard belongs to, if it
// belongs to one.
func ContextOf(tag int32) (context int32, ok bool) {
	return tag & (FirstContext - 1) >> contextBits, IsAnyOf(tag) || tag >= FirstContext+ContextTags
}
