// Package studies has the commands of studies of many simulations: sweep and plan, on
// this computer or as a job array of Slurm, and export, report and plot, which take what
// is stored.
//
// Its tests are those of the command line, in experiments/command.
package studies
