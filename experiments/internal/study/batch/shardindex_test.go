package batch

import (
	"strings"
	"testing"
)

func TestShardIndex(t *testing.T) {
	type env map[string]string
	for _, tt := range []struct {
		name string
		env  env
		k    int
		from string
		ok   bool
	}{
		{"nothing", env{}, 0, "", false},
		{"a list alone", env{"ISOSCALE_SHARDS": "7"}, 0, "", false},
		{"Slurm", env{"SLURM_ARRAY_TASK_ID": "9"}, 9, "SLURM_ARRAY_TASK_ID", true},
		{"Slurm, the first", env{"SLURM_ARRAY_TASK_ID": "0"}, 0, "SLURM_ARRAY_TASK_ID", true},
		// A resubmission of 7, 25 and 38 has COUNT 3: it bounds nothing.
		{"Slurm, bounds", env{"SLURM_ARRAY_TASK_ID": "38", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MAX": "38"}, 38, "SLURM_ARRAY_TASK_ID", true},
		// sbatch exports the environment; a list left in it means nothing there.
		{"Slurm, list", env{"SLURM_ARRAY_TASK_ID": "1", "ISOSCALE_SHARDS": "7,25"}, 1, "SLURM_ARRAY_TASK_ID", true},
		{"Kubernetes", env{"JOB_COMPLETION_INDEX": "3"}, 3, "JOB_COMPLETION_INDEX", true},
		// 7, 25, 38, 39: index 2 is 38.
		{"Kubernetes, list", env{"JOB_COMPLETION_INDEX": "2", "ISOSCALE_SHARDS": "7,25,38-39"}, 38, "ISOSCALE_SHARDS", true},
		{"Kubernetes, last of the list", env{"JOB_COMPLETION_INDEX": "3", "ISOSCALE_SHARDS": "7,25,38-39"}, 39, "ISOSCALE_SHARDS", true},
		{"Kubernetes, beyond the list", env{"JOB_COMPLETION_INDEX": "4", "ISOSCALE_SHARDS": "7,25,38-39"}, 0, "ISOSCALE_SHARDS", false},
		{"Kubernetes, bad list", env{"JOB_COMPLETION_INDEX": "0", "ISOSCALE_SHARDS": "seven"}, 0, "ISOSCALE_SHARDS", false},
		{"Kubernetes, huge list", env{"JOB_COMPLETION_INDEX": "0", "ISOSCALE_SHARDS": "0-999999999999"}, 0, "ISOSCALE_SHARDS", false},
		{"AWS Batch, list", env{"AWS_BATCH_JOB_ARRAY_INDEX": "1", "ISOSCALE_SHARDS": "7,25"}, 25, "ISOSCALE_SHARDS", true},
		{"PBS", env{"PBS_ARRAY_INDEX": "5", "ISOSCALE_SHARDS": "7,25"}, 5, "PBS_ARRAY_INDEX", true},
		{"two of them", env{"JOB_COMPLETION_INDEX": "3", "SLURM_ARRAY_TASK_ID": "9"}, 9, "SLURM_ARRAY_TASK_ID", true},
		{"negative", env{"SLURM_ARRAY_TASK_ID": "-1"}, 0, "SLURM_ARRAY_TASK_ID", false},
		{"no number", env{"SLURM_ARRAY_TASK_ID": "x"}, 0, "SLURM_ARRAY_TASK_ID", false},
		// Slurm's value for a job that is no array: 2^32 - 2.
		{"no array", env{"SLURM_ARRAY_TASK_ID": "4294967294"}, 0, "SLURM_ARRAY_TASK_ID", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, from, ok := ShardIndex(func(name string) string { return tt.env[name] })
			if k != tt.k || from != tt.from || ok != tt.ok {
				t.Errorf("got %d, %q, %v; want %d, %q, %v", k, from, ok, tt.k, tt.from, tt.ok)
			}
		})
	}
}

func FuzzShardIndex(f *testing.F) {
	f.Add("2", "7,25,38-39")
	f.Fuzz(func(t *testing.T, index, list string) {
		k, from, ok := ShardIndex(func(name string) string {
			switch name {
			case "JOB_COMPLETION_INDEX":
				return index
			case "ISOSCALE_SHARDS":
				return list
			}
			return ""
		})
		if k < 0 || ok && from == "" || (from == "") != (index == "") {
			t.Errorf("got %d, %q, %v", k, from, ok)
		}
		if ok && list != "" && !strings.ContainsAny(list, "0123456789") {
			t.Errorf("%d of a list without numbers", k)
		}
	})
}
