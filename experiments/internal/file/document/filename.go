package document

import (
	"os"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
)

// FileType is a file name, as [LooksLikeFile] tells it.
var FileType = schema.Pattern(`[/\\]|\.ya?ml$`)

// LooksLikeFile tells a file name from a catalogue name.
func LooksLikeFile(s string) bool {
	return strings.HasSuffix(s, ".yaml") || strings.HasSuffix(s, ".yml") || strings.ContainsRune(s, os.PathSeparator) || strings.ContainsRune(s, '/')
}
