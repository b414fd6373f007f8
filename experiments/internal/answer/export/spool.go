package export

import (
	"errors"
	"io"
	"os"
)

// spool collects a text for each rank: pieces of it in memory, the rest in a
// temporary file.
type spool struct {
	piece int // bytes of a rank in memory
	ranks []spooled
	file  *os.File // nil: nothing is there yet
	size  int64
}

// spooled is the text of a rank: extents of the file, and what is not there yet.
type spooled struct {
	extents []extent
	text    []byte
}

type extent struct {
	at   int64
	size int
}

// Memory of all ranks, and what a rank has at least and at most of it.
const (
	spoolMemory          = 64 << 20
	smallest, largestBuf = 1 << 10, 1 << 20
)

func newSpool(ranks int) *spool {
	return &spool{piece: max(smallest, min(largestBuf, spoolMemory/ranks)), ranks: make([]spooled, ranks)}
}

// add adds to the text of a rank.
func (s *spool) add(rank int, text []byte) error {
	r := &s.ranks[rank]
	if len(r.text) > 0 && len(r.text)+len(text) > s.piece {
		if err := s.flush(r); err != nil {
			return err
		}
	}
	r.text = append(r.text, text...)
	return nil
}

// flush moves the text of a rank to the file.
func (s *spool) flush(r *spooled) error {
	if s.file == nil {
		f, err := os.CreateTemp("", "isoscale-*.goal")
		if err != nil {
			return err
		}
		s.file = f
	}
	if _, err := s.file.WriteAt(r.text, s.size); err != nil {
		return err
	}
	r.extents = append(r.extents, extent{s.size, len(r.text)})
	s.size += int64(len(r.text))
	r.text = r.text[:0]
	return nil
}

// copy writes the text of a rank.
func (s *spool) copy(w io.Writer, rank int) error {
	r := &s.ranks[rank]
	for _, e := range r.extents {
		if _, err := io.Copy(w, io.NewSectionReader(s.file, e.at, int64(e.size))); err != nil {
			return err
		}
	}
	_, err := w.Write(r.text)
	return err
}

// close removes the file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
