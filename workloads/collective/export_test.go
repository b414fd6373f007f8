package collective

// What the tests of this package look at by itself.
var (
	Cut          = cut
	DecisiveSize = decisiveSize
	ChainBcast   = chainBcast
	NewRules     = newRules
)

type Rule = rule

const (
	AnyProcesses = anyProcesses
	AnyBytes     = anyBytes
)
