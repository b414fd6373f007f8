package kernel_test

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// worker is a process that is handed one task at a time. ready and given are
// new events for each task, because an event happens once.
type worker struct {
	name  string
	ready *kernel.Event // triggered by the worker: it wants a task
	given *kernel.Event // triggered by the master: there is one, or none is left
	task  units.Seconds
	stop  bool
}

func (w *worker) work(k *kernel.Kernel, p *kernel.Process) {
	for {
		w.given = k.NewEvent("task for " + w.name)
		w.ready.Trigger()
		p.Wait(w.given)
		if w.stop {
			return
		}
		p.Sleep(w.task)
	}
}

// A master hands four tasks of 4, 1, 2 and 3 s to two workers, each to whoever
// is ready first. By hand: A computes from 0 to 4. B computes from 0 to 1, then
// the third task until 3, then the fourth until 6.
func Example() {
	k := kernel.New()
	workers := []*worker{{name: "A"}, {name: "B"}}
	for _, w := range workers {
		w.ready = k.NewEvent("ready " + w.name)
		k.Go(w.name, func(p *kernel.Process) { w.work(k, p) })
	}
	k.Go("master", func(p *kernel.Process) {
		for i, task := range []units.Seconds{4, 1, 2, 3} {
			w := workers[0]
			if p.WaitAny(workers[0].ready, workers[1].ready) == workers[1].ready {
				w = workers[1]
			}
			fmt.Printf("%g s: task %d (%g s) goes to %s\n", float64(p.Now()), i, float64(task), w.name)
			w.ready = k.NewEvent("ready " + w.name)
			w.task = task
			w.given.Trigger()
		}
		for _, w := range workers {
			p.Wait(w.ready)
			w.stop = true
			w.given.Trigger()
		}
	})
	if err := k.Run(nil); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%g s: end\n", float64(k.Now()))
	// Output:
	// 0 s: task 0 (4 s) goes to A
	// 0 s: task 1 (1 s) goes to B
	// 1 s: task 2 (2 s) goes to B
	// 3 s: task 3 (3 s) goes to B
	// 6 s: end
}

// line is a tiny hot model: a line that carries any number of messages at once,
// each for 0.5 s. Its events are plain values in a calendar.
type line struct {
	arrivals kernel.Calendar
	arrived  []*kernel.Event // by message
}

var _ kernel.Model = (*line)(nil)

func (l *line) send(now units.Seconds, arrived *kernel.Event) {
	l.arrivals.Push(now+0.5, int32(len(l.arrived)))
	l.arrived = append(l.arrived, arrived)
}

func (l *line) Next() (units.Seconds, bool) { return l.arrivals.Min() }

func (l *line) Advance(to units.Seconds) {
	for at, ok := l.arrivals.Min(); ok && at <= to; at, ok = l.arrivals.Min() {
		_, message, _ := l.arrivals.Pop()
		l.arrived[message].Trigger()
	}
}

// A process posts work to a hot model on the same clock and waits for an event
// that the model triggers. By hand: the request is under way from 2 to 2.5 and
// the answer until 3.
func Example_hotModel() {
	k := kernel.New()
	l := &line{}
	request, answer := k.NewEvent("request"), k.NewEvent("answer")
	k.Go("client", func(p *kernel.Process) {
		p.Sleep(2)
		l.send(p.Now(), request)
		p.Wait(answer)
		fmt.Printf("%g s: the client has its answer\n", float64(p.Now()))
	})
	k.Go("server", func(p *kernel.Process) {
		p.Wait(request)
		fmt.Printf("%g s: the server has a request\n", float64(p.Now()))
		l.send(p.Now(), answer)
	})
	if err := k.Run(l); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2.5 s: the server has a request
	// 3 s: the client has its answer
}

// A deadlock is an error that tells who waits for what.
func ExampleBlockedError() {
	k := kernel.New()
	fork, spoon := k.NewEvent("fork"), k.NewEvent("spoon")
	k.Go("Plato", func(p *kernel.Process) { p.Wait(fork); spoon.Trigger() })
	k.Go("Kant", func(p *kernel.Process) { p.Sleep(1); p.Wait(spoon); fork.Trigger() })
	fmt.Println(k.Run(nil))
	// Output:
	// kernel: nothing is left to happen at 1 s, but processes are blocked (2): "Kant" waits for "spoon" since 1 s; "Plato" waits for "fork" since 0 s
}
