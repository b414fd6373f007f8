package sweep

import "testing"

func TestMapOfLosses(t *testing.T) {
	if drawn(t, lossPlan).lossSection() == nil {
		t.Error("no map of the largest loss")
	}
}
