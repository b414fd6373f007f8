// Package slurmtest starts a private Slurm on the loopback interface for the
// duration of a test: munge, a controller and one daemon for each virtual node,
// in a directory of their own, on free ports, with a key of their own. Several
// clusters may run at the same time. Only tests import it.
//
// It needs Linux, root and the programs of Debian's packages slurm-wlm and
// munge (tried with Slurm 22.05); no systemd, cgroups or database. Where one of
// these is missing the test is skipped and says what it needs; it fails instead
// if the environment variable ISOSCALE_REQUIRE_SLURM is set. With -short the
// test is skipped.
//
// Nodes are called n1, n2, ... and may claim more processors than the machine
// has. Everything that could be a name of the site, from the cluster's name
// (loopback) to its limits (MaxArraySize 1001, MaxJobCount 10000), is as Slurm
// has it by default, but the scheduler runs every second. Where a test is to lose
// nodes (StartToLoseNodes), some times are shorter than on a site: a silent node is
// given up after some 15 s instead of 300 s, and a requeued job waits 5 s instead
// of 120 s.
//
// The daemons stay in the foreground as children of the test, so each is ended
// by its own process id. What Slurm puts into the background (a slurmstepd for
// each running task, and the task) is found by its working directory and its
// ancestry. Nothing is left after the test; if the test process itself is
// killed, the daemons go with it.
//
// Layer: imports the standard library only.
package slurmtest
