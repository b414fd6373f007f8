// Package run carries out one scenario and says where the time of every rank went.
//
// What it is. [Run] simulates; its options ask for more to be recorded: links,
// timeline, critical path, message matrix, fingerprint.
//
// Layer. Under experiments; imports input, scenario, system and page.
package run
