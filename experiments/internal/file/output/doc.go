// Package output writes the files that a call is asked for: reports, tables, timelines.
// No output destroys what the call has read, a file of a results directory, or
// another output of the same call.
//
// A file is written under a temporary name in its folder and renamed when it is
// complete, so that readers see the old content or the new one whole. All checks are
// made twice: before any work, so that hours of simulation are not lost, and just before
// the rename, when all files that were read are known. Links are followed: the file
// that is replaced, and compared, is the one at the end of all symbolic links. Devices
// and pipes are not replaced but written to.
//
// What it is not. It does not write results directories: package store does.
//
// Layer. Under experiments; imports input. The caller knows the files of results directories.
package output
