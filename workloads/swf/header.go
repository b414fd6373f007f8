package swf

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// longestText is how many bytes of a text of the header are kept.
const longestText = 200

// read takes what a comment at the top of a log says, as "MaxProcs: 128". Comments are
// free text, so what is something else is passed over. The first of several counts.
func (h *Header) read(comment []byte) {
	key, value, ok := strings.Cut(string(comment), ":")
	if !ok {
		return
	}
	value = strings.TrimSpace(value)
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "computer":
		setText(&h.Computer, value)
	case "installation":
		setText(&h.Installation, value)
	case "maxnodes":
		setCount(&h.MaxNodes, value)
	case "maxprocs":
		setCount(&h.MaxProcs, value)
	}
}

func setText(text *string, value string) {
	if *text == "" && utf8.ValidString(value) && len(value) <= longestText {
		*text = value
	}
}

// setCount takes the number that a value begins with: often a remark follows.
func setCount(count *int, value string) {
	first, _, _ := strings.Cut(value, " ")
	if n, err := strconv.Atoi(strings.TrimRight(first, ",;")); err == nil && *count == 0 && n >= 1 && n <= maxProcessors {
		*count = n
	}
}
