package titrace

import (
	"errors"
	"fmt"
	"io"

	"github.com/isoscale/isoscale/workloads/internal/lines"
)

// A merged trace is read in pieces of a few thousand lines. One goroutine cuts the
// input, one for each piece makes records of its lines, and one adds the records to the
// spool, in the order of the file. So the result, and which error is the first, do not
// depend on the number of cores or their speed.

const (
	// pieceSize is about the number of bytes of a piece. The longest line may come on
	// top.
	pieceSize = 64 << 10
	// piecesAtOnce is how many pieces exist at the same time: some hundred kilobytes in
	// all.
	piecesAtOnce = 4
)

// piece is some consecutive lines of a merged trace.
type piece struct {
	text    []byte // whole lines
	lines   int    // number of lines scanned
	found   []found
	records []byte        // records of the lines in found
	err     error         // what is wrong with the line after those scanned
	scanned chan struct{} // gets a value when the fields above are ready
}

// found is one line with an action.
type found struct {
	rank int32
	line int32 // number in the piece, from 1
	end  int32 // of its record
}

func openMerged(path string, ranks int) (*Program, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := readMerged(path, f, ranks, spoolMemory)
	if err != nil {
		return nil, err
	}
	p.files = []string{path}
	return p, nil
}

func readMerged(name string, r io.Reader, ranks, memory int) (p *Program, err error) {
	s := newSpool(memory)
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	last := int64(maxRank)
	if ranks > 0 {
		last = int64(ranks) - 1
	}
	plain, err := lines.Decompress(r, bufferSize)
	if err != nil {
		return nil, readError(name, 1, err)
	}
	highest := int32(-1)
	before := 0 // lines
	err = eachPiece(plain, last, func(p *piece) error {
		at := int32(0)
		for _, f := range p.found {
			highest = max(highest, f.rank)
			if err := s.add(f.rank, before+int(f.line), p.records[at:f.end]); err != nil {
				return err
			}
			at = f.end
		}
		before += p.lines
		var syntax *SyntaxError
		switch {
		case errors.As(p.err, &syntax):
			syntax.File, syntax.Line = name, before+1
			return syntax
		case p.err != nil && p.err != io.EOF:
			return readError(name, before+1, p.err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if ranks == 0 {
		if highest < 0 {
			return nil, wholeFile(name, "a trace", "no action")
		}
		ranks = int(highest) + 1
		for i := range int32(ranks) {
			if !s.has(i) {
				return nil, wholeFile(name, "some of every rank, or the number of ranks", "no action of rank %d, but one of rank %d", i, highest)
			}
		}
	}
	p = newProgram(ranks)
	p.recorded = int(highest) + 1
	p.spool = s
	for i := range p.ranks {
		p.ranks[i].readSpool(s, int32(i), &name)
	}
	return p, nil
}

// eachPiece calls do with all pieces in their order, until the end or an error. When it
// returns, nothing reads from r any more.
func eachPiece(r io.Reader, lastRank int64, do func(*piece) error) (err error) {
	free := make(chan *piece, piecesAtOnce)
	for range piecesAtOnce {
		free <- &piece{scanned: make(chan struct{}, 1)}
	}
	cut := make(chan *piece, piecesAtOnce)
	go func() {
		defer close(cut)
		in := lines.NewReader(r, pieceSize, maxLine)
		for p := range free {
			p.text, p.err = in.Whole(p.text[:0])
			last := p.err != nil
			go func() {
				p.scan(lastRank)
				p.scanned <- struct{}{}
			}()
			if cut <- p; last {
				return
			}
		}
	}()
	for p := range cut {
		<-p.scanned
		if err != nil {
			continue
		}
		if err = do(p); err != nil {
			close(free)
		} else {
			free <- p
		}
	}
	return err
}

// scan makes records of the lines, up to the first that is wrong.
func (p *piece) scan(lastRank int64) {
	all, records, count := p.found[:0], p.records[:0], 0
	for rest := p.text; len(rest) > 0; count++ {
		var line []byte
		var err error
		if line, rest, err = lines.Cut(rest, maxLine); err != nil {
			p.err = err
			break
		}
		var a action
		rank, plain := a.scan(line)
		if plain && int64(rank) <= lastRank {
			records = a.appendRecord(records)
		} else {
			f := fields{b: line}
			if !f.more() || line[f.i] == '#' {
				continue
			}
			var ok bool
			if rank, ok = f.integer(0, lastRank); !ok {
				f.bad("the rank", fmt.Sprintf("a rank from 0 to %d at the beginning of the line", lastRank))
				p.err = f.err
				break
			}
			records = appendText(records, line)
		}
		all = append(all, found{rank, int32(count + 1), int32(len(records))})
	}
	p.found, p.records, p.lines = all, records, count
}
