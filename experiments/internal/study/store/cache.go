package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A Cache keeps values in a directory, each in its own file named by the SHA-256 sum of everything that it depends on.
// It is for work whose extent is not known in advance.
//
// A file gets its name when it is complete, and is never changed unless it is damaged: processes may be killed at any
// time, and several on many computers may use a cache at once.
//
// A cache made by [CacheOf] is in memory.
type Cache struct {
	path   string
	mu     sync.Mutex
	values map[Key][]byte // in memory; nil for a cache in a directory
}

// CacheOf makes a cache in memory of values by key.
func CacheOf(values map[Key][]byte) *Cache {
	c := &Cache{values: map[Key][]byte{}}
	maps.Copy(c.values, values)
	return c
}

// Values returns the values of a cache in memory.
func (c *Cache) Values() map[Key][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.values)
}

// All returns the values that can be read from the directory.
func (c *Cache) All() (map[Key][]byte, error) {
	all := map[Key][]byte{}
	files, err := filepath.Glob(c.name("*"))
	for _, file := range files {
		key := Key(strings.TrimSuffix(filepath.Base(file), ".json"))
		if value := c.Get(key); value != nil && len(key) == keyLength {
			all[key] = value
		}
	}
	return all, err
}

// Key identifies a value by everything that it depends on.
type Key string

// KeyOf returns the key of a value that depends on a text.
func KeyOf(text []byte) Key {
	sum := sha256.Sum256(text)
	return Key(hex.EncodeToString(sum[:keyLength/2]))
}

const keyLength = 40

// OpenCache makes a cache, or opens an existing one. mark is the name of the file that marks a cache, and text its
// content. A directory with other files is an *[OccupiedError].
func OpenCache(path, mark, text string) (*Cache, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, failed("make the directory", path, err)
	}
	c := &Cache{path: path}
	name := filepath.Join(path, mark)
	if there, err := os.ReadFile(name); !errors.Is(err, fs.ErrNotExist) {
		if err == nil && string(there) != text {
			err = fmt.Errorf("%s: not of this version of the program; expected a new directory", name)
		}
		return c, err
	}
	if err := checkEmpty(path, mark); err != nil {
		return nil, err
	}
	return c, Replace(name, []byte(text))
}

func (c *Cache) name(key Key) string { return filepath.Join(c.path, string(key)+".json") }

// Has reports whether there is a value under a key.
func (c *Cache) Has(key Key) (bool, error) {
	if c.values != nil {
		return c.Get(key) != nil, nil
	}
	return exists(c.name(key))
}

// Get returns the value under a key, nil if none can be read.
func (c *Cache) Get(key Key) []byte {
	if c.values != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.values[key]
	}
	value, err := os.ReadFile(c.name(key))
	if err != nil {
		return nil
	}
	return value
}

// Put keeps a value.
func (c *Cache) Put(key Key, value []byte) error {
	if c.values != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.values[key] = value
		return nil
	}
	return Replace(c.name(key), value)
}
