// Package page makes the explorer: one HTML file with the simulator in it.
//
// What it is. [Build] compiles the program in folder browser for WebAssembly with the Go toolchain in use, takes the
// script that starts it from there, and puts both into a page with the examples and lessons of the module. The file is
// self-contained and requests nothing: its policy forbids it.
//
// What it is not. It simulates nothing, and is not part of the program in the browser.
//
// Layer. Under experiments; imports explorer, for the page's initial answers, input, lesson, pictures and yamldoc.
package page
