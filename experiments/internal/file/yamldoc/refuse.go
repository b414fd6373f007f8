package yamldoc

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// unsupported lists the YAML tokens that this package rejects. They are rejected
// before parsing, because most defects of the parser concern them.
var unsupported = map[token.Type][2]string{
	token.AnchorType:     {"anchors (&) are not supported", "the value written out"},
	token.AliasType:      {"aliases (*) are not supported", "the value written out"},
	token.MergeKeyType:   {"merge keys (<<) are not supported", "the keys written out"},
	token.TagType:        {"tags (!) are not supported", "a value without a tag"},
	token.DirectiveType:  {"directives (%) are not supported", "a document without them"},
	token.MappingKeyType: {"explicit keys (?) are not supported", "key: value"},
}

// refuse checks the tokens of a document before they are parsed: no
// unsupported syntax, one document, and sizes at which goccy's parser is safe.
// The parser recurses over nested values and over the sibling keys of a block
// mapping, takes time quadratic in the number of siblings and of missing values
// (2 million lines with a lone dash run for more than ten minutes), and stores
// the whole path of every value.
func (s source) refuse(tokens token.Tokens) error {
	if len(tokens) > maxTokens {
		return &Error{Pos: s.token(tokens[maxTokens]), Msg: "too many values",
			Want: fmt.Sprintf("at most %d keys, values and punctuation marks", maxTokens)}
	}
	var problems Problems
	fail := func(tk *token.Token, msg, want string) {
		problems = append(problems, &Error{Pos: s.token(tk), Msg: msg, Want: want})
	}
	var nest nesting
	longest, deepest := 0, 0
	started, ended := false, false // the document
	for i, tk := range tokens {
		if ended || started && tk.Type == token.DocumentHeaderType {
			fail(tk, "a second document starts here", "one document in a file")
			break
		}
		if tk.Type == token.DocumentEndType {
			ended = true
		}
		started = true
		if u, ok := unsupported[tk.Type]; ok {
			fail(tk, u[0], u[1])
		}
		if tk.Type == token.DirectiveType {
			break // its words are not content
		}
		var key *token.Token
		if tk.Type == token.MappingValueType && i > 0 {
			key = tokens[i-1]
			longest = max(longest, len(key.Value))
			if len(key.Value) > maxKey {
				fail(key, "the key is too long", fmt.Sprintf("at most %d bytes", maxKey))
			}
		}
		keys := nest.step(tk, key)
		deepest = max(deepest, len(nest.levels))
		// One level of a document is at most two levels here.
		if len(nest.levels) > 2*maxDepth {
			fail(tk, "nested too deeply", depthWant)
			break
		}
		if keys == maxKeys+1 {
			fail(key, "too many keys in a mapping", keysWant)
		}
	}
	if len(problems) == 0 && len(tokens)*max(deepest, 1)*max(longest, 1) > maxPathBytes {
		fail(nil, "too large for its depth and the length of its keys", "a smaller or flatter document")
	}
	return problems.err()
}

// maxPathBytes bounds the memory that goccy's parser spends on paths.
const maxPathBytes = 1 << 28

var (
	depthWant = fmt.Sprintf("at most %d levels", maxDepth)
	keysWant  = fmt.Sprintf("at most %d", maxKeys)
)

// nesting tracks the open collections over the tokens of a document.
type nesting struct {
	levels []level
}

type level struct {
	flow   bool // an open bracket
	column int  // of the keys or dashes of a block collection
	keys   int
}

// step takes the next token, with its key if the token is a colon, and returns
// the number of keys so far in the block mapping that the key belongs to.
func (n *nesting) step(tk, key *token.Token) int {
	switch tk.Type {
	case token.SequenceStartType, token.MappingStartType:
		n.levels = append(n.levels, level{flow: true})
	case token.SequenceEndType, token.MappingEndType:
		n.closeFlow()
		n.levels = n.levels[:max(len(n.levels)-1, 0)]
	case token.CollectEntryType:
		n.closeFlow()
	case token.SequenceEntryType:
		n.open(tk.Position.Column)
	case token.MappingValueType:
		if key != nil {
			return n.open(key.Position.Column)
		}
	}
	return 0
}

// closeFlow drops the pairs of the innermost bracket.
func (n *nesting) closeFlow() {
	for len(n.levels) > 0 && !n.top().flow {
		n.levels = n.levels[:len(n.levels)-1]
	}
}

// open finds or makes the block collection with this column.
func (n *nesting) open(column int) int {
	for len(n.levels) > 0 && !n.top().flow && n.top().column > column {
		n.levels = n.levels[:len(n.levels)-1]
	}
	if len(n.levels) == 0 || n.top().flow || n.top().column != column {
		n.levels = append(n.levels, level{column: column})
	}
	n.top().keys++
	return n.top().keys
}

func (n *nesting) top() *level { return &n.levels[len(n.levels)-1] }
