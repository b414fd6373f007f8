// Package energy says what a run draws from the mains.
//
// What it is. A node draws one power while its processes compute, another while they
// are in messages, a third without work; [Of] integrates them over the times that a
// simulation reports for every process, and adds what the network draws.
//
// What it is not. It does not model the frequency of cores, temperature, cooling or power supplies; a known factor for
// these can be applied to the result. It does not know jobs, years or prices.
//
// Layer. Under experiments; knows topology, model/units and the results of sim.
//
// Units. Joules; power in units.Watts.
//
// Source and deviations: docs/models/energy.md.
package energy
