package dispatch

// server lets a limited number of places in at a time, first come, first served.
type server struct {
	free  int
	queue []*place
}

// enter reports whether p is let in. If not, it waits.
func (s *server) enter(p *place) bool {
	if s.free == 0 {
		s.queue = append(s.queue, p)
		return false
	}
	s.free--
	return true
}

// leave lets in who is next, and returns it, nil if nobody waits.
func (s *server) leave() *place {
	if len(s.queue) == 0 {
		s.free++
		return nil
	}
	next := s.queue[0]
	s.queue = s.queue[1:]
	return next
}
