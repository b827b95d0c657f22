/** Value methods whose result has a type that the source determines, and others. The types are those of GORM itself. */
import { expect, test } from 'vitest';

import { readGoModels } from '../../src/gorm/models/read-go-models.ts';

interface Column {
  readonly dataType: string | undefined;
  readonly isGuessed: boolean;
}

/** The column of a field of the type V. */
function columnOf(declarations: string): Column {
  const text = `package a
import ( "database/sql"; "database/sql/driver"; "encoding/json"; "errors"; "fmt"; "math/rand"; "time" )
type Other struct { ID int; At time.Time }
func (Other) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }
${declarations}
type A struct { ID uint; V V }
`;
  const { models, warnings } = readGoModels([{ name: 'a.go', text }], { structs: ['A'] });
  return {
    dataType: models[0]?.byName.get('V')?.dataType,
    isGuessed: warnings.some(({ message }) => message.includes('.Value (a.go:')),
  };
}

function value(type: string, body: string, more = ''): string {
  return `type V ${type}\nfunc (v V) Value() (driver.Value, error) { ${body} }\n${more}`;
}

const str = 'func (v V) Str() string { return fmt.Sprint(rand.Int()) }';

test.for<[type: string, body: string, dataType: string, more?: string]>([
  ['struct{ A int; B string }', 'return json.Marshal(v)', 'bytes'],
  ['[]string', 'b, err := json.Marshal(v); return string(b), err', 'string'],
  ['struct{ sql.NullString }', 'return v.String, nil', 'string'],
  [
    'struct{ X string; sql.NullInt64 }',
    'if !v.Valid { return int64(0), nil }; return v.Int64, nil',
    'int',
  ],
  ['struct{ N int; S string }', 'return v.Str(), nil', 'string', str],
  ['bool', 'if v { return "Y", nil }; return "N", nil', 'string'],
])('%s with %s', ([type, body, dataType, more]) => {
  expect(columnOf(value(type, body, more))).toEqual({ dataType, isGuessed: false });
});

const failing = '([]byte, error) { return nil, errors.New("no") }';

test.for<[name: string, declarations: string]>([
  [
    'its own MarshalJSON',
    value('struct{ N int }', 'return json.Marshal(v)', `func (V) MarshalJSON() ${failing}`),
  ],
  [
    'its own MarshalText by pointer',
    value('[]int', 'return json.Marshal(v)', `func (*V) MarshalText() ${failing}`),
  ],
  ['a member that marshals itself', value('struct{ N int; O Other }', 'return json.Marshal(v)')],
  [
    'a member that cannot be marshaled',
    value('struct{ N int; C chan int }', 'return json.Marshal(v)'),
  ],
  [
    'a member of a pointer, which is nil',
    value('struct{ *sql.NullString }', 'return v.String, nil'),
  ],
  [
    'a method that hides the member',
    value(
      'struct{ sql.NullString }',
      'return v.String, nil',
      'func (V) String() string { return "" }',
    ),
  ],
  [
    'a method of the embedded struct',
    value('struct{ Other }', 'return v.Str(), nil', 'func (Other) Str() string { return "" }'),
  ],
  [
    'a method that returns another type',
    value(
      'struct{ N int }',
      'return v.Str(), nil',
      'type Text string\nfunc (V) Str() Text { return "" }',
    ),
  ],
])('%s costs a warning', ([, declarations]) => {
  expect(columnOf(declarations).isGuessed).toBe(true);
});
