package algorithm

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Program returns a fresh run of the algorithm. The parameters must be valid.
func (h HPL) Program() workloads.Program {
	r := newHPLRun(h)
	m := h.machine()
	if h.Depth == 0 {
		round := slices.Concat(
			[]phase{r.factor(0), r.copyPanel(0), r.send(0), r.receive(0)},
			r.apply(r.allColumns, whole, 0),
			[]phase{r.finish(0)})
		return m.repeat(r.panels, round...).once(r.substitute)
	}
	next := append(r.apply(r.nextPanel, whole, 0), r.factor(1), r.copyPanel(1), r.send(1))
	others := append(r.apply(r.otherColumns, r.before, 1), r.receive(1), r.update(r.otherColumns, r.after, 2))
	if r.rings.q < h.Columns { // long and longM
		others = append([]phase{r.receive(1)}, r.apply(r.otherColumns, whole, 2)...)
	}
	round := slices.Concat(next, others, []phase{r.finish(1)})
	return m.once(r.factor(0), r.copyPanel(0), r.send(0), r.receive(0), r.finish(0)).
		repeat(r.panels, round...).once(r.substitute)
}

// Tags of the messages that are not those of collective operations.
const (
	tagPanel int32 = 1
	tagSwap  int32 = 2
)

// hplRun is a run of HPL.
type hplRun struct {
	HPL
	g      blockCyclic
	panels int
	// For pivots: the operation in a panel of full width and in the last panel, and the
	// columns of its panel that each process has searched.
	pivot, lastPivot collective.Choice
	searched         []int32
	byColumn         []collective.Group // processes of each column of the grid
	rings            rings              // of the panels
	exchanged        int                // swaps of up to this many columns are binary exchanges, others long
}

func newHPLRun(h HPL) *hplRun {
	r := &hplRun{
		HPL: h, g: h.grid(), panels: (h.N-1)/h.Block + 1, searched: make([]int32, len(h.Speeds)),
		rings: ringsOf(h.Bcast, h.Columns),
	}
	r.pivot, r.lastPivot = timesCost(h.Pivot, r.width(0)), timesCost(h.Pivot, r.width(r.panels-1))
	for column := range h.Columns {
		r.byColumn = append(r.byColumn, r.g.alongColumn(column))
	}
	switch h.Swap {
	case "bin-exch":
		r.exchanged = math.MaxInt
	case "mix":
		r.exchanged = h.Threshold
	}
	return r
}

// timesCost returns the choice for one call that costs as much as n, if the cost is measured.
func timesCost(ch collective.Choice, n int) collective.Choice {
	if ch.Cost != nil {
		f := units.Seconds(n)
		ch.Cost = &collective.Cost{Base: f * ch.Cost.Base, PerProcess: f * ch.Cost.PerProcess,
			PerByte: f * ch.Cost.PerByte}
	}
	return ch
}

// begin returns the first column of a panel, also of the one after the last.
func (h *hplRun) begin(panel int) int { return min(panel*h.Block, h.N) }

// width returns the number of columns of a panel.
func (h *hplRun) width(panel int) int { return h.begin(panel+1) - h.begin(panel) }

// distance returns how far a column of the grid is to the right of the panel's column.
func (h *hplRun) distance(column, panel int) int {
	return (column - panel%h.Columns + h.Columns) % h.Columns
}

// factor is the factorisation of the panel that is that many after the panel of the round.
func (h *hplRun) factor(later int) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		panel := round + later
		row, column := h.g.place(rank)
		if panel >= h.panels || h.distance(column, panel) != 0 {
			return false
		}
		if h.Rows == 1 || h.Pivot.Cost != nil {
			return h.factorAtOnce(row, column, panel, k, op)
		}
		c := h.columnCall(column, 0)
		width := h.width(panel)
		for ; int(h.searched[rank]) < width; h.searched[rank]++ {
			if *k >= 0 { // -1: the search in this column is over
				if collective.Next(h.Pivot, c, collective.Uniform(1, h.pivotSize(panel)), 0, row, k, op) {
					return true
				}
				*k = -1
				if w := h.columnWork(row, panel, int(h.searched[rank])); w > 0 {
					*op = workloads.Op{Kind: workloads.Compute, Work: w}
					return true
				}
			}
			*k = 0
		}
		h.searched[rank] = 0
		return false
	}
}

