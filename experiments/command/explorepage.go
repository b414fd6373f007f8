//go:build explorer

package command

import _ "embed" // the explorer

// explorerPage is the explorer, which makeexplorer has put here before the build:
//
//	go run ./cmd/makeexplorer -o experiments/command/explore.html
//	go build -tags explorer ./cmd/isoscale
//
//go:embed explore.html
var explorerPage []byte
