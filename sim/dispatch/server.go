package dispatch

import "github.com/isoscale/isoscale/sim/kernel"

// server lets a limited number of processes in at a time, first come, first
// served.
type server struct {
	free  int
	queue []*kernel.Event // of those who wait, each triggered when it is let in
}

// enter waits until p is let in.
func (s *server) enter(k *kernel.Kernel, p *kernel.Process) {
	if s.free > 0 {
		s.free--
		return
	}
	turn := k.NewEvent("turn")
	s.queue = append(s.queue, turn)
	p.Wait(turn)
}

// leave lets in who is next.
func (s *server) leave() {
	if len(s.queue) == 0 {
		s.free++
		return
	}
	s.queue[0].Trigger()
	s.queue = s.queue[1:]
}
