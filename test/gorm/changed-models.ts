/** Random models and a later version of each, to migrate a database from the first to the second. */
import * as fc from 'fast-check';

import { nativeTypes } from './native-types.ts';
import type { DatabaseName } from './native-types.ts';

const goTypes = [
  'string',
  'int',
  'int64',
  'uint8',
  'bool',
  'float64',
  '*string',
  'time.Time',
  '[]byte',
  '*int',
  'uint32',
  'sql.NullString',
];

interface Field {
  readonly type: string;
  /** Settings of the tag; `%` stands for the number of the struct, because names of indexes are global. */
  readonly settings: readonly string[];
}

const settingsOfAll = [
  'index',
  'uniqueIndex',
  'unique',
  'not null',
  'comment:first',
  'comment:second one',
  "comment:it's",
  'index:idx_x%',
  'index:idx_x%,unique',
  'uniqueIndex:idx_u%',
  'check:chk_%,1 > 0',
  'check:2 <> 5',
];

function settingsOf(type: string): readonly string[] {
  if (/string/i.test(type))
    return [
      'size:20',
      'size:40',
      'size:300',
      'default:x',
      'default:y z',
      "default:''",
      'type:varchar(30)',
      'type:text',
      'default:5',
      'default:05',
    ];
  if (/int/.test(type)) return ['default:3', 'default:4', 'type:bigint', 'type:smallint'];
  if (type === 'bool') return ['default:true', 'default:false'];
  if (type === 'float64')
    return ['default:1.5', 'default:2', 'precision:10;scale:2', 'type:decimal(8,3)'];
  if (type === 'time.Time')
    return [
      'default:CURRENT_TIMESTAMP',
      'default:now()',
      'precision:3',
      'precision:0',
      'type:date',
      'type:timestamp',
      'autoCreateTime',
    ];
  return ['size:20', 'size:500'];
}

/** Settings of different kinds: two indexes of one name and column are no valid model. */
function settingsFor(type: string): fc.Arbitrary<readonly string[]> {
  return fc.uniqueArray(fc.constantFrom(...settingsOfAll, ...settingsOf(type)), {
    maxLength: 3,
    selector: (setting) => setting.replace('uniqueIndex', 'index').split(/[:,;]/)[0]!,
  });
}

const field: fc.Arbitrary<Field> = fc
  .constantFrom(...goTypes)
  .chain((type) => settingsFor(type).map((settings) => ({ type, settings })));

/** Fields by position, which gives them their names. A dropped field is undefined. */
type Fields = readonly (Field | undefined)[];

interface Struct {
  readonly key: Field;
  readonly fields: Fields;
}

function changeOf(fields: readonly Field[]): fc.Arbitrary<(fields: Fields) => Fields> {
  const position = fc.nat(fields.length - 1);
  const replace = (at: number, by: Field | undefined) => (all: Fields) => all.with(at, by);
  return fc.oneof(
    {
      weight: 5,
      arbitrary: position.chain((at) =>
        settingsFor(fields[at]!.type).map((settings) => replace(at, { ...fields[at]!, settings })),
      ),
    },
    { weight: 2, arbitrary: fc.tuple(position, field).map(([at, by]) => replace(at, by)) },
    { weight: 1, arbitrary: field.map((added) => (all: Fields) => [...all, added]) },
    { weight: 1, arbitrary: position.map((at) => replace(at, undefined)) },
  );
}

export interface ChangedModel {
  readonly before: Struct;
  readonly after: Struct;
}

const uint: Field = { type: 'uint', settings: [] };

const changedFields: fc.Arbitrary<ChangedModel> = fc
  .array(field, { minLength: 2, maxLength: 4 })
  .chain((before) =>
    fc.array(changeOf(before), { minLength: 1, maxLength: 2 }).map((changes) => ({
      before: { key: uint, fields: before },
      after: {
        key: uint,
        fields: changes.reduce<Fields>((fields, change) => change(fields), before),
      },
    })),
  );