// factorAtOnce is the factorisation of a panel with one operation for all pivots.
func (h *hplRun) factorAtOnce(row, column, panel int, k *int32, op *workloads.Op) bool {
	if *k == 0 && h.Rows > 1 {
		ch := h.pivot
		if panel == h.panels-1 {
			ch = h.lastPivot
		}
		return collective.Next(ch, h.columnCall(column, 0), collective.Uniform(1, h.pivotSize(panel)), 0, row, k, op)
	}
	if *k > 1 {
		return false
	}
	*k = 2
	*op = workloads.Op{Kind: workloads.Compute, Work: h.panelWork(row, panel)}
	return op.Work > 0
}

// columnCall is a collective call in a column of the grid.
func (h *hplRun) columnCall(column, root int) collective.Call {
	return collective.In(h.byColumn[column], int32(column+1), root)
}

// pivotSize is the size of a message of the search: the candidate row within the
// panel, the row that it replaces, and four numbers that say where they are.
func (h *hplRun) pivotSize(panel int) units.Bytes {
	return units.Bytes(2*h.width(panel)+4) * h.Element
}

// panelWork is the work of a process in that row of the grid in a panel of b columns and m
// rows. Column i costs m-1-i divisions and 2(b-1-i) operations for each of these rows, in total
//
//	(m-b) b^2 + b(b-1)/2 + b(b-1)(2b-1)/3
func (h *hplRun) panelWork(row, panel int) units.Flops {
	b, m := float64(h.width(panel)), float64(h.N-h.begin(panel))
	all := float64((m-b)*b*b) + float64(b*(b-1)/2) + float64(b*(b-1)*(2*b-1)/3)
	return h.shareOfPanel(row, panel, all)
}

// columnWork is the part of panelWork for one column of the panel.
func (h *hplRun) columnWork(row, panel, i int) units.Flops {
	below, right := float64(h.N-h.begin(panel)-1-i), float64(h.width(panel)-1-i)
	return h.shareOfPanel(row, panel, below*(float64(2*right)+1))
}

func (h *hplRun) shareOfPanel(row, panel int, work float64) units.Flops {
	s := h.begin(panel)
	return units.Flops(work * float64(h.g.rowsOf(row, s)) / float64(h.N-s) / h.PanelEfficiency)
}

// copyPanel makes the panel contiguous in the processes that have it, before its broadcast.
func (h *hplRun) copyPanel(later int) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		panel := round + later
		row, column := h.g.place(rank)
		if panel >= h.panels || h.Columns == 1 || h.distance(column, panel) != 0 {
			return false
		}
		numbers := float64(h.g.rowsOf(row, h.begin(panel+1))) * float64(h.width(panel))
		return copying(h.Copies.Dlacpy, numbers, k, op)
	}
}

// send is the part of the panel's owner in its broadcast.
func (h *hplRun) send(later int) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		panel := round + later
		row, column := h.g.place(rank)
		if panel >= h.panels || h.distance(column, panel) != 0 {
			return false
		}
		if int(*k) < len(h.rings.first) {
			h.pass(row, (column+h.rings.first[*k])%h.Columns, panel, *k, op)
			*k++
			return true
		}
		return h.takePart(row, 0, panel, len(h.rings.first), k, op)
	}
}

// receive is the part of the other processes.
func (h *hplRun) receive(later int) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		panel := round + later
		row, column := h.g.place(rank)
		d := h.distance(column, panel)
		switch {
		case panel >= h.panels || d == 0:
			return false
		case d >= h.rings.q:
			return h.takePart(row, d, panel, 0, k, op)
		case *k == 0:
			from := (panel + h.rings.source(d)) % h.Columns
			*op = workloads.Op{Kind: workloads.Recv, Peer: h.g.rank(row, from), Tag: tagPanel}
		case *k == 1 && h.rings.passesOn(d):
			h.pass(row, (column+1)%h.Columns, panel, 0, op)
		default:
			return false
		}
		*k++
		return true
	}
}

// pass sends a panel to a process of the same row.
func (h *hplRun) pass(row, to, panel int, request int32, op *workloads.Op) {
	*op = workloads.Op{Kind: workloads.Isend, Peer: h.g.rank(row, to), Tag: tagPanel, Request: request,
		Size: h.panelSize(row, panel)}
}

