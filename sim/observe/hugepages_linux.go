package observe

import (
	"syscall"
	"unsafe"
)

// inHugePages asks for records to be kept in pages of 2 MiB, where the system has them: to be given memory in pages of
// 4 KiB can take as long as a simulation. It is an advice, and where it is not taken all is as before. For less than a few
// of them it does not pay.
func inHugePages[T any](records []T) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(records))), uintptr(len(records))*unsafe.Sizeof(*new(T)))
	if len(bytes) >= 4<<20 {
		_ = syscall.Madvise(bytes, syscall.MADV_HUGEPAGE)
	}
}
