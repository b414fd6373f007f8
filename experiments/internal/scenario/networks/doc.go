// Package networks reads which network model a file uses, with its parameters.
//
// What it is. [Kinds] are the network models that have a name, with everything that a file may set of each; each model
// has a file. [Read] makes a [Network]: a model with the parameters of the file, or of the machine where the file gives
// none. A [Model] is a model that is put on many machines.
//
// What it is not. Package network of model says what a message costs, package machines how nodes are wired.
//
// Layer. Under experiments; imports machines, and below it sim, topology and model.
package networks
