package system

import (
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
)

// Check returns the error that a run of a scenario ends with before time passes: of the
// machine, of the parameters, or of an expression as far as [application.Try] looks.
func Check(s *scenario.Scenario) error {
	sys, err := New(s)
	if err != nil {
		return err
	}
	return sys.Check(s.Workload.N)
}

// Check returns the error that [System.Simulate] returns before time passes.
func (s *System) Check(n int) error {
	a := s.Algorithm(n)
	if err := a.Validate(); err != nil {
		return err
	}
	p := s.Workload.Program(a, s.Placement)
	if r, ok := p.(application.Run); ok {
		application.Try(r)
	}
	return applicationError(p)
}

// CheckSuperProgram is [Check] for a super-program.
func CheckSuperProgram(s *scenario.SuperProgram) error {
	if s.Method == scenario.Dispatch {
		return dispatchOf(s).Validate()
	}
	r := &SuperProgramResult{}
	for range s.Levels {
		r.Levels = append(r.Levels, SuperLevel{})
	}
	return computeSuperProgram(s, r)
}
