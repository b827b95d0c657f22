/** A name that a function computes is the one that the function returns in Go. If it may be another one, there is a warning. */
import { describe, expect, test } from 'vitest';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';

/** The bodies of TableName methods, and what they return when they run. They are evaluated, with a warning. */
const evaluatedBodies: readonly (readonly [body: string, name: string])[] = [
  ['return few("app", "b", "c")', 'many'],
  ['return few("hello")', 'few'],
  ['return few()', 'few'],
  ['return strings.Join(rest("x", "y", "z"), "_")', 'y_z'],
  ['return strings.Join(rest("x", list...), "_")', 'l1_l2'],
  ['name = "a"; { name := "b"; _ = name }; return', 'a'],
  ['var x = 3; if x := 5; x > 4 { _ = x }; return fmt.Sprint("n", x)', 'n3'],
  ['x := 7; return fmt.Sprint("n", x/2.0)', 'n3'],
  ['var x float64; x = 7; return fmt.Sprint("n", x/2)', 'n3.5'],
  ['var x float64 = 7; return fmt.Sprint("n", x/2)', 'n3.5'],
  ['x := 3; if x == 3.0 { return "equal" }; return "different"', 'equal'],
  ['return fmt.Sprint("n", ^5, -(-3), +2)', 'n-6 3 2'],
  ['return strings.ToUpper("straße")', 'STRAßE'],
  ['return constantPrefix + variablePrefix', 'c_v_'],
  ['n, err := strconv.Atoi("12x"); if err != nil { return "bad" }; return fmt.Sprint(n)', 'bad'],
];

/** Bodies that are not evaluated exactly. */
const uncertain: readonly string[] = [
  'return assignedInInit',
  'return assignedByFunction',
  'return mapOfInit["k"]',
  'return sliceOfInit[0]',
  'return fmt.Sprint(len(sliceOfInit))',
  'return exposed',
  'defer func() { name = "late" }(); name = "early"; return',
  'x := 1; f := func() { x = 5 }; f(); return fmt.Sprint("n", x)',
  'var x uint8 = 255; x++; return fmt.Sprint("n", x)',
  'var x int8 = 127; x += 1; return fmt.Sprint("n", x)',
  'var x uint16 = 3; x -= 5; return fmt.Sprint("n", x)',
  'x := 1 << 62; x *= 4; return fmt.Sprint("n", x)',
  'x := 300; return fmt.Sprint("n", uint8(x))',
  'xs := []string{"a", "b"}; ys := xs; ys[0] = "z"; return xs[0]',
  'm := map[string]int{"a": 1}; m["a"]++; return fmt.Sprint("n", m["a"])',
  'xs := []string{"b", "a"}; sort.Strings(xs); return xs[0]',
  'n, _ := strconv.Atoi("99999999999999999999"); return fmt.Sprint(n)',
  'return deferred()',
  'x := 0.1 + 0.2; return fmt.Sprint("n", x)',
  'xs := []string{"a", "b"}; return fmt.Sprint("n", cap(xs[1:2]))',
];

function source(body: string): string {
  return `package m

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

const constantPrefix = "c_"

var variablePrefix = "v_"
var list = []string{"l1", "l2"}
var assignedInInit = "before"
var assignedByFunction = "before"
var mapOfInit = map[string]string{"k": "before"}
var sliceOfInit = []string{"before"}
var exposed = "before"

func init() { assignedInInit = "after"; mapOfInit["k"] = "after" }
func init() { change("after"); fill(&exposed); sliceOfInit = append(sliceOfInit[:0], "x", "y") }
func change(s string) { assignedByFunction = s }
func fill(s *string) { *s = "after" }
func local() string { variablePrefix := "other"; variablePrefix += "x"; return variablePrefix }

func few(parts ...string) string { if len(parts) > 2 { return "many" }; return "few" }
func rest(_ string, parts ...string) []string { return parts }
func deferred() (s string) { defer func() { s += "_d" }(); return "r" }

type Thing struct { ID uint }

func (Thing) TableName() (name string) { ${body} }
`;
}

function read(text: string) {
  return readGoModels([{ name: 'm.go', text }]);
}

describe('a name that a function computes', () => {
  test.each(evaluatedBodies)('%s', (body, name) => {
    const { models, warnings } = read(source(body));
    expect(warnings).toHaveLength(1);
    expect(models.map(({ table }) => table)).toEqual([name]);
  });
});

describe('a name that may be another one', () => {
  test.each(uncertain)('%s', (body) => {
    const { warnings } = read(source(body));
    expect(warnings).toEqual([
      { struct: 'Thing', message: expect.stringContaining('was assumed') },
    ]);
  });

  test('because another package assigns to the variable', () => {
    const assigned = (statement: string): number =>
      readGoModels([
        { name: 'go.mod', text: 'module example.com/app\n' },
        {
          name: 'model/m.go',
          text: 'package model\n\nvar Prefix = "a_"\n\ntype Thing struct{ ID uint }\n\nfunc (Thing) TableName() string { return Prefix + "t" }\n',
        },
        {
          name: 'main.go',
          text: `package main\n\nimport "example.com/app/model"\n\nfunc main() { ${statement} }\n`,
        },
      ]).warnings.length;
    expect(assigned('model.Prefix = "b_"')).toBe(1);
    expect(assigned('println(model.Prefix == "b_")')).toBe(0);
  });
});

test('a name that GORM breaks is a warning', () => {
  const { warnings } = read(
    'package m\n\ntype Москва struct {\n\tID uint `gorm:"primaryKey"`\n\tУлица string\n\tÑandú string `gorm:"column:nandu"`\n\tHöhe int\n}\n',
  );
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('the table name of Москва'),
    expect.stringContaining('the column name of Улица'),
  ]);
});
