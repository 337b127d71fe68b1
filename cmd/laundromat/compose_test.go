package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"laundromat/internal/files/bucket"
	"laundromat/seedlist/postgres"
	"laundromat/storage"
)

// compose is what the test looks at of a file of Docker Compose.
type compose struct {
	Services map[string]struct {
		Image       string
		Command     []string
		Environment map[string]string
		DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
		Volumes     []string
		Configs     []struct{ Source string }
	}
	Volumes map[string]any
	Configs map[string]any
}

// TestTheComposedServicesHaveFlagsThatThereAre holds deploy/compose.yaml against the program.
func TestTheComposedServicesHaveFlagsThatThereAre(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all compose
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	roles := map[string]int{}
	shared := map[string][]string{} // what all processes must agree on
	for name, service := range all.Services {
		for other := range service.DependsOn {
			if _, ok := all.Services[other]; !ok {
				t.Errorf("%s depends on %s, which is not there", name, other)
			}
		}
		for _, volume := range service.Volumes {
			if volume, _, _ := strings.Cut(volume, ":"); !slices.Contains(slices.Collect(maps.Keys(all.Volumes)), volume) {
				t.Errorf("%s: the volume %s is not declared", name, volume)
			}
		}
		for _, config := range service.Configs {
			if _, ok := all.Configs[config.Source]; !ok {
				t.Errorf("%s: there is no config %s", name, config.Source)
			}
		}
		if service.Image != "laundromat" {
			continue
		}
		if len(service.Command) == 0 || service.Command[0] != "serve" {
			t.Fatalf("%s does not serve: %q", name, service.Command)
		}
		command := serveCommand(&ui{})
		command.Flags().String("data", "", "") // of all verbs
		if err := command.Flags().Parse(service.Command[1:]); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		value := func(flag string) string { return command.Flags().Lookup(flag).Value.String() }
		if _, err := roleOf(value("role")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		roles[value("role")]++
		if _, err := storage.SettleList(t.TempDir(), value("store")); err != nil || postgres.Shown(value("store")) != value("store") {
			t.Errorf("%s: --store %s: %v", name, value("store"), err)
		}
		if _, err := bucket.ParseAddress(value("blobs")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, flag := range []string{"store", "blobs"} {
			if shared[flag] = append(shared[flag], value(flag)); shared[flag][0] != value(flag) {
				t.Errorf("%s has another --%s", name, flag)
			}
		}
		if service.Environment["PGPASSWORD"] != all.Services["database"].Environment["POSTGRES_PASSWORD"] ||
			service.Environment["PGPASSWORD"] == "" {
			t.Errorf("%s has another password than the database", name)
		}
		for _, key := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
			if key := service.Environment[key]; key == "" || !strings.Contains(string(text), `"`+key+`"`) {
				t.Errorf("%s: the store of files does not know the key %s", name, key)
			}
		}
	}
	if roles["worker"] != 2 || roles["api"] != 1 || len(roles) != 2 {
		t.Errorf("the roles are %v", roles)
	}
}
