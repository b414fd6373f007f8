package sim_test

import (
	"context"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// play runs body on cores of 1 flop/s, with messages of m bytes that take
// 1 s + m/(1 byte/s).
func play(ranks int, body func(r *sim.Rank)) {
	program := sim.NewProgram(ranks, body)
	defer program.Close()
	rates := make([]units.FlopsPerSecond, ranks)
	for i := range rates {
		rates[i] = 1
	}
	res, err := sim.Run(context.Background(), sim.Config{
		Program: program,
		Network: network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: units.Bytes(math.Inf(1))},
		Rates:   rates,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("makespan", res.Makespan)
}

// A message of 3 bytes there, one of 1 byte back, twice: 1 + 3 + 1 + 1 = 6 s
// each time.
func ExampleNewProgram() {
	play(2, func(r *sim.Rank) {
		for range 2 {
			if r.Rank() == 0 {
				r.Send(1, 0, 3)
				r.Recv(1, 0)
				fmt.Println("back at", r.Now())
			} else {
				r.Recv(0, 0)
				r.Send(0, 0, 1)
			}
		}
	})
	// Output:
	// back at 6 s
	// back at 12 s
	// makespan 12 s
}

// Three tasks of 10 s for a fast and a slow worker, which takes twice as long.
// Every message is empty and takes 1 s. The fast worker asks at 0, 12 and 24,
// the slow one at 0 and 22; the requests arrive 1 s later, those of one instant
// by rank.
func ExampleRank_Recv_masterWorker() {
	const request, task, stop = 0, 1, 2
	play(3, func(r *sim.Rank) {
		if r.Rank() == 0 {
			for left, workers := 3, 2; workers > 0; {
				worker := r.Recv(sim.AnySource, request).Source
				if left == 0 {
					r.Send(worker, stop, 0)
					workers--
					continue
				}
				left--
				fmt.Println(r.Now(), "task for rank", worker)
				r.Send(worker, task, 0)
			}
			return
		}
		for {
			r.Send(0, request, 0)
			if r.Recv(0, sim.AnyTag).Tag == stop {
				return
			}
			r.Compute(units.Flops(10 * r.Rank()))
		}
	})
	// Output:
	// 1 s task for rank 1
	// 1 s task for rank 2
	// 13 s task for rank 1
	// makespan 26 s
}

// A row of three ranks exchanges borders of 2 bytes, computes its inner points
// in the meantime (2 s), then its border points (1 s), and adds up the change.
// Borders leave at 0 and arrive at 3, but the middle rank's second one waits for
// its first: it leaves at 2 and arrives at 5, at rank 2. So the ranks end the
// step at 4, 4 and 6. The changes, 1 byte each, reach rank 0 at 6 and at 8; it
// adds each in 1 s, at 1 flop/byte.
func ExampleRank_Irecv_stencil() {
	play(3, func(r *sim.Rank) {
		left, right := r.Rank()-1, r.Rank()+1
		if left >= 0 {
			r.Irecv(left, 0)
			r.Isend(left, 0, 2)
		}
		if right < r.Size() {
			r.Irecv(right, 0)
			r.Isend(right, 0, 2)
		}
		r.Compute(2)
		r.Waitall()
		r.Compute(1)
		if r.Rank() == 2 {
			fmt.Println("step of rank 2 done at", r.Now())
		}
		r.Reduce(0, 1, 1)
	})
	// Output:
	// step of rank 2 done at 6 s
	// makespan 9 s
}

// Four ranks as a grid of two rows and two columns. The Split is an Allgather in a
// ring: three steps of 8 bytes, 9 s each. Then the first of each row sends 2 bytes to
// the second, which arrive 3 s later.
func ExampleRank_Split() {
	play(4, func(r *sim.Rank) {
		row := r.Split(r.Rank()/2, r.Rank())
		row.Bcast(0, 2)
		if r.Rank() == 3 {
			fmt.Println("rank 3 is rank", row.Rank(), "of", row.Size(), "in its row, and done at", row.Now())
		}
	})
	// Output:
	// rank 3 is rank 1 of 2 in its row, and done at 30 s
	// makespan 30 s
}

// The columns of the same grid: ranks 0 and 2, 1 and 3.
func ExampleRank_Among() {
	play(4, func(r *sim.Rank) {
		column := r.Among(r.Rank() % 2)
		column.Bcast(0, 2)
		if r.Rank() == 3 {
			fmt.Println("rank 3 is rank", column.Rank(), "of", column.Size(), "in its column, and done at", column.Now())
		}
	})
	// Output:
	// rank 3 is rank 1 of 2 in its column, and done at 30 s
	// makespan 30 s
}

// A receiver that does not know what it will get. Messages of 1 byte arrive 2 s after
// they leave.
func ExampleRank_Probe() {
	play(3, func(r *sim.Rank) {
		if r.Rank() > 0 {
			r.Compute(units.Flops(10 * r.Rank()))
			r.Send(0, r.Rank(), 1)
			return
		}
		for range 2 {
			next := r.Probe(sim.AnySource, sim.AnyTag)
			fmt.Println(r.Now(), "a message of", next.Size, "from rank", next.Source)
			r.Recv(next.Source, next.Tag)
		}
	})
	// Output:
	// 12 s a message of 1 B from rank 1
	// 22 s a message of 1 B from rank 2
	// makespan 22 s
}

// An exchange of 3 bytes, made once and started three times: each takes 1 + 3 s.
func ExampleRank_Start() {
	play(2, func(r *sim.Rank) {
		other := 1 - r.Rank()
		in, out := r.RecvInit(other, 0), r.SendInit(other, 0, 3)
		for range 3 {
			r.Start(in, out)
			statuses := r.Waitall(in, out)
			if r.Rank() == 0 {
				fmt.Println(r.Now(), statuses[0].Size)
			}
		}
	})
	// Output:
	// 4 s 3 B
	// 8 s 3 B
	// 12 s 3 B
	// makespan 12 s
}
