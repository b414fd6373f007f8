package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// By sha256sum, of the text that the comment of Plan.hash describes:
//
//	{"format":1,"points":20,"seed":7,"columns":[{"name":"size","unit":"MB","kind":"factor"},{"name":"note","kind":"response"}],"spec":{"factors":{"p":{"from":1,"to":64}},"scenario":"a.yaml"}}
func TestHash(t *testing.T) {
	p := samplePlan(20, 3)
	p.Format = 1
	expect.Equal(t, expect.Value(p.hash())(t), "4aa22031b20a7fc3e2c7ab123c627b719941e6ac39f338464a5933d9eaab3b38", "hash")
}

func TestCreateAgain(t *testing.T) {
	d := mustCreate(t, samplePlan(20, 3))
	for _, tt := range []struct {
		name   string
		change func(*Plan)
		field  string // "": no difference
		part   string // of the message
	}{
		{"same", func(p *Plan) {}, "", ""},
		{"shards", func(p *Plan) { p.Shards = 5 }, "", ""},
		{"order and space of the spec", func(p *Plan) {
			p.Spec = json.RawMessage(`{"factors":{"p":{"to":64,"from":1}},"scenario":"a.yaml"}`)
		}, "", ""},
		{"points", func(p *Plan) { p.Points = 21 }, "points", "points is 20 there, but 21 in the plan"},
		{"seed", func(p *Plan) { p.Seed = -7 }, "seed", "seed is 7 there, but -7 in the plan"},
		{"version", func(p *Plan) { p.Version = "v2" }, "version", "computed by version v1, but this is version v2"},
		{"unit", func(p *Plan) { p.Columns[0].Unit = "GB" }, "columns", `columns: [0] is "size [MB]" (factor) there, but "size [GB]" (factor) in the plan`},
		{"kind", func(p *Plan) { p.Columns[1].Kind = "" }, "columns", `columns: [1] is "note" (response) there, but "note" in the plan`},
		{"column more", func(p *Plan) { p.Columns = append(p.Columns, Column{Name: "x"}) }, "columns", `columns: [2] is nothing there, but "x" in the plan`},
		{"column less", func(p *Plan) { p.Columns = p.Columns[:1] }, "columns", `columns: [1] is "note" (response) there, but nothing in the plan`},
		{"spec", func(p *Plan) {
			p.Spec = json.RawMessage(`{"scenario": "a.yaml", "factors": {"p": {"from": 1, "to": 128}}}`)
			p.Points = 21
		}, "spec", "spec: factors.p.to is 64 there, but 128 in the plan"},
		{"no spec", func(p *Plan) { p.Spec = nil }, "spec", `spec is {"factors":{"p":{"from":1,"to":64}},"scenario":"a.yaml"} there, but null in the plan`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := samplePlan(20, 3)
			tt.change(&p)
			again, err := Create(d.path, p)
			if tt.field == "" {
				expect.Success(t, err)
				expect.That(t, again.Plan().Shards == 3, "%d shards, want the existing 3", again.Plan().Shards)
				return
			}
			expect.Equal(t, expect.Kind[*PlanError](t, err).Field, tt.field, "field")
			expect.Failure(t, err, tt.part)
		})
	}
}

