package dispatch

// link is one direction of a node's interface, which carries one transfer at a
// time, and of the trunk behind it.
type link struct {
	server
	alone exact  // time of a transfer without contention, 0 if none is needed
	trunk *trunk // of the group; nil if it is infinite
}

// move carries the data of a place's SI, and reports whether that takes no time.
func (l *link) move(p *place) (done bool) {
	if l.alone.zero() {
		return true
	}
	if l.enter(p) {
		l.carry(p)
	}
	return false
}

func (l *link) carry(p *place) {
	if l.trunk != nil {
		l.trunk.start(p)
		return
	}
	p.after(l.alone)
}

// moved ends a transfer, and lets the next into the interface.
func (l *link) moved() {
	if l.trunk != nil {
		l.trunk.finish()
	}
	if next := l.leave(); next != nil {
		l.carry(next)
	}
}
