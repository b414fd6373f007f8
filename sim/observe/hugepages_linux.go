package observe

import (
	"syscall"
	"unsafe"
)

// leastBlock is the length of the shortest block, which fills a page of 2 MiB.
const leastBlock = 1 << 17

// inHugePages asks for records to be kept in pages of 2 MiB, where the system has them: to be given memory in pages of
// 4 KiB can take as long as a simulation. It is an advice, and where it is not taken all is as before. For less than one
// page it does not pay. The first and the last page may be shared with what lies beside in the heap.
func inHugePages[T any](records []T) {
	const page = 2 << 20
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(records)))
	end := begin + uintptr(len(records))*unsafe.Sizeof(*new(T))
	if end-begin >= page {
		begin, end = begin/page*page, (end+page-1)/page*page
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, begin, end-begin, syscall.MADV_HUGEPAGE)
	}
}
