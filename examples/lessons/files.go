package lessons

import "embed"

// Files are the YAML files of this folder.
//
//go:embed *.yaml
var Files embed.FS
