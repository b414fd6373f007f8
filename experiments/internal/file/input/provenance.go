package input

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Version is the version of isoscale, and part of every result.
const Version = "0.1.0"

// BuildInfo says which program this is.
type BuildInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Build returns what this program was built from and for.
func Build() BuildInfo {
	return BuildInfo{Version, revision(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
}

func (b BuildInfo) String() string {
	s := "isoscale " + b.Version
	if b.Revision != "" {
		s += " (" + b.Revision + ")"
	}
	return s + ", " + b.Go + ", " + b.Platform
}

// Provenance says where a result comes from. Everything in it but WallSeconds
// is a function of the inputs.
type Provenance struct {
	Version     string     `json:"version"`
	Revision    string     `json:"revision,omitempty"` // of the source code, where the build recorded it
	Command     string     `json:"command"`
	Inputs      []Input    `json:"inputs"`
	Overrides   []Override `json:"overrides,omitempty"`
	Seed        int64      `json:"seed"`
	Simulations int        `json:"simulations"`
	Events      int64      `json:"events"`
	WallSeconds float64    `json:"wall_s"`
}

// Stopwatch starts a provenance; its result fills in the wall time.
func Stopwatch(command string, inputs []Input, overrides []Override, seed int64) func(*Provenance) {
	start := time.Now()
	return func(p *Provenance) {
		p.Version, p.Revision = Version, revision()
		p.Command, p.Inputs, p.Overrides, p.Seed = command, inputs, overrides, seed
		p.WallSeconds = time.Since(start).Seconds()
	}
}

// revision returns the version control revision that the program was built
// from, if the build recorded one. It is found once: the points of a study ask for it.
var revision = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var rev, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			rev = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = "+changes"
			}
		}
	}
	if rev == "" {
		return ""
	}
	return rev + modified
})
