package observe

import (
	"syscall"
	"unsafe"
)

// leastBlock is the length of the shortest block, which fills a page of 2 MiB.
const leastBlock = 1 << 19

// inHugePages asks the system to keep records in pages of 2 MiB, because getting memory in pages of 4 KiB can take as
// long as a simulation. This is only advice: where it is not taken, nothing changes. It does not pay for less than one
// page. The first and the last page may also hold neighbours in the heap.
func inHugePages[T any](records []T) {
	const page = 2 << 20
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(records)))
	end := begin + uintptr(len(records))*unsafe.Sizeof(*new(T))
	if end-begin >= page {
		begin, end = begin/page*page, (end+page-1)/page*page
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, begin, end-begin, syscall.MADV_HUGEPAGE)
	}
}
