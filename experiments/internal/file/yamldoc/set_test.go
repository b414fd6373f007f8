package yamldoc

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

var setCases = []struct {
	name, doc, path, value string
	want                   any
}{
	{"replace", "seed: 1", "seed", "2", map[string]any{"seed": int64(2)}},
	{"add a key", "a: 1", "b", "x y", map[string]any{"a": int64(1), "b": "x y"}},
	{"add keys on the way", "a: 1", "b.c.d", "2", map[string]any{"a": int64(1),
		"b": map[string]any{"c": map[string]any{"d": int64(2)}}}},
	{"nested", "nodes: {server: 1, blade: 1}", "nodes.blade", "8",
		map[string]any{"nodes": map[string]any{"server": int64(1), "blade": int64(8)}}},
	{"keep a string under its key", "network: hockney", "network.latency", "50 us",
		map[string]any{"network": map[string]any{"name": "hockney", "latency": "50 us"}}},
	{"keep a string and replace it", "network: hockney", "network.name", "flow",
		map[string]any{"network": map[string]any{"name": "flow"}}},
	{"a number in quotes is a string", "a: '1'", "a.b", "2",
		map[string]any{"a": map[string]any{"name": "1", "b": int64(2)}}},
	{"null becomes a mapping", "a:", "a.b", "1", map[string]any{"a": map[string]any{"b": int64(1)}}},
	{"element", "s: [1, 2, 3]", "s[1]", "9", map[string]any{"s": []any{int64(1), int64(9), int64(3)}}},
	{"in an element", "s:\n- {n: 1}\n- {n: 2}\n", "s[1].n", "3",
		map[string]any{"s": []any{map[string]any{"n": int64(1)}, map[string]any{"n": int64(3)}}}},
	{"root sequence", "[[1]]", "[0][0]", "2", []any{[]any{int64(2)}}},
	{"quoted key", "h: {a.b: 1}", `h["a.b"]`, "2", map[string]any{"h": map[string]any{"a.b": int64(2)}}},
	{"flow mapping", "workload: gauss", "workload", "{name: matmul, n: [1, 2]}",
		map[string]any{"workload": map[string]any{"name": "matmul", "n": []any{int64(1), int64(2)}}}},
	{"null", "a: 1", "a", "~", map[string]any{"a": nil}},
	{"quoted value", "a: 1", "a", `"2"`, map[string]any{"a": "2"}},
	{"comment behind the value", "a: 1", "a", "2 # two", map[string]any{"a": int64(2)}},
}

func TestSet(t *testing.T) {
	for _, c := range setCases {
		t.Run(c.name, func(t *testing.T) {
			n := mustParse(t, c.doc)
			before := dump(n)
			changed := expect.Value(n.Set(c.path, c.value))(t)
			expect.Same(t, changed.Plain(), c.want, "what is read")
			expect.Same(t, changed.At(c.path).Plain(), mustParse(t, c.value).Plain(), "what is at the path")
			walk(t, changed)
			expect.That(t, dump(n) == before, "the receiver has changed")
		})
	}
}

// Old nodes keep their positions; new ones point into the command line:
// in net.lat=50 us the value starts at column 9.
func TestSetPositions(t *testing.T) {
	n := expect.Value(mustParse(t, "seed: 1\nnet: hockney\n").Set("net.lat", "50 us"))(t)
	want := `f.yaml:1:1 "" mapping
f.yaml:1:1 key "seed"
f.yaml:1:7 "seed" "1" quoted=false
f.yaml:2:1 key "net"
f.yaml:2:6 "net" mapping
f.yaml:2:6 key "name"
f.yaml:2:6 "net.name" "hockney" quoted=false
--set net.lat=50 us:1:9 key "lat"
--set net.lat=50 us:1:9 "net.lat" "50 us" quoted=false
`
	expect.Same(t, dump(n), want, "what is read")
}

