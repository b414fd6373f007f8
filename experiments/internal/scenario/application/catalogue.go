package application

import (
	"embed"
	"slices"
	"strings"
)

//go:embed catalogue/*.yaml
var catalogue embed.FS

// CatalogueNames returns the names of the applications that are built in, in
// alphabetical order.
func CatalogueNames() []string {
	entries, err := catalogue.ReadDir("catalogue")
	if err != nil {
		panic("application: " + err.Error()) // embedded
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(names)
	return names
}

// CatalogueFile returns the file of an application that is built in, nil if there is
// none of that name.
func CatalogueFile(name string) []byte {
	data, err := catalogue.ReadFile("catalogue/" + name + ".yaml")
	if err != nil {
		return nil
	}
	return data
}