func TestSpecDifference(t *testing.T) {
	for _, tt := range []struct{ a, b, path, va, vb string }{
		{`{"a": [1, {"b": 2}]}`, `{"a": [1, {"b": 3}]}`, "a[1].b", "2", "3"},
		{`{"a": 1, "b": 1}`, `{"b": 2, "c": 1}`, "a", "1", "nothing"},
		{`{"b": 1}`, `{"b": 1, "c": "x"}`, "c", "nothing", `"x"`},
		{`[1]`, `[1, 2]`, "[1]", "nothing", "2"},
		{`{"a.b": {"": 1}}`, `{"a.b": {"": null}}`, `["a.b"][""]`, "1", "null"},
		{`{"a": {}}`, `{"a": []}`, "a", "{}", "[]"},
		{`1`, `1.0`, "", "1", "1.0"},
		{`12345678901234567890`, `12345678901234567891`, "", "12345678901234567890", "12345678901234567891"},
	} {
		d := mustCreate(t, withSpec(tt.a))
		_, err := Create(d.path, withSpec(tt.b))
		plan := expect.Kind[*PlanError](t, err)
		expect.That(t, plan.Field == "spec" && plan.Path == tt.path && plan.Existing == tt.va && plan.Wanted == tt.vb,
			"%s and %s: got %+v", tt.a, tt.b, *plan)
	}
	d := mustCreate(t, withSpec(`"`+strings.Repeat("é", 1000)+`"`))
	_, err := Create(d.path, withSpec("1"))
	expect.That(t, err != nil && len(err.Error()) <= 500, "got %v", err)
}

func withSpec(spec string) Plan {
	p := samplePlan(20, 3)
	p.Spec = json.RawMessage(spec)
	return p
}

func TestPlanRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Plan)
		want   string
	}{
		{"no points", func(p *Plan) { p.Points = 0 }, "points: 0"},
		{"no shards", func(p *Plan) { p.Shards = 0 }, "shards: 0"},
		{"too many shards", func(p *Plan) { p.Shards = 100_001 }, "shards: 100001"},
		{"no columns", func(p *Plan) { p.Columns = nil }, "columns: none"},
		{"no name", func(p *Plan) { p.Columns[1].Name = "" }, "columns[1]"},
		{"line break", func(p *Plan) { p.Columns[1].Unit = "a\nb" }, "columns[1]"},
		{"not UTF-8", func(p *Plan) { p.Columns[1].Name = "\xff" }, "columns[1]"},
		{"version not UTF-8", func(p *Plan) { p.Version = "\xff" }, "version"},
		{"point", func(p *Plan) { p.Columns[1].Name = "point" }, "the name of the first column of every table"},
		{"twice", func(p *Plan) { p.Columns[1] = Column{Name: "size [MB]"} }, "occurs twice"},
		{"spec is no JSON", func(p *Plan) { p.Spec = json.RawMessage("{") }, "expected JSON"},
		{"spec is two", func(p *Plan) { p.Spec = json.RawMessage("1 2") }, "expected one JSON value"},
		{"spec too long", func(p *Plan) { p.Spec = json.RawMessage(`"` + strings.Repeat("x", maxPlan) + `"`) }, "expected at most"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "study")
			p := samplePlan(20, 3)
			tt.change(&p)
			expect.Refusal(Create(dir, p))(t, tt.want)
			_, err := os.Stat(planName(dir))
			expect.That(t, err != nil, "there is a plan.json")
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	d := mustCreate(t, samplePlan(20, 3))
	good := read(t, planName(d.path))
	for _, tt := range []struct{ name, content, want string }{
		{"empty", "", "expected the plan of a study"},
		{"half", good[:len(good)/2], "expected the plan of a study"},
		{"format", strings.Replace(good, `"format": 1`, `"format": 2`, 1), "format 2; this version reads format 1"},
		{"format and other fields", `{"format": 2, "points": "many"}`, "format 2; this version reads format 1"},
		{"no format", "{}", "format 0"},
		{"type", strings.Replace(good, `"points": 20`, `"points": "20"`, 1), "points"},
		{"edited points", strings.Replace(good, `"points": 20`, `"points": 21`, 1), "changed after it was written"},
		{"edited spec", strings.Replace(good, "64", "65", 1), "changed after it was written"},
		{"edited hash", strings.Replace(good, d.plan.Hash, "0", 1), "changed after it was written"},
		{"shards", strings.Replace(good, `"shards": 3`, `"shards": 3000000000`, 1), "shards: 3000000000"},
		{"long", strings.Repeat(" ", maxPlan) + good, "longer than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			expect.Need(t, tt.content != good, "nothing was changed")
			write(t, planName(d.path), tt.content)
			expect.Refusal(Open(d.path))(t, tt.want)
			expect.Refusal(Create(d.path, samplePlan(20, 3)))(t, tt.want)
		})
	}
	_, err := Open(t.TempDir())
	expect.That(t, errors.Is(err, fs.ErrNotExist), "empty directory: %v", err)
}