// panelSize is the size of a panel in a row of the grid.
func (h *hplRun) panelSize(row, panel int) units.Bytes {
	return units.Bytes(h.panelNumbers(row, panel)) * h.Element
}

// panelNumbers counts the numbers of a panel: its rows below the diagonal block, that
// block, the pivots, and one number.
func (h *hplRun) panelNumbers(row, panel int) int {
	b := h.width(panel)
	return h.g.rowsOf(row, h.begin(panel+1))*b + b*b + b + 1
}

// takePart is what the process at distance d does in long and longM to get the panel, in parts of
// equally many whole numbers as far as possible. In longM the process at distance 1 is left out.
// before is the number of operations that the phase has given already.
func (h *hplRun) takePart(row, d, panel, before int, k *int32, op *workloads.Op) bool {
	if h.rings.q == h.Columns {
		return false
	}
	left := h.rings.q - 1 // 0 or 1 process next to the owner that is left out
	p := h.Columns - left
	s := spreadRoll{
		p:    p,
		all:  h.panelSize(row, panel),
		part: units.Bytes(max(1, h.panelNumbers(row, panel)/p)) * h.Element,
	}
	if !s.step(max(0, d-left), int(*k)-before, op) {
		return false
	}
	at := func(position int32) int32 {
		if position > 0 {
			position += int32(left)
		}
		return h.g.rank(row, (panel+int(position))%h.Columns)
	}
	op.Peer, op.From, op.Tag = at(op.Peer), at(op.From), tagPanel
	*k++
	return true
}

// finish waits until the panel that the process has sent has left.
func (h *hplRun) finish(later int) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		panel := round + later
		if panel >= h.panels {
			return false
		}
		_, column := h.g.place(rank)
		sent := 0
		switch d := h.distance(column, panel); {
		case d == 0:
			sent = len(h.rings.first)
		case d < h.rings.q && h.rings.passesOn(d):
			sent = 1
		}
		if int(*k) >= sent {
			return false
		}
		*op = workloads.Op{Kind: workloads.Wait, Request: *k}
		*k++
		return true
	}
}

// part says with how many of its columns a process deals in a round.
type part func(rank, round int) int

// allColumns counts the columns to the right of the panel of the round.
func (h *hplRun) allColumns(rank, round int) int {
	_, column := h.g.place(rank)
	return h.g.columnsOf(column, h.begin(round+1))
}

// nextPanel counts the columns of the next panel.
func (h *hplRun) nextPanel(rank, round int) int {
	if _, column := h.g.place(rank); h.distance(column, round+1) != 0 {
		return 0
	}
	return h.width(round + 1)
}

// otherColumns counts the columns to the right of the next panel.
func (h *hplRun) otherColumns(rank, round int) int {
	return h.allColumns(rank, round) - h.nextPanel(rank, round)
}

// share is a part of an update, from 0 to 1.
type share func(rank, round int) float64

func whole(_, _ int) float64 { return 1 }

// before is the share of the update of otherColumns that is done before the next panel is taken.
func (h *hplRun) before(rank, round int) float64 {
	_, column := h.g.place(rank)
	d := h.distance(column, round+1)
	switch {
	case round+1 >= h.panels:
		return 1
	case d == 0:
		return 0
	}
	return h.rings.updateBefore(d)
}

// after is the rest of that update.
func (h *hplRun) after(rank, round int) float64 { return 1 - h.before(rank, round) }

// apply exchanges the pivot rows in some columns and does a share of their update; call
// is the number of the update in the round.
func (h *hplRun) apply(columns part, s share, call uint64) []phase {
	return []phase{h.exchangeRows(columns), h.spreadRows(columns), h.update(columns, s, call)}
}

