// Package iso finds, for each system of a study, the problem size at which it
// holds a target speed-efficiency, and the scalability psi between the systems.
//
// What it is. [Run] carries out a study. Beside the sizes found by simulation it has those read
// off a trend line, as in the papers, and those predicted from the closed form of the
// overhead. Values published elsewhere are shown for comparison and never enter a simulation.
//
// Layer. Under experiments; imports input, scenario, system and page.
//
// Determinism. Systems are solved on all cores; the result does not depend on the number of cores.
package iso
