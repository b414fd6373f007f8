package titrace

// datatypeSizes are the sizes of SMPI's data types in bytes, by the number that
// stands for them in a trace. They are those of C on 64-bit Linux. Measured by
// sending a million of each.
var datatypeSizes = [...]int8{
	0: 8, // MPI_DOUBLE
	4, 1, 2, 8, 4,
	6: 1, // MPI_BYTE
	8, 1, 1, 2, 4, 8, 8, 16, 4, 1,
	17: 1, 2, 4, 8, 1, 2, 4, 8, // MPI_INT8_T to MPI_UINT64_T
	25: 8, 16, 32, // complex numbers
	8, 8,
	30: 8, 16, 16, 8, 8, 8, 16, 16, // pairs, for MPI_MINLOC and MPI_MAXLOC
	38: 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, // those of Fortran
	50: 32,
	51: 1, 8, 16, 32, // those of C++
	0, 0, 1, 8, 8,
}

const (
	doubleSize = 8 // of what counts count after "init" with an argument
	byteSize   = 1 // and without
)
