import { describe, expect, test } from 'vitest';

import { StudioError } from '../../src/model/errors.ts';
import { isGoSyntaxError } from '../../src/gorm/go/syntax/outline.ts';
import { parseFile } from '../../src/gorm/go/syntax/parse-file.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import type { ParsedFile } from '../../src/gorm/go/syntax/parse-file.ts';

function read(text: string): ParsedFile {
  const result = parseFile({ name: 'a.go', text });
  if (isGoSyntaxError(result)) throw new Error(`${result.message} at ${result.offset}`);
  return result;
}

describe('declarations', () => {
  test('types can have parameters and aliases', () => {
    const { types } = read(
      'package p\ntype (\n\tA struct{ X int }\n\tB = A\n\tC[K comparable, V any] []V\n\tD[T any] = C[int, T]\n)\n',
    );
    expect(types.map(({ name, parameters, isAlias }) => ({ name, parameters, isAlias }))).toEqual([
      { name: 'A', parameters: [], isAlias: false },
      { name: 'B', parameters: [], isAlias: true },
      { name: 'C', parameters: ['K', 'V'], isAlias: false },
      { name: 'D', parameters: ['T'], isAlias: true },
    ]);
  });

  test('constants repeat the last expression of their group', () => {
    const { values } = read('package p\nconst (\n\tA, B = iota, "x"\n\tC, D\n)\nvar e T\n');
    expect(
      values.map(({ name, value, iota, isConstant }) => [name, value, iota, isConstant]),
    ).toEqual([
      ['A', 'iota', 0, true],
      ['B', '"x"', 0, true],
      ['C', 'iota', 1, true],
      ['D', '"x"', 1, true],
      ['e', undefined, 0, false],
    ]);
  });

  test('methods are read, whatever is in their bodies', () => {
    const body =
      '\n\tok := true\n\tfor range 3 {\n\t\tok = false\n\t}\n\ts := "}{" + `}` + string(\'}\') // }\n\tgo func() { _ = s }()\n\treturn "x"\n';
    const { functions, types } = read(
      `package p\nfunc (t *T[K]) TableName() string {${body}}\ntype T[K any] struct{}\n`,
    );
    expect(functions).toMatchObject([
      { name: 'TableName', receiver: { name: 't', type: 'T', isPointer: true, parameters: ['K'] } },
    ]);
    expect(types).toHaveLength(1);
  });

  test('a line end after certain tokens ends a statement, also after a comment', () => {
    const { values } = read(
      'package p\nvar a = true // yes\nvar b = nil /* no\n */\nvar c = false\ntype T struct{}\n',
    );
    expect(values.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('imports have the name that the file gives them', () => {
    const { file } = read(
      'package p\nimport (\n\tt "time"\n\t"github.com/gofrs/uuid/v5"\n\t. "math"\n\t"gopkg.in/guregu/null.v4"\n)\n',
    );
    expect([...file.imports]).toEqual([
      ['t', 'time'],
      ['uuid', 'github.com/gofrs/uuid/v5'],
      ['.', 'math'],
      ['null', 'gopkg.in/guregu/null.v4'],
    ]);
  });
});

describe('text that is not Go is rejected with its position', () => {
  test.each([
    ['an open brace', 'package p\n\ntype T struct {\n\tID uint\n', 3, 15],
    ['a brace too many', 'package p\ntype T struct{}\n}\n', 3, 1],
    ['an open string', 'package p\nconst a = "x\n', 2, 11],
    ['an open raw string', 'package p\n\nvar a = `x\n', 3, 9],
    ['an open comment', 'package p\n/* x\n', 2, 1],
    ['no package clause', 'type T struct { ID uint }\n', 1, 1],
    ['nothing at all', '', 1, 1],
    ['prose', 'this is not Go\n', 1, 1],
    [
      'a field without a type',
      'package p\n\ntype T struct {\n\tID uint\n\tName string gorm\n}\n',
      5,
      14,
    ],
    ['a statement outside of functions', 'package p\n\nx := 1\n', 3, 1],
    ['an unexpected character', 'package p\n\nvar \u0000a int\n', 3, 5],
  ])('%s', (_title, text, line, column) => {
    let thrown: unknown;
    try {
      readGoModels([{ name: 'dir/broken.go', text }]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(StudioError);
    expect(thrown).toMatchObject({
      code: 'parse_failed',
      message: expect.stringContaining(`dir/broken.go:${line}:${column}: `),
      details: {
        line,
        column,
        errors: [{ code: 'parse_failed', file: 'dir/broken.go', line, column }],
      },
    });
  });

  test('all broken files are reported', () => {
    const files = ['a.go', 'b.go', 'c.go'].map((name, i) => ({
      name,
      text: i === 1 ? 'package p\n' : 'package',
    }));
    expect(() => readGoModels(files)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({
          errors: [
            expect.objectContaining({ file: 'a.go' }),
            expect.objectContaining({ file: 'c.go' }),
          ],
        }),
      }),
    );
  });
});

describe('files that gofmt accepts are parsed', () => {
  test.each([
    ['a byte order mark', '\ufeffpackage p\n\ntype T struct{ X int }\n'],
    [
      'digits after an underscore',
      'package _1p\n\nconst (\n\t_0 = iota\n\t_64bit\n)\n\ntype T struct{ _0, X int }\n\nfunc f(_2 int) {}\n',
    ],
    [
      'predeclared names as names',
      'package p\n\nconst true = 0 == 0\n\ntype T struct {\n\ttrue int\n\tnil  *T\n}\n\nfunc g(false bool) {}\n',
    ],
    [
      'predeclared values at the end of a line',
      'package p\n\nvar (\n\ta = true\n\tb = nil\n)\n\ntype T struct{}\n',
    ],
    [
      'functions in literals',
      'package p\n\nvar f = []func(a string) (n int){func(a string) (n int) { return len(a) }}\n\ntype T struct{}\n',
    ],
    [
      'function types',
      'package p\n\ntype F func(func(int) (a, b string), ...<-chan int) func() (err error)\n\ntype T struct{ G map[string]func(int) (n int, err error) }\n',
    ],
  ])('%s', (_title, text) => {
    expect(read(text).types.at(-1)?.name).toBe('T');
  });

  test('names keep their spelling', () => {
    const { file, values, types } = read(
      'package _3d\n\nconst _0, true = 1, 2\n\ntype _4 struct{ _5 int }\n',
    );
    expect([file.packageName, ...values.map(({ name }) => name)]).toEqual(['_3d', '_0', 'true']);
    expect(types[0]).toMatchObject({ name: '_4', type: { fields: [{ names: ['_5'] }] } });
  });

  test('except for a byte order mark within the file', () => {
    expect(parseFile({ name: 'a.go', text: 'package p\n\n\ufefftype T struct{}\n' })).toMatchObject(
      {
        offset: 11,
      },
    );
  });
});

describe('declarations that gofmt rejects are rejected', () => {
  test.each([
    ['a variable without type and value', 'var a'],
    ['named and unnamed parameters', 'func f(a int, *b)'],
    ['named and unnamed results', 'func f() ([]int, err error)'],
    ['a variadic parameter before others', 'func f(a ...int, b int)'],
    ['two commas', 'var a, b = 1, , 2'],
    ['a comma at the beginning', 'var a = f(, 2)'],
    ['an import without a path', 'import x'],
    ['an import with its path on the next line', 'import (\n\tx\n\t"y"\n)'],
    ['a type on the line after the name', 'type (\n\tA\n\tint\n)'],
    ['a line that ends within brackets', 'type A struct{ B [n\n]int }'],
    ['two dots in the name of a type', 'type A struct{ B .c.D }'],
    ['an element without a key', 'var a = map[int]int{\n\t: 1,\n}'],
    ['a last element without a comma', 'var a = []int{\n\t1\n}'],
    ['a parameter of an alias without a constraint', 'type A[ any] = B'],
  ])('%s', (_title, text) => {
    const fault = parseFile({ name: 'a.go', text: `package p\n\n${text}\n\ntype T struct{}\n` });
    expect(isGoSyntaxError(fault)).toBe(true);
  });
});
