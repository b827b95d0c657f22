/** Random Go programs whose models embed structs of another package in many ways. */

import { valueTypes } from './embedded-value-types.ts';

/** Makes the random choices of a program. */
export interface Choices {
  readonly pick: <T>(items: readonly T[]) => T;
  /** True in so many of a hundred cases. */
  readonly chance: (percent: number) => boolean;
}

interface FieldType {
  readonly type: string;
  readonly settings: readonly string[];
}

const textSettings = ['size:40', 'default:x', 'type:varchar(60)'] as const;
const numberSettings = ['default:3', 'autoIncrement:false', 'type:bigint'] as const;

const fieldTypes: readonly FieldType[] = [
  { type: 'uint', settings: numberSettings },
  { type: 'int64', settings: numberSettings },
  { type: 'int8', settings: numberSettings },
  { type: '*int', settings: numberSettings },
  { type: 'string', settings: textSettings },
  { type: '*string', settings: textSettings },
  { type: 'bool', settings: ['default:true', 'default:false'] },
  { type: 'float64', settings: ['default:1.5', 'precision:10;scale:2'] },
  { type: 'time.Time', settings: ['precision:3', 'autoCreateTime'] },
  { type: '*time.Time', settings: ['precision:0'] },
  { type: '[]byte', settings: ['size:90'] },
  { type: 'sql.NullString', settings: ['size:77'] },
  { type: 'gorm.DeletedAt', settings: ['index'] },
  { type: 'soft_delete.DeletedAt', settings: ['softDelete:milli', 'softDelete:flag'] },
  { type: 'datatypes.JSON', settings: [] },
  { type: 'base.Money', settings: ['size:16', 'comment:own'] },
  { type: '*base.Money', settings: [] },
  { type: 'base.Status', settings: textSettings },
  { type: 'base.Level', settings: [] },
  { type: 'base.Label', settings: ['size:40', 'comment:of a label'] },
  { type: 'base.Color', settings: ['size:40'] },
  { type: 'base.Optional[string]', settings: textSettings },
  { type: 'base.Optional[int32]', settings: numberSettings },
];

const plainSettings = [
  'index',
  'index:,composite:both',
  'index:,composite:both,priority:2',
  'uniqueIndex',
  'uniqueIndex:,composite:pair',
  'index:,sort:desc',
  'unique',
  'not null',
  'comment:a comment',
  'check:1 = 1',
  '->',
  '<-:create',
  'column:renamed',
];

/** Settings that exclude others. */
const soleSettings = [
  '-',
  '-:all',
  '-:migration',
  '->:false',
  '->:false;<-:create',
  'primaryKey',
  'check:own_%,2 > 1',
];

const fieldNames = ['Code', 'Name', 'Kind', 'Size', 'Rank', 'At', 'Renamed', 'OwnerCode', 'URL'];
const keyFields = [
  'ID uint',
  'ID int64 `gorm:"primaryKey"`',
  'ID string `gorm:"primaryKey;size:36"`',
  'Id int',
  'Key int32 `gorm:"primaryKey"`',
  'Key string `gorm:"primaryKey;size:20"`',
  'ID uint `gorm:"primaryKey;autoIncrement;comment:the key"`',
  'ID uint `gorm:"column:uid;primaryKey"`',
];

/** Lines of relations; `%` is the name of the struct. */
const relations = [
  ['OwnerID uint', 'Owner *base.Owner'],
  ['OwnerID uint', 'Owner base.Owner `gorm:"constraint:OnDelete:CASCADE,OnUpdate:SET NULL"`'],
  ['OwnerID *int8', 'Owner *base.Owner `gorm:"foreignKey:owner_id"`'],
  ['BossID int32', 'Boss *base.Owner `gorm:"foreignKey:boss_id;references:ID"`'],
  ['BossCode string', 'Boss *base.Owner `gorm:"foreignKey:BossCode;references:Code"`'],
  ['Ref int16 `gorm:"column:r"`', 'Who *base.Owner `gorm:"foreignKey:r"`'],
  ['Notes []base.Note `gorm:"polymorphic:Subject"`'],
  ['Remark *base.Note `gorm:"polymorphic:Subject;polymorphicValue:special"`'],
  ['Tags []base.Tag `gorm:"many2many:%_tags"`'],
  ['Labels []*base.Tag `gorm:"many2many:%_labels;joinForeignKey:Left;joinReferences:Right"`'],
  ['Items []base.%Item'],
  ['Part *base.%Item'],
  ['Lines []base.%Item `gorm:"foreignKey:Line"`'],
  ['PairA int', 'PairB string `gorm:"size:9"`', 'Pair *base.Pair'],
  ['PA int', 'PB string', 'Two *base.Pair `gorm:"foreignKey:PA,PB;references:A,B"`'],
  ['Skipped *base.Owner `gorm:"-"`'],
];

