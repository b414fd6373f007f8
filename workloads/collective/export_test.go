package collective

// Internals for tests.
var (
	Cut          = cut
	DecisiveSize = decisiveSize
	ChainBcast   = chainBcast
	NewRules     = newRules
	Tables       = map[string][]Rule{"mpich": mpichRules(), "openmpi": openMPIRules()}
)

type Rule = rule

const (
	AnyProcesses = anyProcesses
	AnyBytes     = anyBytes
)
