/** Random models and a later version of each, to migrate a database from the first to the second. */
import * as fc from 'fast-check';

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
    ];
  if (/int/.test(type)) return ['default:3', 'default:4', 'type:bigint', 'type:smallint'];
  if (type === 'bool') return ['default:true', 'default:false'];
  if (type === 'float64')
    return ['default:1.5', 'default:2', 'precision:10;scale:2', 'type:decimal(8,3)'];
  if (type === 'time.Time')
    return [
      'default:CURRENT_TIMESTAMP',
      'precision:3',
      'precision:0',
      'type:date',
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
type Struct = readonly (Field | undefined)[];

function changeOf(struct: readonly Field[]): fc.Arbitrary<(fields: Struct) => Struct> {
  const position = fc.nat(struct.length - 1);
  const replace = (at: number, by: Field | undefined) => (fields: Struct) => fields.with(at, by);
  return fc.oneof(
    {
      weight: 5,
      arbitrary: position.chain((at) =>
        settingsFor(struct[at]!.type).map((settings) => replace(at, { ...struct[at]!, settings })),
      ),
    },
    { weight: 2, arbitrary: fc.tuple(position, field).map(([at, by]) => replace(at, by)) },
    { weight: 1, arbitrary: field.map((added) => (fields: Struct) => [...fields, added]) },
    { weight: 1, arbitrary: position.map((at) => replace(at, undefined)) },
  );
}

export interface ChangedModel {
  readonly before: Struct;
  readonly after: Struct;
}

export const changedModel: fc.Arbitrary<ChangedModel> = fc
  .array(field, { minLength: 2, maxLength: 4 })
  .chain((before) =>
    fc.array(changeOf(before), { minLength: 1, maxLength: 2 }).map((changes) => ({
      before,
      after: changes.reduce<Struct>((fields, change) => change(fields), before),
    })),
  );

/** A Go file with the structs T0, T1 …, whose tables are t0, t1 … */
export function goFile(name: string, structs: readonly Struct[]): string {
  const texts = structs.map((struct, number) => {
    const fields = struct.flatMap((each, i) => {
      if (each === undefined) return [];
      const settings = each.settings.join(';').replaceAll('%', String(number));
      return [`\t${'ABCDEFG'[i]!} ${each.type}${settings === '' ? '' : ` \`gorm:"${settings}"\``}`];
    });
    return `type T${number} struct {\n\tID uint\n${fields.join('\n')}\n}\n`;
  });
  const uses = 'var _ = sql.NullString{}\nvar _ = time.Time{}';
  return `package ${name}\n\nimport (\n\t"database/sql"\n\t"time"\n)\n\n${uses}\n\n${texts.join('\n')}`;
}
