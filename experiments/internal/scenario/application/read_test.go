package application_test

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// read reads the text of an application.
func read(t testing.TB, text string) (*application.Application, error) {
	t.Helper()
	root, err := yamldoc.Parse("a.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	var d yamldoc.Decoder
	a := application.Read(&d, root)
	return a, d.Err()
}

// frame is the beginning of a file: what a test appends begins in line 7.
const frame = `application: a
parameters: {n: 10, word: 8 B, flops: 1 Mflop, t: 5 us, how: {value: binomial, algorithm: bcast}}
grid: {x: auto, y: auto}
distributions: {rows: {of: n, kind: cyclic}}
let: {nx: "share(n, x)"}
work: n
`

// Each bad file is reported in these words.
func TestBadFiles(t *testing.T) {
	const statement = "one of allgather, allreduce, alltoall, barrier, bcast, call, compute, delay, exchange, gather, iallgather, iallreduce, ialltoall, ibarrier, ibcast, igather, imbalance, irecv, ireduce, ireducescatter, iscan, iscatter, isend, join, noise, recv, reduce, reducescatter, repeat, scan, scatter, send, sendrecv, stream, tasks, wait, when"
	const names = "one of flops, n, nx, p, rank, received, source, speed, t, word, x, y"
	const functions = "one of abs, after, around, at, ceil, coord, exp, exponential, floor, ln, log, log10, log2, max, min, mod, normal, of, owner, random, round, share, sqrt"
	for _, tt := range []struct{ text, want string }{
		// The file.
		{"application: a", `a.yaml:1:1: missing key "work"; expected an amount of work or an expression in flop, such as 1 Gflop or 2*n^3`},
		{"application: [a]\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:1:14: application: found a sequence; expected the name of the application`},
		{"application: a b\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:1:14: application: not a name; expected 1 to 64 letters, digits, '-' and '_', such as heat3d`},
		{"application: a\nwork: 0\nprogram: []", `a.yaml:3:10: program: no statements; expected at least one`},
		{"application: a\nwork: 0\nprogram: none", `a.yaml:3:10: program: found the text "none"; expected a sequence of statements, each as in - compute: 2*n^3`},
		{"application: a\nworks: 0\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:1: unknown key "works"; expected one of application, define, distributions, grid, isoefficiency, let, memory, on, parameters, precision, program, scaling, source, title, work; did you mean "work"?`},
		{"application: a\nscaling: stong\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:10: scaling: unknown scaling "stong"; expected one of replicated, strong, weak; did you mean "strong"?`},

		// Where processes run, and at which precision.
		{"application: a\non: cores\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:5: on: unknown place of the processes "cores"; expected devices`},
		{"application: a\nprecision: [bf16]\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:12: precision: found a sequence; expected the name of a precision, such as bf16`},
		{"application: a\nprecision: b/16\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:12: precision: not a name; expected the name of a precision, such as bf16`},
		{"application: a\nwork: 0\nprogram: [{compute: {flop: 0, kernel: two words}}]", `a.yaml:3:39: program[0].compute.kernel: not a name; expected the name of a kernel, such as dgemm`},
		{"application: a\nwork: 0\nprogram: [{compute: {flop: 0, on: devices}}]", `a.yaml:3:31: program[0].compute: unknown key "on"; expected one of bytes, counts, every, flop, kernel, precision`},
		{"application: a\nwork: 0\nprogram: [{tasks: {count: 1, flop: 0, precision: }}]", `a.yaml:3:39: program[0].tasks.precision: found no value; expected the name of a precision, such as bf16`},
		{"application: a\nparameters: {kernel: 1}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:22: parameters.kernel: every workload has a key kernel; expected another name`},

		// Work and memory.
		{"application: a\nwork: p\nprogram: [{delay: 0}]", `a.yaml:2:7: work: the total work depends on the number of processes; expected a work that only depends on parameters, or scaling: weak`},
		{"application: a\nscaling: replicated\nwork: 2*p\nprogram: [{delay: 0}]", `a.yaml:3:7: work: with scaling: replicated, work is that of one process and cannot depend on their number; expected a work that only depends on parameters, or scaling: weak`},
		{"application: a\nwork: rank\nprogram: [{delay: 0}]", `a.yaml:2:7: work: the total work depends on the process; expected one number for all processes together, from parameters and p`},
		{"application: a\nwork: 5\nprogram: [{delay: 0}]", `a.yaml:2:7: work: 5 is a number without a unit; expected an amount of work or an expression in flop, such as 1 Gflop or 2*n^3`},
		{"application: a\nwork: 5 Gflops\nprogram: [{delay: 0}]", `a.yaml:2:7: work: unit "Gflops" is not accepted, perhaps "Gflop" is meant (at character 1); expected a unit such as 8 GB/s, or an operator after the number as in 2*n`},
		{"application: a\nwork: 0\nmemory: 5 s\nprogram: [{delay: 0}]", `a.yaml:3:9: memory: 5 s is a time; expected a size or an expression in bytes`},

		// Parameters.
		{"application: a\nparameters: {p: 1}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:17: parameters.p: the name p has a meaning in all applications; expected another name`},
		{"application: a\nparameters: {name: 1}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:20: parameters.name: every workload has a key name; expected another name`},
		{"application: a\nparameters: {log2: 1}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:20: parameters.log2: log2 is a word of the language of expressions; expected another name`},
		{"application: a\nparameters: {a-b: 1}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:19: parameters.a-b: "a-b" is not a name; expected a name of letters, digits and underscores, such as rows`},
		{"application: a\nparameters: {k: many}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:17: parameters.k: found "many"; expected a number, or a size, bandwidth, work, speed or time, such as 512, 8 B, 8 GB/s, 1 Gflop or 5 us`},
		{"application: a\nparameters: {k: {meaning: x}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:17: parameters.k: missing key "value"; expected a number, or a size, bandwidth, work, speed or time, such as 512, 8 B, 8 GB/s, 1 Gflop or 5 us`},
		{"application: a\nparameters: {k: {value: 5, max: 4}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:25: parameters.k.value: 5 is out of range; expected a number from 0 to 4; min and max change the range`},
		{"application: a\nparameters: {k: {value: 5, min: 4, max: 3}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:33: parameters.k.min: min is above max; expected min at most max`},
		{"application: a\nparameters: {k: {value: 5 B, max: 4}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:35: parameters.k.max: only numbers without a unit have a range; expected no min and max`},
		{"application: a\nparameters: {n: 2.5}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:17: parameters.n: found the number 2.5; expected a problem size, a whole number above 0`},
		{"application: a\nparameters: {k: {value: tree, algorithm: bcast}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:25: parameters.k.value: unknown algorithm of bcast "tree"; expected one of binomial, chain, flat, leader, multi-leader, scatter-allgather`},
		{"application: a\nparameters: {k: {value: tree, algorithm: cast}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:42: parameters.k.algorithm: unknown collective operation "cast"; expected one of allgather, allreduce, alltoall, barrier, bcast, gather, reduce, reducescatter, scan, scatter; did you mean "bcast"?`},

		// Grid, distributions, names.
		{"application: a\ngrid: {}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:7: grid: a grid without axes; expected at least one axis, as in {x: auto}`},
		{"application: a\ngrid: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:47: grid.g: more than 6 axes; expected at most 6 axes`},
		{"application: a\ngrid: {x: rank}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:11: grid.x: the side of a grid must be the same for all processes; expected parameters and numbers`},
		{"application: a\ngrid: {x: atuo}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:11: grid.x: unknown name atuo (at character 1); expected one of p, rank, speed`},
		{"application: a\ndistributions: {d: {of: rank}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:25: distributions.d.of: what is distributed must be the same for all processes; expected parameters and numbers`},
		{"application: a\ndistributions: {d: {of: 5, kind: cylic}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:34: distributions.d.kind: unknown kind of distribution "cylic"; expected one of block-cyclic, blocked, cyclic; did you mean "cyclic"?`},
		{"application: a\ndistributions: {d: {of: 5, kind: block-cyclic}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:20: distributions.d: missing key "block"; expected the number of items of a block`},
		{"application: a\ndistributions: {d: {of: 5, block: 2}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:35: distributions.d.block: block belongs to kind block-cyclic; expected kind: block-cyclic, or no block`},
		{"application: a\ndistributions: {d: {of: 5, along: z}}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:35: distributions.d.along: unknown axis of the grid "z"; expected all`},
		{"application: a\nlet: {a: b, b: 1}\nwork: 0\nprogram: [{delay: 0}]", `a.yaml:2:10: let.a: unknown name b (at character 1); expected one of p, rank, speed`},

		// Expressions.
		{frame + "program: [{compute: 2*m}]", `a.yaml:7:21: program[0].compute: unknown name m (at character 3); expected ` + names},
		{frame + "program: [{compute: 2*nz}]", `a.yaml:7:21: program[0].compute: unknown name nz (at character 3); expected ` + names + "; did you mean n or nx?"},
		{frame + "program: [{compute: 2*(n}]", `a.yaml:7:21: program[0].compute: the expression ends too early (at character 5); expected as many ) as (; in braces, an expression with a comma needs quotes`},
		{frame + "program: [{compute: shared(n)}]", `a.yaml:7:21: program[0].compute: unknown function shared (at character 1); expected ` + functions + "; did you mean share?"},
		{frame + "program:\n- compute: share(n, z)", `a.yaml:8:12: program[0].compute: this is not an axis of the grid (at character 10); expected one of all, x, y`},
		{frame + "program:\n- compute: share(rank, all, speed)", `a.yaml:8:12: program[0].compute: what is divided by speed must be the same for all processes (at character 7); expected parameters and constants`},
		{frame + "program:\n- compute: log2(n, 2)", `a.yaml:8:12: program[0].compute: log2 has 2 arguments (at character 1); expected log2(x)`},
		{frame + "program:\n- compute: owner(cols, 2)", `a.yaml:8:12: program[0].compute: this is not a distribution (at character 7); expected one of rows`},
		{frame + "program:\n- compute: rows", `a.yaml:8:12: program[0].compute: rows is a distribution (at character 1); expected share(rows), owner(rows, i) or after(rows, i)`},
		{frame + "program:\n- compute: at(1)", `a.yaml:8:12: program[0].compute: at has 1 arguments (at character 1); expected a distance along each of the 2 axes of the grid`},
		{frame + "program:\n- compute: of(n+1, 0)", `a.yaml:8:12: program[0].compute: this is not a name under let (at character 5); expected a name under let and a process, as in of(rows, to)`},
		{frame + "program:\n- compute: random(1)", `a.yaml:8:12: program[0].compute: random has 1 arguments (at character 1); expected no argument, as in random()`},
		{frame + "program:\n- compute: n > 1", `a.yaml:8:12: program[0].compute: this is true or false (at character 3); expected a number`},
		{frame + "program:\n- compute: task", `a.yaml:8:12: program[0].compute: task has a meaning only in tasks (at character 1); expected ` + names},
		{frame + "program:\n- bcast: from", `a.yaml:8:10: program[0].bcast: from has a meaning only in the size of a gather, allgather or alltoall (at character 1); expected ` + names},
		{frame + "program:\n- gather: to*word", `a.yaml:8:11: program[0].gather: to has a meaning only in the size of a scatter, reducescatter or alltoall (at character 1); expected one of flops, from, n, `},
		{frame + "program:\n- reducescatter: from*word", `from has a meaning only in the size of a gather, allgather or alltoall (at character 1); expected one of flops, n, nx, p, rank, received, source, speed, t, to, `},
		{frame + "program:\n- compute: '''a'''", `a.yaml:8:12: program[0].compute: this is a text (at character 1); expected a number`},
		{frame + "program:\n- compute: {flop: }", `a.yaml:8:13: program[0].compute.flop: found no value; expected an amount of work`},
		{frame + "program:\n- compute: " + strings.Repeat("(1+", 40) + "1" + strings.Repeat(")", 40), `nested too deeply`},

		// Statements.
		{frame + "program: [{compte: n}]", `a.yaml:7:11: program[0]: unknown statement "compte"; expected ` + statement + "; did you mean compute?"},
		{frame + "program: [{compute: n, delay: t}]", `a.yaml:7:11: program[0]: two statements in one, compute and delay; expected a line starting with - for each statement`},
		{frame + "program: [{}]", `a.yaml:7:11: program[0]: an empty statement; expected ` + statement},
		{frame + "program: [barrier]", `a.yaml:7:11: program[0]: the statement barrier without a value; expected a colon after it, as in - barrier: {}`},
		{frame + "program: [{compute: {flops: n}}]", `a.yaml:7:21: program[0].compute: missing key "flop"; expected an amount of work`},
		{frame + "program: [{delay: 5}]", `a.yaml:7:19: program[0].delay: 5 is a number without a unit; expected a time or an expression in seconds, such as 5 us or t*nx`},
		{frame + "program: [{bcast: 5 kb}]", `a.yaml:7:19: program[0].bcast: unit "kb" is not accepted, perhaps "kB" or "kbit" is meant (at character 1); expected a unit`},
		{frame + "program: [{bcast: {size: 8 B, algorithm: ring}}]", `a.yaml:7:42: program[0].bcast.algorithm: unknown bcast algorithm "ring"; expected one of binomial, chain, flat, leader, mpich, multi-leader, openmpi, scatter-allgather, tuned, {base, per_process, per_byte}`},
		{frame + "program: [{reduce: {size: 8 B, algorithm: how}}]", `a.yaml:7:43: program[0].reduce.algorithm: parameter how is for bcast; expected a parameter for reduce`},
		{frame + "program: [{allreduce: {size: 8 B, root: 1}}]", `a.yaml:7:35: program[0].allreduce: unknown key "root"; expected one of algorithm, among, every, flop_per_byte, size`},
		{frame + "program: [{allreduce: {size: 8 B, every: 2}}]", `a.yaml:7:42: program[0].allreduce.every: every outside of a loop; expected a repeat around the statement`},
		{frame + "program: [{allreduce: {size: 8 B, among: z}}]", `a.yaml:7:42: program[0].allreduce.among: unknown axis of the grid "z"; expected one of all, x, y`},
		{frame + "program: [{repeat: 3}]", `a.yaml:7:11: program[0]: missing key "do"; expected the statements of a round`},
		{frame + "program: [{repeat: 3, index: n, do: [{delay: t}]}]", `a.yaml:7:30: program[0].index: the name n is defined twice; expected another name`},
		{frame + "program: [{when: n, do: [{delay: t}]}]", `a.yaml:7:18: program[0].when: this is a number (at character 1); expected a condition such as rank == 0`},
		{frame + "program: [{send: {to: 1}}]", `a.yaml:7:18: program[0].send: missing key "size"; expected a size or an expression in bytes`},
		{frame + "program: [{send: {to: any, size: 8 B}}]", `a.yaml:7:23: program[0].send.to: unknown name any (at character 1); expected ` + names},
		{frame + "program: [{wait: out}]", `a.yaml:7:18: program[0].wait: unknown request (one that an earlier statement has named) "out"; expected all`},
		{frame + "program: [{exchange: {with: all, size: 8 B}}]", `a.yaml:7:29: program[0].exchange.with: unknown partner "all"; expected neighbours`},
		{frame + "program: [{exchange: {with: neighbours, size: {x: 8 B}}}]", `a.yaml:7:47: program[0].exchange.size: missing key "y"; expected the size of messages along y`},
		{frame + "program: [{exchange: {with: neighbours, size: 8 B}, meanwhile: [{exchange: {with: neighbours, size: 8 B}}]}]", `a.yaml:7:76: program[0].meanwhile[0].exchange: an exchange during an exchange; expected one after the other`},
		{frame + "program: [{exchange: {with: neighbours, size: 8 B, periodic: [z]}}]", `a.yaml:7:63: program[0].exchange.periodic[0]: unknown axis of the grid "z"; expected one of x, y`},
		{frame + "program: [{exchange: {with: neighbours, size: 8 B, periodic: [all]}}]", `a.yaml:7:63: program[0].exchange.periodic[0]: unknown axis of the grid "all"; expected one of x, y`},
		{"application: a\nwork: 0\nprogram: [{exchange: {with: neighbours, size: 8 B}}]", `a.yaml:3:22: program[0].exchange: an exchange with neighbours needs a grid; expected a key grid, as in grid: {x: auto, y: auto}`},
		{frame + "program: [{tasks: {count: 5, flop: 1, order: dynamc}}]", `a.yaml:7:46: program[0].tasks.order: unknown order of tasks "dynamc"; expected one of dynamic, static; did you mean "dynamic"?`},
		{frame + "program: [{tasks: {count: 5, flop: 1 flop, input: 8 B}}]", `a.yaml:7:51: program[0].tasks.input: tasks in static order have no messages; expected order: dynamic, or no input and output`},
		{frame + "program: [{noise: {gauss: 1}}]", `a.yaml:7:20: program[0].noise: unknown key "gauss"; expected one of exponential, normal, uniform`},
		{frame + "program: [{noise: {normal: 1, uniform: 1}}]", `a.yaml:7:28: program[0].noise.normal: two distributions; expected one of uniform, normal, exponential`},
		{frame + "define: {s: {parameters: [m], do: [{delay: t}]}}\nprogram: [{call: s}]", `program[0].call: no value for the parameter m of s; expected with: {m: ...}`},
		{frame + "define: {s: {parameters: [m], do: [{delay: t}]}}\nprogram: [{call: s, with: {k: 1, m: 2}}]", `program[0].with.k: the procedure s has no parameter k; expected one of m`},
		{frame + "define: {s: {parameters: [n], do: [{delay: t}]}}\nprogram: [{call: s, with: {n: 1}}]", `define.s.parameters[0]: the name n is defined twice; expected another name`},
		{frame + "define: {s: {do: [{call: s}]}}\nprogram: [{call: s}]", `a.yaml:7:26: define.s.do[0].call: the procedure s calls itself: s, s; expected a loop, or a block that ends`},
		{frame + "define: {s: {do: [{call: r}]}, r: {do: [{call: s}]}}\nprogram: [{call: s}]", `calls itself: s, r, s; expected a loop`},
		{frame + "define: {s: {do: [{delay: t}]}}\nprogram: [{delay: t}]", `a.yaml:7:13: define.s: nothing calls the procedure s; expected a statement call: s`},
		{frame + "define: {s: {parameters: [m], do: [{delay: m}]}}\nprogram: [{call: s, with: {m: 8 B}}]", `a.yaml:7:44: define.s.do[0].delay: 8 B is a size; expected a time`},
		{frame + "define: {s: {do: [{delay: t}]}}\nprogram: [{call: step}]", `program[0].call: unknown procedure "step"; expected s`},
		{frame + "program: [{barrier: {among: [x, z]}}]", `a.yaml:7:33: program[0].barrier.among[1]: unknown axis of the grid "z"; expected one of x, y`},
		{frame + "program: [{barrier: {among: [all]}}]", `a.yaml:7:30: program[0].barrier.among[0]: unknown axis of the grid "all"; expected one of x, y`},
		{frame + "program: [{stream: a, do: [{stream: b, do: [{delay: t}]}]}]", `program[0].do[0].stream: a stream on a stream; expected it outside of the stream`},
		{frame + "program: [{stream: a, do: [{iallreduce: 8 B}]}]", `program[0].do[0].iallreduce: an operation that is started on a stream; expected it outside of the stream`},
		{frame + "program: [{stream: a, do: [{tasks: {count: 2, flop: 1 flop, order: dynamic}}]}]", `tasks that are handed out on a stream; expected it outside of the stream`},
		{frame + "program: [{stream: a, do: [{join: a}]}]", `program[0].do[0].join: a wait for a stream on a stream; expected it outside of the stream`},
		{frame + "program: [{stream: a, do: [{delay: t}]}, {join: b}]", `program[1].join: unknown stream (one that an earlier statement has named) "b"; expected a`},
		{frame + "program: [{stream: 1 2, do: [{delay: t}]}]", `program[0].stream: not a name; expected a name for the stream, such as copies`},
		{frame + "program: [{stream: a}]", `program[0]: missing key "do"; expected the statements that run beside the process`},
		{frame + "program: [{alltoall: {size: word*from, algorithm: openmpi}}]", `a.yaml:7:51: program[0].alltoall.algorithm: an alltoall whose blocks differ needs an algorithm; expected the name of an algorithm`},
	} {
		_, err := read(t, tt.text)
		if err == nil {
			t.Errorf("no problem in\n%s\nwant %s", tt.text, tt.want)
		} else if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("\n%s\ngot  %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

// A file without mistakes is read, and what it leaves out has its default.
func TestRead(t *testing.T) {
	a := expect.Value(read(t, frame+`program:
- imbalance: 0.1
- noise: {exponential: 0.01}
- repeat: 3
  index: i
  do:
  - exchange: {with: neighbours, size: word, corners: true, periodic: [x]}
    meanwhile: [{compute: n}, {allreduce: {size: 8 B, every: 2}}]
  - isend: {to: "at(1, 0)", size: nx*word, request: out}
  - irecv: {from: any, tag: any, request: in}
  - wait: out
  - wait: {request: in, every: 2}
  - wait: all
  - when: i == 1 and not (rank in [0, 1])
    do: [{delay: t}]
    else: [{barrier: {}}]
- tasks: {count: n, flop: flops*random(), order: dynamic, input: 1 kB}
- scatter: {size: "of(nx, to)*word", among: y, root: 0}
- bcast: {size: 1 MB, algorithm: how}
- barrier: {}
- compute: {flop: n, kernel: k}
- compute: {flop: n, precision: fp32}
- tasks: {count: n, flop: n, kernel: k, precision: fp32}
- compute: {flop: 2*n, kernel: k}
`))(t)
	expect.That(t, len(a.Loops) == 3 && a.Loops[0] == (application.Loop{Kernel: "k", At: "a.yaml:27:12"}) &&
		a.Loops[2] == (application.Loop{Kernel: "k", Precision: "fp32", At: "a.yaml:29:10"}),
		"inner loops %+v", a.Loops)
	expect.That(t, a.Name == "a" && len(a.Grid) == 2 && len(a.Statements) == 11 && a.Scaling == "strong", "read %+v", a)
}

// No text makes the reader panic, and what can be read can be built and run for a
// while.
func FuzzRead(f *testing.F) {
	for _, name := range application.CatalogueNames() {
		f.Add(string(application.CatalogueFile(name)))
	}
	f.Add(frame + "program: [{tasks: {count: 1e9, flop: 0, order: dynamic}}]")
	f.Add(frame + "program: [{repeat: 2^30, do: [{repeat: 2^30, do: [{compute: 0}]}]}]")
	f.Add(frame + "program: [{scatter: {size: 'of(nx, to) - 5', root: -1}}, {send: {to: 0.5, size: 1/0}}]")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := read(t, text)
		if err != nil {
			expect.That(t, strings.Count(err.Error(), "\n") <= 10_000, "too many problems")
			return
		}
		k := a.Kind()
		c := algorithm.Case{N: 7, Speeds: []units.FlopsPerSecond{1e9, 2e9, 1e9, 1e9, 1e9, 3e9}, Seed: 1, Values: parameter.Values{}}
		for _, p := range k.Parameters {
			switch x := p.Type.(type) {
			case parameter.Number:
				c.Values[p.Name] = x.Min
			case parameter.Size:
				c.Values[p.Name] = units.Bytes(8)
			case parameter.Work:
				c.Values[p.Name] = units.Flops(1e6)
			case parameter.Time:
				c.Values[p.Name] = units.Seconds(1e-6)
			case parameter.Algorithm:
				c.Values[p.Name] = collective.Default(x.Operation)
			}
		}
		x := k.Build(c)
		if x.Validate() != nil {
			return
		}
		x.Footprints()
		p := x.Program().(application.Run)
		for rank := 0; rank < p.Ranks() && p.Err() == nil; rank++ {
			for range 10 {
				var op workloads.Op
				if !p.Next(rank, &op) {
					break
				}
			}
		}
	})
}
