//go:build !explorer

package command

// explorerPage is empty: this program was built without the explorer, and makes it.
var explorerPage []byte
