// Package run simulates one scenario and reports how every rank spends its time.
//
// What it is. [Run] simulates a scenario. Options record more about the run: links,
// timeline, critical path, message matrix, fingerprint.
//
// Layer. Under experiments; imports input, scenario, system and page.
package run