var setErrors = []struct{ path, value, want string }{
	{"", "1", `--set =1:1:1: the path is empty; expected a path such as systems[2].nodes.blade`},
	{"a..b", "1", `--set a..b=1:1:3: a key is missing; expected a path such as systems[2].nodes.blade`},
	{"a.", "1", `--set a.=1:1:3: a key is missing; expected a path such as systems[2].nodes.blade`},
	{".a", "1", `--set .a=1:1:1: a key is missing; expected a path such as systems[2].nodes.blade`},
	{"systems[", "1", `--set systems[=1:1:8: the bracket is not closed; expected a path such as systems[2].nodes.blade`},
	{`h["a"`, "1", `--set h["a"=1:1:2: the bracket is not closed; expected a path such as systems[2].nodes.blade`},
	{"systems[-1]", "1", `--set systems[-1]=1:1:8: bad index "-1"; expected a path such as systems[2].nodes.blade`},
	{"systems[0]x", "1", `--set systems[0]x=1:1:11: misplaced "x"; expected a path such as systems[2].nodes.blade`},
	{"a b", "1", `--set a b=1:1:2: misplaced " b"; expected a path such as systems[2].nodes.blade`},

	{"systems[2]", "1", `--set systems[2]=1:1:1: systems: there is no element 2; expected an index below 2`},
	{"systems.x", "1", `--set systems.x=1:1:1: systems: found a sequence; expected a mapping`},
	{"systems[1].nodes.blade.x", "1", `--set systems[1].nodes.blade.x=1:1:1: systems[1].nodes.blade: found the number 1; expected a mapping`},
	{"network[0]", "1", `--set network[0]=1:1:1: network: found the text "hockney"; expected a sequence`},
	{"new[0]", "1", `--set new[0]=1:1:1: new: found no value; expected a sequence`},
	{strings.Repeat("a.", 64) + "a", "1", `--set ` + strings.Repeat("a.", 64) + `a=1:1:1: nested too deeply; expected at most 64 levels`},

	{"seed", "", `--set seed=:1:6: seed: there is no value; expected a YAML scalar or flow collection in one line`},
	{"seed", "# 1", `--set seed=# 1:1:6: seed: there is no value; expected a YAML scalar or flow collection in one line`},
	{"seed", "1\n2", `--set seed=1\n2:1:6: seed: the value has several lines; expected a YAML scalar or flow collection in one line`},
	{"seed", "a: 1", `--set seed=a: 1:1:6: seed: the value is a block collection; expected a YAML scalar or flow collection in one line`},
	{"seed", "- 1", `--set seed=- 1:1:6: seed: the value is a block collection; expected a YAML scalar or flow collection in one line`},
	{"seed", "[1", `--set seed=[1:1:6: not valid YAML: sequence end token ']' not found`},
	{"µ", "{a: 1, a: 2}", `--set µ={a: 1, a: 2}:1:10: duplicate key "a", first given in line 1; expected every key once`},
	{"seed", "*x", `--set seed=*x:1:6: aliases (*) are not supported; expected the value written out`},
}

func TestSetErrors(t *testing.T) {
	n := mustParse(t, "network: hockney\nsystems:\n- {name: C2}\n- nodes: {blade: 1}\n")
	for _, c := range setErrors {
		changed, err := n.Set(c.path, c.value)
		expect.Need(t, err != nil && changed == nil, "no error; want %s", c.want)
		checkError(t, err)
		expect.Same(t, err.Error(), c.want, "%s=%s", c.path, c.value)
	}
	_, err := (*Node)(nil).Set("a", "1")
	expect.That(t, err != nil && err.Error() == "--set a=1:1:1: there is no document; expected a document to change", "nil node: %v", err)
}

// Only the texts that change differ; the old tree stays as it was, and so do positions.
func TestRewritten(t *testing.T) {
	n := expect.Value(Parse("in", []byte("a: 4 +- 1\nb: ['5 +- 1', {c: x}]\n")))(t)
	before := string(n.JSON())
	var paths []string
	got := n.Rewritten(func(n *Node) string {
		paths = append(paths, n.Path())
		value, _, _ := strings.Cut(n.Text(), " +-")
		return value
	})
	expect.Equal(t, string(got.JSON()), `{"a":4,"b":[5,{"c":"x"}]}`, "rewritten tree")
	expect.Equal(t, strings.Join(paths, " "), "a b[0] b[1].c", "paths asked for")
	expect.That(t, string(n.JSON()) == before, "the tree before has changed")
	expect.That(t, got.Value("b").Pos() == n.Value("b").Pos(), "a place has changed")
}
