/** Reads indexes, checks and unique constraints from tags. */
import { checkName, indexName, uniqueName } from '../go/program/names.ts';
import { reportModelError } from './build-model.ts';
import { parseSettings, tagValue } from './tags.ts';
import type { GormIndex, GormIndexPart } from '../gorm-dialect.ts';
import type { GormField, GormModel } from './gorm-model.ts';
import type { TagSettings } from './tags.ts';

/** An index declared by one tag of one field. */
interface IndexTag extends Omit<GormIndex, 'parts'> {
  readonly part: GormIndexPart;
  readonly priority: number;
}

const defaultPriority = 10;

/** The indexes of a model in the order of its fields. Tags with the same name form one index. */
export function indexesOf(model: GormModel, maxLength: number): readonly GormIndex[] {
  const tags = model.fields.flatMap((field) => {
    const isIndexed = [field.settings.get('INDEX'), field.settings.get('UNIQUEINDEX')].some(
      Boolean,
    );
    return isIndexed ? indexTags(field, maxLength) : [];
  });
  return [...Map.groupBy(tags, ({ name }) => name)].map(([name, ofName]) =>
    mergeTags(name, ofName),
  );
}

function mergeTags(name: string, tags: readonly IndexTag[]): GormIndex {
  const first = (setting: 'class' | 'type' | 'where' | 'comment' | 'option'): string =>
    tags.map((tag) => tag[setting]).find((value) => value !== '') ?? '';
  const ordered = tags.toSorted((a, b) => a.priority - b.priority);
  return {
    name,
    class: first('class'),
    type: first('type'),
    where: first('where'),
    comment: first('comment'),
    option: first('option'),
    parts: ordered.map(({ part }) => part),
  };
}

/** Reads the field's own tag only: settings of an embedding field declare no indexes. */
function indexTags(field: GormField, maxLength: number): readonly IndexTag[] {
  return tagValue(field.tag, 'gorm')
    .split(';')
    .flatMap((setting) => {
      const [word = '', ...rest] = setting.split(':');
      const kind = word.trim().toUpperCase();
      return kind === 'INDEX' || kind === 'UNIQUEINDEX'
        ? [indexTag(field, { kind, value: rest.join(':'), maxLength })]
        : [];
    });
}

interface IndexSetting {
  readonly kind: string;
  readonly value: string;
  readonly maxLength: number;
}

function indexTag(field: GormField, { kind, value, maxLength }: IndexSetting): IndexTag {
  const [nameInTag = '', ...options] = value.split(',');
  const settings = parseSettings(options.join(','), ',');
  const of = (name: string): string => settings.get(name) ?? '';
  const isUnique = kind === 'UNIQUEINDEX' || of('UNIQUE') !== '';
  return {
    name:
      nameInTag ||
      indexName({
        table: field.model.table,
        name: indexNameSuffix(field, settings),
        naming: field.model.naming,
        maxLength,
      }),
    class: isUnique ? 'UNIQUE' : of('CLASS'),
    type: of('TYPE'),
    where: of('WHERE'),
    comment: of('COMMENT'),
    option: of('OPTION'),
    priority: /^[+-]?\d+$/.test(of('PRIORITY')) ? Number(of('PRIORITY')) : defaultPriority,
    part: {
      column: field.column,
      expression: of('EXPRESSION'),
      sort: of('SORT'),
      collate: of('COLLATE'),
      length: /^[+-]?\d+$/.test(of('LENGTH')) ? Number(of('LENGTH')) : 0,
    },
  };
}

/** The basis for the name of an unnamed index: its field, or the value of `composite:` that several fields share. */
function indexNameSuffix(field: GormField, settings: TagSettings): string {
  const composite = settings.get('COMPOSITE');
  if (composite === '' || composite === 'COMPOSITE')
    reportModelError(
      field.model,
      `the composite tag of ${field.model.struct}.${field.name} cannot be empty`,
      field,
    );
  return composite ?? field.name;
}

export interface NamedCheck {
  readonly name: string;
  readonly expression: string;
}

export function checksOf(model: GormModel, maxLength: number): readonly NamedCheck[] {
  const checks = model.columns.flatMap((column) => {
    const check = model.byColumn.get(column)?.settings.get('CHECK') ?? '';
    return check === '' ? [] : [checkOf(check, { table: model.table, name: column, maxLength })];
  });
  return [...new Map(checks.map((check) => [check.name, check])).values()];
}

function checkOf(
  tag: string,
  parts: { readonly table: string; readonly name: string; readonly maxLength: number },
): NamedCheck {
  const [first = '', ...rest] = tag.split(',');
  if (rest.length > 0 && /^[\w-]+$/.test(first)) return { name: first, expression: rest.join(',') };
  return { name: checkName(parts), expression: first === '' ? rest.join(',') : tag };
}

export interface NamedUnique {
  readonly name: string;
  readonly column: string;
}

export function uniquesOf(model: GormModel, maxLength: number): readonly NamedUnique[] {
  const unique = model.fields.filter((field) => field.unique);
  const namedConstraints = unique.map(({ column }): [string, NamedUnique] => {
    const name = uniqueName({ table: model.table, name: column, naming: model.naming, maxLength });
    return [name, { name, column }];
  });
  return [...new Map(namedConstraints).values()];
}
