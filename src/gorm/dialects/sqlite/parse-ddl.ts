/**
 * Parses CREATE TABLE as gorm.io/driver/sqlite 1.6 does, with its regular expressions (ddlmod.go).
 * They match one word of a type, and a default up to the end of its column. They skip everything
 * else.
 */
import type { ReportedColumn } from '../../go-field-dialect.ts';

export interface ParsedDdl {
  /** By column name. */
  readonly columns: ReadonlyMap<string, ReportedColumn>;
}

const tableHead = /CREATE TABLE [`|"'\t]?[\w-]+[`|"'\t]?(?:\s*\((.*)\))?/is;

/** Undefined for a statement that AutoMigrate fails on. */
export function parseDdl(sql: string): ParsedDdl | undefined {
  const head = tableHead.exec(sql);
  const fields = head === null ? undefined : splitFields(head[1] ?? '');
  if (fields === undefined) return undefined;
  const columns = new Map<string, ReportedColumn>();
  for (const field of fields) readField(field, columns);
  return { columns };
}

/** Brackets within quotes of any kind do not count, but commas within quotes do. */
function splitFields(body: string): readonly string[] | undefined {
  const fields: string[] = [];
  const letters = [...body];
  let [level, isQuoted, field] = [0, false, ''];
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i]!;
    if (/[`|"'\t]/.test(letter)) {
      if (letter === letters[i + 1]) {
        field += letter;
        i++;
      } else isQuoted = !isQuoted;
    } else if (!isQuoted) {
      level += letter === '(' ? 1 : letter === ')' ? -1 : 0;
      if (level === 0 && letter === ',') {
        fields.push(field.trim());
        field = '';
        continue;
      }
    }
    if (level < 0) return undefined;
    field += letter;
  }
  if (level !== 0) return undefined;
  return field === '' ? fields : [...fields, field.trim()];
}

type Columns = Map<string, ReportedColumn>;

function readField(field: string, columns: Columns): void {
  const upper = field.toUpperCase();
  if (upper.startsWith('CHECK') || upper.startsWith('PRIMARY KEY')) return;
  if (upper.startsWith('CONSTRAINT')) {
    readUnique(field, columns);
    return;
  }
  const [, name, type = '', rest = ''] =
    /^[`|"'\t]?(\w+)[`|"'\t]?\s+([\w()]+)(.*)$/.exec(field) ?? [];
  if (name !== undefined) columns.set(name, readColumn(type, rest));
}

function readUnique(field: string, columns: Columns): void {
  const [, list = ''] = /^CONSTRAINT [`|"'\t]?[\w-]+[`|"'\t]? UNIQUE (.*)$/.exec(field) ?? [];
  const [, name] = /^[^(]*\(\s*[`"'[]?([^,)`"'\]]+?)[`"'\]]?\s*\)/.exec(list) ?? [];
  const column = name === undefined ? undefined : columns.get(name);
  if (name !== undefined && column !== undefined) columns.set(name, { ...column, unique: true });
}

function readColumn(type: string, rest: string): ReportedColumn {
  const upper = rest.toUpperCase();
  const defaultText = readDefault(rest);
  return {
    ...readType(type),
    nullable: !upper.includes(' NOT NULL'),
    unique: upper.includes(' UNIQUE'),
    ...(defaultText === undefined ? {} : { default: defaultText }),
  };
}

function readType(type: string): Pick<ReportedColumn, 'type' | 'length'> {
  const [size, another] = type.matchAll(/[^\d](\d+)[^\d]?/g);
  if (size === undefined || another !== undefined) return { type };
  const typeWithoutSize = type.endsWith(size[0]) ? type.slice(0, -size[0].length) : type;
  return { type: typeWithoutSize, length: Number(size[1]) };
}

function readDefault(rest: string): string | undefined {
  const found = / DEFAULT \(?(.+)?\)?( |COLLATE|GENERATED|$)/i.exec(rest);
  if (found === null) return undefined;
  const text = found[1] ?? '';
  return text.toLowerCase() === 'null' ? undefined : text.replaceAll(/^"+|"+$/g, '');
}
