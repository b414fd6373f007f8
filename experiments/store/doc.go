// Package store keeps the rows of a study in a directory, so that many
// processes on many machines can compute them, any of them can be killed at any
// moment, and the merged result is the same bytes as if one process had done it
// all. It knows no scenarios and no simulator: a row is a list of text cells,
// and it belongs to a point, which is a number.
//
// The points are dealt out to shards: with S shards, shard k has the points k,
// k+S, k+2S and so on. Who knows the plan knows which points a shard has;
// nobody hands them out. They are strided because the cost of a point usually
// grows along an axis of a grid, and blocks of neighbours would make the last
// shards the slow ones.
//
// A process that computes a shard makes an [Attempt]. There may be several for
// one shard, one after the other or at the same time: a scheduler that loses
// sight of a machine starts its work again elsewhere. So an attempt writes only
// files that no other attempt writes, and there are no locks, which network
// file systems do not keep reliably.
//
// # The directory
//
// plan.json is the plan: what decides the rows, and how many shards there are.
// It appears whole and never changes. It is written under a temporary name and
// given its name with link(2), which fails if the name is taken. Where there
// are no hard links it is renamed after a look whether the name is free; then,
// of two processes that create different plans in one directory at the same
// instant, the earlier one may not be told that it lost.
//
// part-00042.HOST.PID.RANDOM is what one attempt at shard 42 has written so
// far. The first line names the plan's hash, the shard and the number of
// shards:
//
//	# isoscale shard format 1 plan 9f86d0... shard 42 of 1000
//
// Each line after it is a row as CSV: the number of the point, the cells, and
// in eight hexadecimal digits the CRC-32 (IEEE) of what stands before the last
// comma:
//
//	42,1,64,"a cell, quoted",0.25,f2882adf
//
// Only whole lines with the right point, the right number of cells and the
// right checksum are believed, and only up to the first that is not so. A later
// attempt at the shard begins with what the longest such part has; rows depend
// on nothing but plan and point, so it does not matter who computed them.
// Attempts write and fsync about once a second, so that is what a killed one
// loses. The file is also synced before it gets its final name, and the
// directory about once a second.
//
// shard-00042.csv is the part of the attempt that finished first, renamed. It
// exists if and only if the shard is complete. Then the parts that were there
// when that attempt began are removed; others go when their own attempt ends,
// or with the merge.
//
// times/HOST.PID.RANDOM.log is beside the rows and says which points a process
// computed, from when and for how long: a line of JSON about the process, then
// lines `point,start,nanoseconds`. Nothing depends on these files, and they may
// be removed. They are not synced: a power failure may lose lines.
//
// results.csv is the merge: a header with the units and all rows by point,
// without checksums. It does not depend on the number of shards, on attempts or
// on their order.
//
// Names that end in .tmp are of processes that were killed while they wrote
// plan.json or results.csv. They may be removed.
//
// # Promises
//
// Files are opened by a computed name, because listings of a network file
// system may be some seconds old; only older parts, whose loss costs nothing
// but time, and times are found by listing. A line break in a cell becomes a
// space, so that a row is a line. Memory is bounded: a row by [MaxRow], a plan
// by 16 MiB, reading all rows by 32 MiB and the longest row of each shard (with
// more than 32768 shards, 1 KiB for each), with one file open at a time.
//
// Layer: imports the standard library only. Units: text of the caller, who
// names them in [Column]. Determinism: rows and results.csv depend only on what
// the caller puts in; names of parts and times hold host, process and a random
// number, and nothing is read from them.
package store
