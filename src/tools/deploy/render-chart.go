// Renders the templates of a Helm chart as `helm template` does, as far as our chart needs it. Helm itself is in no
// package registry that the checks use.
//
//	render-chart CHART RELEASE VALUES…   (files with values; later ones win)
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	chart, release, files := os.Args[1], os.Args[2], os.Args[3:]
	values := read(filepath.Join(chart, "values.yaml"))
	for _, file := range files {
		merge(values, read(file))
	}
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(functions(all))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		check(err)
	}
	data := map[string]any{"Values": values, "Release": map[string]any{"Name": release}}
	for _, path := range paths {
		if filepath.Ext(path) == ".yaml" {
			fmt.Println("---")
			var rendered bytes.Buffer
			check(all.ExecuteTemplate(&rendered, filepath.Base(path), data))
			if strings.Contains(rendered.String(), "<no value>") {
				check(fmt.Errorf("%s names a value that does not exist:\n%s", path, rendered.String()))
			}
			fmt.Print(rendered.String())
		}
	}
}

func functions(all *template.Template) template.FuncMap {
	return template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var text bytes.Buffer
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"required": func(message string, value any) (any, error) {
			if value == nil || value == "" {
				return nil, fmt.Errorf("%s", message)
			}
			return value, nil
		},
		"toYaml": func(value any) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"fromYaml": func(text string) (map[string]any, error) {
			value := map[string]any{}
			return value, yaml.Unmarshal([]byte(text), &value)
		},
	}
}

func read(path string) map[string]any {
	text, err := os.ReadFile(path)
	check(err)
	values := map[string]any{}
	check(yaml.Unmarshal(text, &values))
	return values
}

func merge(into, from map[string]any) {
	for key, value := range from {
		inner, isMap := value.(map[string]any)
		if old, wasMap := into[key].(map[string]any); isMap && wasMap {
			merge(old, inner)
		} else {
			into[key] = value
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