/** Without a comment: on SQL Server, GORM would comment on columns that it does not create. */
const embeddingSettings = [
  'size:99',
  'not null',
  'index',
  'unique',
  'default:4',
  '->',
  '-',
  '-:migration',
  'type:varchar(44)',
  'column:same',
  'check:2 = 2',
  'foreignKey:OwnerID',
  'constraint:-',
  'precision:5',
  'uniqueIndex:,composite:all',
  'index:,composite:both,priority:3',
  'serializer:json',
  'autoIncrement:false',
  'softDelete:nano',
  'size:0',
];

/** A struct that others can embed. */
interface Embeddable {
  /** Its name inside the package `base`. */
  readonly name: string;
  /** The name of its type for fields, with type arguments. */
  readonly type: string;
}

/** A declaration of a struct, with the names of its fields. */
class StructText {
  readonly #lines: string[] = [];
  readonly #names = new Set<string>();

  /** Adds the fields unless one of their names is in use. */
  add(...lines: readonly string[]): void {
    const names = lines.map((line) => {
      const [first = '', type = ''] = line.split('`')[0]!.split(' ');
      return type === '' ? first.replace(/^\*|\[.*$/g, '').replace(/^.*\./, '') : first;
    });
    if (names.some((name) => this.#names.has(name))) return;
    for (const name of names) this.#names.add(name);
    this.#lines.push(...lines);
  }

  get body(): string {
    return `struct {\n${this.#lines.map((line) => `\t${line}\n`).join('')}}`;
  }
}

function tagOf(settings: readonly string[]): string {
  return settings.length === 0 ? '' : ` \`gorm:"${settings.join(';')}"\``;
}

class ProgramWriter {
  readonly #choices: Choices;

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  some<T>(items: readonly T[], max: number): readonly T[] {
    const { pick } = this.#choices;
    if (items.length === 0) return [];
    const count = pick(Array.from({ length: max + 1 }, (_, i) => i));
    return [...new Set(Array.from({ length: count }, () => pick(items)))];
  }

  field(name: string): string {
    const { pick, chance } = this.#choices;
    const { type, settings } = pick(fieldTypes);
    const selected = chance(12)
      ? [pick(soleSettings).replace('%', name.toLowerCase())]
      : this.some([...settings, ...plainSettings], 2);
    return `${name} ${type}${tagOf(selected)}`;
  }

  /** Ways to embed a struct. */
  embedding(base: Embeddable, prefixes: readonly string[]): string {
    const { pick, chance } = this.#choices;
    const pointer = chance(30) ? '*' : '';
    const more = chance(25) ? this.some(embeddingSettings, 2) : [];
    const prefix = pick(prefixes);
    const name = pick(['First', 'Second', 'Third', 'Meta']);
    return pick([
      `${pointer}${base.type}`,
      `${pointer}${base.type}${tagOf(more)}`,
      `${pointer}${base.type}${tagOf(['embedded', ...more])}`,
      `${pointer}${base.type}${tagOf([`embeddedPrefix:${prefix}`, ...more])}`,
      `${name} ${pointer}${base.type}${tagOf(['embedded', ...more])}`,
      `${name} ${pointer}${base.type}${tagOf(['embedded', `embeddedPrefix:${prefix}`, ...more])}`,
      `${name} ${pointer}${base.type}${tagOf([`embeddedPrefix:${prefix}`, 'embedded'])}`,
      `Inner struct {\n\t\t${base.type}\n\t\t${this.field('Deep')}\n\t} \`gorm:"embedded;embeddedPrefix:in_"\``,
    ]);
  }

  base(
    i: number,
    bases: readonly Embeddable[],
  ): { readonly text: string; readonly base: Embeddable } {
    const { pick, chance } = this.#choices;
    const name = `B${i}`;
    const struct = new StructText();
    const isGeneric = chance(20);
    if (chance(25)) struct.add(pick(keyFields));
    const embedFirst = chance(50);
    const embed = (): void => {
      for (const inner of this.some(bases, 2))
        struct.add(this.embedding(inner, ['x_', 'deep_', '']));
    };
    if (embedFirst) embed();
    for (const field of this.some(fieldNames, 3)) struct.add(this.field(field));
    const isStruct = isGeneric && bases.length > 0 && chance(40);
    if (isGeneric)
      struct.add(isStruct ? 'Payload T `gorm:"embedded;embeddedPrefix:of_"`' : 'Payload T');
    if (chance(55)) struct.add(...pick(relations).map((line) => line.replaceAll('%', name)));
    if (!embedFirst) embed();
    const argument = isStruct
      ? pick(bases).type
      : pick(['string', 'int16', 'base.Money', 'base.Label', '*time.Time']);
    const method = chance(12)
      ? `\n\nfunc (*${name}${isGeneric ? '[T]' : ''}) TableName() string ${this.tableBody(name.toLowerCase())}`
      : '';
    return {
      text: `type ${name}${isGeneric ? '[T any]' : ''} ${struct.body}${method}\n\ntype ${name}Item ${this.item(name)}\n`,
      base: { name, type: isGeneric ? `base.${name}[${argument}]` : `base.${name}` },
    };
  }

  /** The target of a relation of a base: some have a key named after the base, some one named after a model. */
  item(base: string): string {
    const { pick, chance } = this.#choices;
    const owners = [
      `${base}ID`,
      ...(chance(25) ? [`${base}Key`] : []),
      ...(chance(40) ? ['M0ID', 'M1ID'] : []),
    ];
    const fields = owners.map(
      (owner) => `${owner} ${pick(['uint', '*int64', 'int8', 'string `gorm:"size:36"`'])}`,
    );
    return `struct {\n\tID uint\n\t${fields.join('\n\t')}\n\tLine uint\n}`;
  }

  tableBody(name: string): string {
    return this.#choices.pick([
      `{ return "${name}_t" }`,
      `{\n\treturn "app_" + "${name}"\n}`,
      `{\n\t// A comment.\n\treturn "c_${name}"\n}`,
      `{ return \`raw_${name}\` }`,
      `{ return "e_\\x41${name}" }`,
      `{ return "a" + " + " + "${name}"; }`,
      `{\n\treturn "l_" +\n\t\t"${name}"\n}`,
      `{ const prefix = "k_"; return prefix + "${name}" }`,
    ]);
  }

  /** Types of the package of the models over those of the other package. */
  localTypes(bases: readonly Embeddable[]): {
    readonly text: string;
    readonly types: readonly Embeddable[];
  } {
    const { pick } = this.#choices;
    const [alias, defined] = [pick(bases), pick(bases)];
    const local = new StructText();
    local.add(this.field('Code'), this.field('LocalOnly'));
    local.add(this.embedding(pick(bases), ['l_']));
    return {
      text: `type Alias = ${alias.type}\n\ntype Defined ${defined.type}\n\ntype B1 ${local.body}\n`,
      types: ['Alias', 'Defined', 'B1'].map((name) => ({ name, type: name })),
    };
  }

  model(i: number, bases: readonly Embeddable[]): string {
    const { pick, chance } = this.#choices;
    const name = `M${i}`;
    const struct = new StructText();
    const embedFirst = chance(60);
    const embed = (): void => {
      for (const base of this.some(bases, 3)) {
        struct.add(this.embedding(base, ['x_', 'y_', 'deep_']));
        if (chance(30)) struct.add(this.embedding(base, ['z_', 'w_']));
      }
    };
    if (embedFirst) embed();
    if (chance(85)) struct.add(chance(30) ? 'gorm.Model' : pick(keyFields));
    for (const field of this.some(fieldNames, 4)) struct.add(this.field(field));
    if (chance(25)) struct.add(...pick(relations.filter((lines) => !lines.join().includes('%'))));
    if (i > 0 && chance(30)) struct.add(`M${i - 1}ID uint`, `M${i - 1} *M${i - 1}`);
    if (!embedFirst) embed();
    struct.add('Own string `gorm:"size:10"`');
    const method = chance(20)
      ? `\n\nfunc (${pick(['', '*', 'm ', 'm *'])}${name}) TableName() string ${this.tableBody(name.toLowerCase())}`
      : '';
    return `type ${name} ${struct.body}${method}\n`;
  }
}

const imports: Readonly<Record<string, string>> = {
  time: 'time',
  sql: 'database/sql',
  gorm: 'gorm.io/gorm',
  soft_delete: 'gorm.io/plugin/soft_delete',
  datatypes: 'gorm.io/datatypes',
  base: 'example.com/app/base',
};

/** A file of the package with the imports that its text needs. */
function goFile(packageName: string, text: string): string {
  const body = text.replaceAll(`${packageName}.`, '');
  const used = Object.entries(imports).filter(([name]) => new RegExp(`\\b${name}\\.`).test(body));
  const lines = used.map(([, path]) => `import "${path}"\n`).join('');
  return `package ${packageName}\n\n${lines}\n${body}`;
}

/** The texts of the files by their path. */
export type GoProgram = Readonly<Record<string, string>>;

export function embeddingProgram(choices: Choices): GoProgram {
  const writer = new ProgramWriter(choices);
  const bases: Embeddable[] = [];
  const baseTexts: string[] = [];
  for (let i = 0; i < choices.pick([2, 3, 4, 5]); i++) {
    const { text, base } = writer.base(i, bases);
    bases.push(base);
    baseTexts.push(text);
  }
  const count = choices.pick([2, 3, 4, 5]);
  const local = writer.localTypes(bases);
  const models: string[] = [];
  for (let i = 0; i < count; i++) {
    const outer = i > 0 ? [{ name: `M${i - 1}`, type: `M${i - 1}` }] : [];
    models.push(writer.model(i, [...bases, ...bases, ...local.types, ...outer]));
  }
  const list = models.map((_, i) => `&model.M${i}{}`).join(', ');
  return {
    'go.mod': 'module example.com/app\n\ngo 1.26\n',
    'base/types.go': valueTypes,
    'base/base.go': goFile('base', baseTexts.join('\n')),
    'model/models.go': goFile('model', [local.text, ...models].join('\n')),
    'app.go': `package app

import (
	"gorm.io/gorm"

	"example.com/app/model"
)

func Models() []any { return []any{${list}} }

func Migrate(db *gorm.DB) error { return db.AutoMigrate(Models()...) }
`,
  };
}
