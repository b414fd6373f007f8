package scenario

import (
	"slices"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/yamldoc"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// library holds the files that the scenarios of a template name, each read once,
// and the machines and applications in them. Its methods can be called by several goroutines at
// once, and on nil, the library of a reader that reads files as it meets them.
type library struct {
	base   string // the folder that names of files start from
	sealed bool   // nothing is read from disk

	mu        sync.Mutex
	documents []input.Document
	entries   map[string]*yamldoc.Node // of the catalogue
	machines  map[string]*topology.Machine
	// applications by the name of their file.
	applications map[string]*algorithm.Kind
}

// parse reads the text of an entry of the catalogue.
func (l *library) parse(file string, data []byte) (*yamldoc.Node, error) {
	if l == nil {
		return yamldoc.Parse(file, data)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if root := l.entries[file]; root != nil {
		return root, nil
	}
	root, err := yamldoc.Parse(file, data)
	if err != nil {
		return nil, err
	}
	if l.entries == nil {
		l.entries = map[string]*yamldoc.Node{}
	}
	l.entries[file] = root
	return root, nil
}

// document returns a file.
func (l *library) document(name string, f format) (*yamldoc.Node, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.documents {
		if d.Name == name {
			return d.Root, nil
		}
	}
	if l.sealed {
		return nil, &yamldoc.Error{Pos: yamldoc.Position{File: name}, Msg: name + " is not among the files of the study"}
	}
	root, _, err := yamldoc.ReadFileAs(input.Resolve(l.base, name), f.want, f.parse)
	if err != nil {
		return nil, err
	}
	l.documents = append(l.documents, input.Document{Name: name, Root: root})
	return root, nil
}

// all returns the files read so far.
func (l *library) all() []input.Document {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.documents)
}

// machine returns a machine that was kept, or nil.
func (l *library) machine(name string) *topology.Machine {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.machines[name]
}

// keepMachine keeps a machine, which is not changed from then on.
func (l *library) keepMachine(name string, m *topology.Machine) {
	if l == nil || m == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.machines == nil {
		l.machines = map[string]*topology.Machine{}
	}
	l.machines[name] = m
}

// application returns an application that was kept, or nil.
func (l *library) application(name string) *algorithm.Kind {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.applications[name]
}

// keepApplication keeps an application, which is not changed from then on.
func (l *library) keepApplication(name string, k *algorithm.Kind) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.applications == nil {
		l.applications = map[string]*algorithm.Kind{}
	}
	l.applications[name] = k
}
