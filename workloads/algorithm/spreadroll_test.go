package algorithm

import "testing"

// TestSpreadRollGivesEveryoneAllParts carries parts with the messages of spreadRoll. Nobody
// gives a part that it does not have, what one sends is what the other awaits, each part reaches
// a process once after its own, and in the end everyone has all.
func TestSpreadRollGivesEveryoneAllParts(t *testing.T) {
	for p := 2; p <= 40; p++ {
		held := make([][]bool, p)
		for d := range held {
			held[d] = make([]bool, p)
			if d == 0 {
				for i := range p {
					held[d][i] = true
				}
			}
		}
		// The spread, by distance: what is sent to d has arrived there before its own turn.
		for d := range p {
			for k := 0; ; k++ {
				peer, span, _ := binomial(p).step(d, k)
				if peer == d {
					break
				}
				if peer < d {
					if !held[d][d] {
						t.Errorf("%d processes: %d waits for %d, which has sent nothing", p, d, peer)
					}
					continue
				}
				for part := peer; part < min(peer+span, p); part++ {
					if !held[d][part] {
						t.Errorf("%d processes: %d has no part %d for %d", p, d, part, peer)
					}
					held[peer][part] = true
				}
			}
		}
		// Only their own parts are where they belong; what was passed on is not used again.
		for d := range p {
			for part := range p {
				held[d][part] = d == part
			}
		}
		// The roll: messages between two processes arrive in their order.
		s := spreadRoll{p: p}
		sent := map[[2]int][]int{}
		next, waits := make([]int, p), make([]bool, p)
		for progress := true; progress; {
			progress = false
			for d := range p {
				if next[d] == p-1 {
					continue
				}
				partner, given := s.roll(d, next[d])
				if !waits[d] {
					if !held[d][given] {
						t.Errorf("%d processes: in step %d %d has no part %d", p, next[d], d, given)
					}
					sent[[2]int{d, partner}] = append(sent[[2]int{d, partner}], given)
					waits[d], progress = true, true
				}
				if from := [2]int{partner, d}; len(sent[from]) > 0 {
					if part := sent[from][0]; held[d][part] {
						t.Errorf("%d processes: %d gets part %d twice", p, d, part)
					} else {
						held[d][part] = true
					}
					sent[from] = sent[from][1:]
					next[d]++
					waits[d], progress = false, true
				}
			}
		}
		for d := range p {
			for part, has := range held[d] {
				if !has {
					t.Errorf("%d processes: %d never gets part %d", p, d, part)
				}
			}
		}
	}
}
