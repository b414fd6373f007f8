// Package store keeps the rows of a study in a directory. Many processes on many
// computers can compute the rows, any process can be killed at any time, and the
// merged result is identical to that of a single process. The package does not
// depend on scenarios or the simulator: a row is a list of text cells, and it
// belongs to a point, which is a number.
//
// The points are divided into shards: with S shards, shard k has the points k,
// k+S, k+2S and so on. The plan alone determines the points of a shard. They are
// strided because the cost of a point usually grows along an axis of a grid, so that
// shards of consecutive points would differ much in cost.
//
// A process that computes a shard makes an [Attempt]. There may be several attempts
// at one shard, one after the other or at the same time: a scheduler that loses the
// connection to a node starts its work on another one. So an attempt writes only
// files that no other attempt writes. There are no locks, because they are not
// reliable on network file systems.
//
// # The directory
//
// plan.json is the plan: everything that determines the rows, and the number of
// shards. It is created atomically and never changes. It is written under a temporary
// name and gets its final name by link(2), which fails if the name exists. Where hard
// links are not available it is renamed after a check that the name is free. Then, if
// two processes create different plans in one directory at the same instant, the
// earlier one may not notice that its plan was replaced.
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
// A line is valid if it is complete and has the expected point, the expected number of
// cells and the right checksum. A reader uses the lines up to the first invalid one. A
// later attempt at the shard starts with the valid lines of the part that has most of
// them; this is correct because a row depends only on the plan and the point.
// Attempts write and fsync about once a second, so a killed attempt loses the rows of
// about one second. The file is also synced before it gets its final name, and the
// directory about once a second.
//
// shard-00042.csv is the part of the attempt that finished first, renamed. It
// exists if and only if the shard is complete. Then the parts that existed when that
// attempt began are removed. The others are removed when their own attempt ends, or by
// the merge.
//
// times/HOST.PID.RANDOM.log lists the points that a process computed, with start and
// duration: a line of JSON about the process, then lines `point,start,nanoseconds`.
// Results do not depend on these files, and they may be removed. They are not synced:
// a power failure may lose lines.
//
// results.csv is the merge: a header with the units and all rows by point,
// without checksums. It does not depend on the number of shards, on attempts or
// on their order.
//
// Files whose names end in .tmp are left by processes that were killed while they
// wrote plan.json or results.csv. They may be removed, and [Create] removes them when it
// opens the directory of a study: those of this host whose process is gone, and of any
// host those older than a day.
//
// # Promises
//
// Files are opened by a computed name, because directory listings of a network file
// system may be some seconds old. Only times and older parts are found by listing;
// a part that is missed costs only time. A line break in a cell becomes a space, so
// that a row is a line. Memory is bounded: a row by [MaxRow], a plan
// by 16 MiB, reading all rows by 32 MiB and the longest row of each shard (with
// more than 32768 shards, 1 KiB for each), with one file open at a time.
//
// Units: text of the caller, who names them in [Column]. Determinism: rows and results.csv depend only on the input
// of the caller. The names of parts and times contain host, process and a random
// number, but these are never used.
package store
