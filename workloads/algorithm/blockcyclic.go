package algorithm

import "github.com/isoscale/isoscale/workloads/collective"

// blockCyclic is a matrix of order x (order+1) in square blocks, dealt out
// cyclically along both sides to a grid of processes, as in ScaLAPACK and HPL.
type blockCyclic struct {
	order, block  int
	rows, columns int  // of processes
	columnMajor   bool // ranks fill the columns of the grid first
}

// place returns the row and the column of a rank in the grid.
func (g blockCyclic) place(rank int) (row, column int) {
	if g.columnMajor {
		return rank % g.rows, rank / g.rows
	}
	return rank / g.columns, rank % g.columns
}

// rank returns the rank in a row and a column of the grid.
func (g blockCyclic) rank(row, column int) int32 {
	if g.columnMajor {
		return int32(column*g.rows + row)
	}
	return int32(row*g.columns + column)
}

// alongColumn returns the processes of a column of the grid, by row.
func (g blockCyclic) alongColumn(column int) collective.Strided {
	return collective.Strided{First: g.rank(0, column), Stride: g.rank(1%g.rows, 0) - g.rank(0, 0), N: g.rows}
}

// rowsOf returns how many rows of the matrix from the given one on are in a row
// of the grid.
func (g blockCyclic) rowsOf(row, from int) int {
	return Dealt(row, g.rows, g.order, g.block) - Dealt(row, g.rows, from, g.block)
}

// columnsOf is rowsOf for columns, of which the right side is the last.
func (g blockCyclic) columnsOf(column, from int) int {
	return Dealt(column, g.columns, g.order+1, g.block) - Dealt(column, g.columns, from, g.block)
}

// Dealt returns how many of the first n items go to one of p processes if blocks of
// them are dealt out in turn: NUMROC of ScaLAPACK.
func Dealt(process, p, n, block int) int {
	blocks := n / block // complete ones
	items := blocks / p * block
	switch turn := blocks % p; {
	case process < turn:
		items += block
	case process == turn:
		items += n % block
	}
	return items
}
