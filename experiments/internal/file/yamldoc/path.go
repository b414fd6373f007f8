package yamldoc

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A path names a value in a document:
//
//	path  = [ key | index ] { "." key | index }
//	key   = one or more characters without . [ ] " = and white space
//	index = "[" digits "]" | "[" "key in double quotes, Go syntax" "]"
//
// The quoted form reaches keys such as host names: nodes["a.example.org"].

// Path returns the path of n from the root of its document, as in --set:
// "systems[2].nodes.blade". The root has the path "".
func (n *Node) Path() string {
	if n == nil || n.parent == nil {
		return ""
	}
	return joinPath(n.parent.Path(), n.step())
}

func (n *Node) step() step {
	return step{key: n.key, index: n.index, isIndex: n.parent.kind == sequence}
}

// At returns the value that [Node.Set] replaces at a path, or the null above it that Set turns
// into a mapping; nil if there is neither.
func (n *Node) At(path string) *Node {
	steps, _, msg := parsePath(path)
	if msg != "" {
		return nil
	}
	for _, s := range steps {
		switch {
		case n.IsNull():
			return n
		case s.isIndex:
			n = n.Item(s.index)
		case s.key != ScalarKey || !n.IsScalar():
			n = n.Value(s.key)
		}
	}
	return n
}

type step struct {
	key     string
	index   int
	isIndex bool
}

func joinPath(path string, s step) string {
	switch {
	case s.isIndex:
		return path + "[" + strconv.Itoa(s.index) + "]"
	case s.key == "" || strings.ContainsFunc(s.key, isPathSyntax):
		return path + "[" + strconv.Quote(s.key) + "]"
	case path == "":
		return s.key
	}
	return path + "." + s.key
}

func isPathSyntax(r rune) bool {
	return strings.ContainsRune(".[]\"=", r) || r == ' ' || isControl(r) || r == utf8.RuneError
}

// parsePath splits a path into steps. On failure it returns the byte offset of
// the fault and a message.
func parsePath(path string) (steps []step, offset int, msg string) {
	for i := 0; i < len(path); {
		if path[i] == '[' {
			s, n, msg := parseIndex(path[i:])
			if msg != "" {
				return nil, i, msg
			}
			steps = append(steps, s)
			i += n
			continue
		}
		if i > 0 {
			if path[i] != '.' {
				return nil, i, "misplaced " + quote(path[i:])
			}
			i++
		}
		end := strings.IndexFunc(path[i:], isPathSyntax)
		if end < 0 {
			end = len(path) - i
		}
		if end == 0 {
			return nil, i, "a key is missing"
		}
		steps = append(steps, step{key: path[i : i+end]})
		i += end
	}
	if len(steps) == 0 {
		return nil, 0, "the path is empty"
	}
	return steps, 0, ""
}

// parseIndex reads the bracket that s starts with and returns its length.
func parseIndex(s string) (step, int, string) {
	if q, err := strconv.QuotedPrefix(s[1:]); err == nil && q[0] == '"' {
		if !strings.HasPrefix(s[1+len(q):], "]") {
			return step{}, 0, "the bracket is not closed"
		}
		key, err := strconv.Unquote(q)
		if err != nil {
			return step{}, 0, "bad quoted key " + Clip(q)
		}
		return step{key: key}, len(q) + 2, ""
	}
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return step{}, 0, "the bracket is not closed"
	}
	index, err := strconv.ParseUint(s[1:end], 10, 31)
	if err != nil {
		return step{}, 0, "bad index " + quote(s[1:end])
	}
	return step{index: int(index), isIndex: true}, end + 1, ""
}
