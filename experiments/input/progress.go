package input

// Progress is told how far a study has come.
type Progress func(done, total int, what string)