// exchangeRows is a swap by binary exchange, with copies before its first operation and after
// each.
func (h *hplRun) exchangeRows(columns part) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		n := columns(rank, round)
		if h.Rows == 1 || n == 0 || n > h.exchanged {
			return false
		}
		row, column := h.g.place(rank)
		current := round % h.Rows
		d := (row - current + h.Rows) % h.Rows
		jb := float64(h.width(round))
		b := binaryExchange{
			p:     h.Rows,
			all:   units.Bytes(jb*float64(n)) * h.Element,
			share: units.Bytes(jb*float64(n+1)/float64(h.Rows)) * h.Element,
		}
		for {
			done := int(*k) / 2 // exchanges before this
			if *k%2 == 0 {
				share := jb * float64(n) / float64(h.Rows)
				*k++
				if t := b.copies(h.Copies, d, done, share); t > 0 {
					*op = workloads.Op{Kind: workloads.Delay, Time: t}
					return true
				}
				continue
			}
			if !b.step(d, done, op) {
				return false
			}
			h.swapWith(current, column, op)
			*k++
			return true
		}
	}
}

// spreadRows is the swap long: the process with the rows of the panel exchanges them for pivot
// rows, as many with each process as it has of these, and all collect U.
func (h *hplRun) spreadRows(columns part) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		n := columns(rank, round)
		if h.Rows == 1 || n == 0 || n <= h.exchanged {
			return false
		}
		row, column := h.g.place(rank)
		current := round % h.Rows
		all := float64(h.width(round)) * float64(n)
		s := spreadRoll{
			p:    h.Rows,
			all:  units.Bytes(all) * h.Element,
			part: units.Bytes(all/float64(h.Rows)) * h.Element,
		}
		if !s.step((row-current+h.Rows)%h.Rows, int(*k), op) {
			return false
		}
		h.swapWith(current, column, op)
		*k++
		return true
	}
}

// swapWith turns the partners of an operation of a swap from distances into ranks.
func (h *hplRun) swapWith(current, column int, op *workloads.Op) {
	at := func(distance int32) int32 { return h.g.rank((current+int(distance))%h.Rows, column) }
	op.Peer, op.From, op.Tag = at(op.Peer), at(op.From), tagSwap
}

// update is a share of the solution for U and of the update with U: for each column
// b(b-1) flop, which all processes of the column perform, and 2b for each row. The row
// of processes with the rows of the panel copies U into them.
func (h *hplRun) update(columns part, s share, call uint64) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		if *k > 1 {
			return false
		}
		n := float64(columns(rank, round))
		f := s(rank, round)
		if n == 0 || f == 0 {
			return false
		}
		row, _ := h.g.place(rank)
		b, m := float64(h.width(round)), float64(h.g.rowsOf(row, h.begin(round+1)))
		if *k == 0 {
			*k = 1
			var t units.Seconds
			if m > 0 {
				t = h.CallTime
			}
			if h.Rows > 1 && row == round%h.Rows {
				t += units.Seconds(h.Copies.Dlatcpy * units.Seconds(f*b*n))
			}
			if t > 0 {
				*op = workloads.Op{Kind: workloads.Delay, Time: t}
				return true
			}
		}
		solve := float64(b*(b-1)) / h.SolveEfficiency
		multiply := float64(float64(2*b*m) * h.variation(rank, round, call, f*n))
		w := units.Flops(f * n * (solve + multiply))
		if w == 0 {
			return false
		}
		*k = 2
		*op = workloads.Op{Kind: workloads.Compute, Work: w}
		return true
	}
}

// variation returns the time of the calls of dgemm for n columns as a multiple of its mean.
// Update 1 of a round, before the next panel is taken, consists of a call for every NB
// columns, whose mean varies less.
func (h *hplRun) variation(rank, round int, call uint64, n float64) float64 {
	if h.Deviation == 0 {
		return 1
	}
	deviation := h.Deviation
	if pieces := n / float64(h.Block); call == 1 && pieces > 1 {
		deviation /= math.Sqrt(pieces)
	}
	key := Mix(Mix(Mix(uint64(h.Seed), uint64(rank)), uint64(round)), call)
	return scatter(key, deviation)
}

// substitute is the back substitution, N^2 flop, with the 7N/6 by which W exceeds all
// operations. Processes share it in proportion to their parts of the matrix.
func (h *hplRun) substitute(rank, _ int, k *int32, op *workloads.Op) bool {
	row, column := h.g.place(rank)
	x := float64(h.N)
	part := float64(h.g.rowsOf(row, 0)) * float64(h.g.columnsOf(column, 0)) / (x * (x + 1))
	w := units.Flops((float64(x*x) + float64(7*x/6)) * part)
	return w > 0 && single(workloads.Op{Kind: workloads.Compute, Work: w}, k, op)
}
