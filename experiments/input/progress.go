package input

// Progress is called after each part of a computation: done of total parts are
// done, the last of them the one named what.
type Progress func(done, total int, what string)
