package topology

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed catalogue/*.yaml
var catalogue embed.FS

const catalogueFolder = "catalogue"

// CatalogueNames returns the names of the built-in machines in alphabetical
// order.
func CatalogueNames() []string {
	entries, err := catalogue.ReadDir(catalogueFolder)
	if err != nil {
		panic(fmt.Sprintf("topology: embedded catalogue: %v", err))
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".yaml")
	}
	return names
}

// CatalogueFile returns the machine file of a built-in machine. ok is false if
// there is none of that name.
func CatalogueFile(name string) (data []byte, ok bool) {
	data, err := catalogue.ReadFile(path.Join(catalogueFolder, name+".yaml"))
	return data, err == nil
}
