/**
 * Tables and rows in which every name, comment, enum label, default and value contains code: SQL, HTML,
 * JavaScript, a formula, a path. Treated as anything but text, it would have an effect.
 */
import { bigint, foreignKeyTo, name, tableWithId, optional } from '../databases/kit/tables.ts';
import type { Table } from '../../src/model/schema.ts';

/** Names that all four databases accept. */
const hostileNames: readonly string[] = [
  '"];--',
  "'); DROP TABLE users; --",
  '`/* \\',
  '%_x.a,b',
  '../../etc/passwd',
  'two\nlines\r\n\tand a tab',
  '\u202egnp.exe',
  '__proto__',
  'constructor',
  '</script><img src=x onerror=alert(1)>',
  ']]></text><script>alert(1)</script>',
  '=cmd|calc!A1',
  '${alert(1)} {{7*7}} %s %n',
  '"json:\\"x" `gorm:"x"`',
  'aux.csv',
  'Tables',
  'tables',
  'Größe\u00a0名前',
  'x'.repeat(62),
];

/** Values of cells, defaults, labels and comments. */
export const hostileValues: readonly string[] = [
  '<img src=x onerror="window.hacked=1">',
  '</script><script>window.hacked=1</script>',
  'javascript:window.hacked=1',
  'data:text/html,<script>window.hacked=1</script>',
  '{"__proto__":{"hacked":1},"<b>":"</script>"}',
  "'; DROP TABLE users; --",
  "\\'; DROP TABLE users; --",
  "\\\\' OR 1=1 -- '\\",
  '$$; DROP TABLE users; $$',
  'x\nGO\nDROP TABLE users\nGO\n\\.\n',
  '\\N',
  '=HYPERLINK("http://attacker.example","x")',
  '+1+cmd|" /C calc"!A0',
  '-2+3',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  "'=1",
  "''@x",
  'NULL',
  '%_[a]^%',
  '\u202eevil\u2066',
  '\u2028\u2029\ufeff',
  '&lt;b&gt; &#60; ]]>',
  'https://attacker.example/?q=<x>',
  '{{constructor.constructor("window.hacked=1")()}}',
];

/** Adds a number to the names that differ only in case, which some databases do not distinguish. */
function tableName(hostile: string, i: number): string {
  return hostile.toLowerCase() === 'tables' ? `${hostile}${i}` : hostile;
}

export const tableNames: readonly string[] = hostileNames.map(tableName);

export interface HostileOptions {
  readonly quoteText: (text: string) => string;
  readonly hasComments: boolean;
}

/** A table for each hostile name. Each has a foreign key to the previous one, in a column of that name. */
export function hostileTables({ quoteText, hasComments }: HostileOptions): readonly Table[] {
  return tableNames.map((table, i) => {
    const value = hostileValues[i] ?? '';
    const label = `${value.slice(0, 20)}${i}`.replaceAll(/[,\r\n\t\u2028\u2029\ufeff]/g, '_');
    const previous = tableNames[i - 1];
    const comment = hasComments ? { comment: `${table} ${value}` } : {};
    const columns = [
      { ...optional(table, name), ...comment, default: quoteText(value) },
      optional('value', { kind: 'text' }),
      optional('label', { kind: 'enum', values: [label, `'"\\${i}`], name: `enum_${i}` }),
      ...(previous === undefined ? [] : [optional(`${i}${previous}`.slice(0, 63), bigint)]),
    ];
    return tableWithId(table, columns, {
      ...comment,
      indexes: [{ name: `${i}${table}`.slice(0, 60), unique: false, parts: [{ column: table }] }],
      foreignKeys:
        previous === undefined
          ? []
          : [
              foreignKeyTo(previous, [`${i}${previous}`.slice(0, 63)], {
                name: `fk${i}${table}`.slice(0, 60),
              }),
            ],
      checks: [],
    });
  });
}

/** Rows for one table, one for each hostile value. */
export function hostileRows(table: string): readonly Readonly<Record<string, string>>[] {
  return hostileValues.map((value) =>
    Object.fromEntries([
      [table, value.slice(0, 100)],
      ['value', value],
    ]),
  );
}