/** Two versions of the only field. */
function changedField(version: fc.Arbitrary<Field>): fc.Arbitrary<ChangedModel> {
  return fc.tuple(version, version).map(([before, after]) => ({
    before: { key: uint, fields: [before] },
    after: { key: uint, fields: [after] },
  }));
}

function changedType(database: DatabaseName): fc.Arbitrary<ChangedModel> {
  const type = fc.constantFrom(...nativeTypes[database]);
  const other = fc.constantFrom('', '', '', 'not null', 'size:5', 'size:7', 'comment:first');
  return changedField(
    fc.tuple(type, other).map(([native, setting]) => ({
      type: 'string',
      settings: [`type:${native}`, setting].filter((text) => text !== ''),
    })),
  );
}

const generated: Readonly<Record<DatabaseName, readonly string[]>> = {
  postgres: ['generated:1 + 1', 'generated:2 + 1'],
  mysql: ['->;type:int GENERATED ALWAYS AS (1 + 1) STORED', '->;type:bigint AS (1 + 1) VIRTUAL'],
  sqlite: ['->;type:int GENERATED ALWAYS AS (1 + 1) VIRTUAL', '->;type:bigint AS (1 + 1) VIRTUAL'],
};

function changedGeneration(database: DatabaseName): fc.Arbitrary<ChangedModel> {
  const settings = fc.constantFrom('default:1', 'type:int', 'type:bigint', ...generated[database]);
  return changedField(
    fc.tuple(fc.constantFrom('int', 'int32'), settings).map(([type, setting]) => ({
      type,
      settings: [setting],
    })),
  );
}

const changedKey: fc.Arbitrary<ChangedModel> = fc
  .tuple(...[1, 2].map(() => keyField()))
  .map(([before = uint, after = uint]) => ({
    before: { key: before, fields: [{ type: 'bool', settings: [] }] },
    after: { key: after, fields: [{ type: 'bool', settings: [] }] },
  }));

function keyField(): fc.Arbitrary<Field> {
  const sizes = ['size:9', 'size:19', 'type:varchar(9)', 'type:varchar(19);size:19', 'comment:key'];
  return fc.oneof(
    fc.constantFrom(...sizes).map((size) => ({ type: 'string', settings: [size] })),
    fc.constantFrom('uint', 'int32', 'int64').map((type) => ({ type, settings: [] })),
  );
}

const changedUniqueness: fc.Arbitrary<ChangedModel> = changedField(
  fc
    .subarray(['unique', 'uniqueIndex', 'uniqueIndex:idx_n%', 'index:idx_p%', 'comment:first'], {
      maxLength: 3,
    })
    .map((settings) => ({ type: 'string', settings: ['size:20', ...settings] })),
);

export function changedModel(database: DatabaseName): fc.Arbitrary<ChangedModel> {
  return fc.oneof(
    { weight: 3, arbitrary: changedFields },
    { weight: 4, arbitrary: changedType(database) },
    { weight: 1, arbitrary: changedGeneration(database) },
    { weight: 1, arbitrary: changedKey },
    { weight: 2, arbitrary: changedUniqueness },
  );
}

/** A Go file with the structs T0, T1 …, whose tables are t0, t1 … */
export function goFile(name: string, structs: readonly Struct[]): string {
  const texts = structs.map(({ key, fields }, number) => {
    const lines = fields.flatMap((each, i) =>
      each === undefined ? [] : [goField('ABCDEFG'[i]!, each)],
    );
    const all = [goField('ID', key), ...lines].join('\n').replaceAll('%', String(number));
    return `type T${number} struct {\n${all}\n}\n`;
  });
  const uses = 'var _ = sql.NullString{}\nvar _ = time.Time{}';
  return `package ${name}\n\nimport (\n\t"database/sql"\n\t"time"\n)\n\n${uses}\n\n${texts.join('\n')}`;
}

function goField(name: string, { type, settings }: Field): string {
  return `\t${name} ${type}${settings.length === 0 ? '' : ` \`gorm:"${settings.join(';')}"\``}`;
}
