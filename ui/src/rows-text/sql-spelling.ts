/** How a database spells names and values in a statement. */
export interface SqlSpelling {
  readonly name: (name: string) => string;
  readonly text: (text: string) => string;
  readonly bytes: (hex: string) => string;
  readonly boolean: (value: boolean) => string;
}

const standard: SqlSpelling = {
  name: (name) => `"${name.replaceAll('"', '""')}"`,
  text: (text) => `'${text.replaceAll("'", "''")}'`,
  bytes: (hex) => `X'${hex}'`,
  boolean: (value) => (value ? 'TRUE' : 'FALSE'),
};

/** What differs from the standard, by the API's names of databases. */
const spellings = new Map<string, Partial<SqlSpelling>>([
  ['postgres', { bytes: (hex) => `'\\x${hex}'` }],
  [
    'mysql',
    {
      name: (name) => `\`${name.replaceAll('`', '``')}\``,
      // There a backslash escapes what follows it.
      text: (text) => standard.text(text.replaceAll('\\', '\\\\')),
    },
  ],
  [
    'sqlserver',
    {
      name: (name) => `[${name.replaceAll(']', ']]')}]`,
      text: (text) => `N${standard.text(text)}`,
      bytes: (hex) => `0x${hex}`,
      boolean: (value) => (value ? '1' : '0'),
    },
  ],
]);

export function spellingOf(driver: string | undefined): SqlSpelling {
  return { ...standard, ...spellings.get(driver ?? '') };
}