func TestOpenOtherVersion(t *testing.T) {
	d := mustCreate(t, samplePlan(20, 3))
	compute(t, d)
	other := expect.Value(Open(d.path))(t)
	expect.Success(t, other.Resumable("v1"))
	expect.Equal(t, expect.Kind[*PlanError](t, other.Resumable("v2")).Field, "version", "field")
	expect.That(t, merged(t, other) != "", "nothing merged")
}

// A plan is read as it was written, and written for people: with line breaks and
// without escapes for HTML.
func TestPlanText(t *testing.T) {
	p := withSpec(`{"exclude": ["a < b && c > d"], "b": 1, "a": 1}`)
	d := mustCreate(t, p)
	expect.Says(t, read(t, planName(d.path)), "\n  \"points\": 20,\n", `"a < b && c > d"`, `"b": 1`)
	again := expect.Value(Open(d.path))(t)
	q := again.Plan()
	expect.That(t, q.Version == p.Version && q.Points == p.Points && q.Shards == p.Shards && q.Seed == p.Seed && slices.Equal(q.Columns, p.Columns) && q.Hash == d.plan.Hash,
		"got %+v", q)
	// The order of the keys is kept.
	expect.Equal(t, string(q.Spec), `{"exclude":["a < b && c > d"],"b":1,"a":1}`, "spec")
}

// Many processes create at once: if all want the same study all get it, and
// otherwise one study wins and the others are told.
func TestCreateAtOnce(t *testing.T) {
	for _, seeds := range []int64{1, 4} {
		path := filepath.Join(t.TempDir(), "a", "study")
		errs := make([]error, 8)
		got := make([]*Dir, 8)
		var wait sync.WaitGroup
		for i := range errs {
			wait.Go(func() {
				p := samplePlan(20, 3+i)
				p.Seed = int64(i) % seeds
				got[i], errs[i] = Create(path, p)
			})
		}
		wait.Wait()
		there := expect.Value(Open(path))(t)
		for i, err := range errs {
			if int64(i)%seeds != there.plan.Seed {
				expect.Equal(t, expect.Kind[*PlanError](t, err).Field, "seed", "%d: field", i)
				continue
			}
			expect.That(t, err == nil && got[i].plan.Shards == there.plan.Shards,
				"%d: %v, %+v; want %d shards", i, err, got[i], there.plan.Shards)
		}
		expect.List(t, names(t, there), []string{"plan.json"}, "files")
	}
}

func TestCreateWithoutLinks(t *testing.T) {
	path := t.TempDir()
	sys := realSystem
	sys.link = func(from, to string) error { return &os.LinkError{Op: "link", Old: from, New: to, Err: syscall.EPERM} }
	for range 2 {
		d := expect.Value(create(path, samplePlan(20, 3), sys))(t)
		expect.List(t, names(t, d), []string{"plan.json"}, "files")
	}
	p := samplePlan(20, 3)
	p.Seed = 8
	_, err := create(path, p, sys)
	expect.Kind[*PlanError](t, err)
}

// Somebody else publishes between the look for plan.json and the link.
func TestCreateLosesRace(t *testing.T) {
	for _, seed := range []int64{7, 8} {
		path := t.TempDir()
		sys := realSystem
		sys.link = func(from, to string) error {
			p := samplePlan(20, 9)
			p.Seed = seed
			expect.Value(Create(path, p))(t)
			return os.Link(from, to)
		}
		d, err := create(path, samplePlan(20, 3), sys)
		if seed == 8 { // another study
			expect.Kind[*PlanError](t, err)
			continue
		}
		expect.That(t, err == nil && d.plan.Shards == 9, "same study: %v, %+v", err, d)
	}
}
