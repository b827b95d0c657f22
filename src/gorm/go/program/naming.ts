/** GORM's NamingStrategy with its options. */
import { columnName } from '../../../model/go-names.ts';
import { plural } from '../../../model/inflection.ts';

/** The options that a program sets in gorm.Config. */
export interface NamingOptions {
  /** TablePrefix: the prefix of table names, except those that a TableName method returns. */
  readonly tablePrefix?: string | undefined;
  /** SingularTable: names of tables are not plurals. */
  readonly singularTables?: boolean | undefined;
  /** NameReplacer: pairs of a text in Go names and what replaces it. The first pair that matches at a position wins. */
  readonly replacements?: readonly (readonly [from: string, to: string])[] | undefined;
  /** The name that the database gives a table of this name. By default the same. */
  readonly storedTable?: ((name: string) => string) | undefined;
}

/** Names of tables and columns by the names of structs and fields. */
export interface Naming {
  column(goName: string): string;
  table(goName: string): string;
  /** The table of a `many2many:` setting. */
  joinTable(tag: string): string;
  /** The name that the database gives a table of this name. */
  storedTable(name: string): string;
}

export function createNaming({
  tablePrefix = '',
  singularTables = false,
  replacements = [],
  storedTable = (name) => name,
}: NamingOptions): Naming {
  const pairs = replacements.filter(([from]) => from !== '');
  const column = (goName: string): string =>
    columnName(pairs.length === 0 ? goName : replaceAll(goName, pairs) || goName);
  const table = (goName: string): string =>
    tablePrefix + (singularTables ? column(goName) : plural(column(goName)));
  return {
    column,
    table,
    joinTable: (tag) => (tag.toLowerCase() === tag ? tablePrefix + tag : table(tag)),
    storedTable,
  };
}

export const defaultNaming: Naming = createNaming({});

/** As strings.NewReplacer does: from left to right, without overlaps. */
function replaceAll(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  let result = '';
  for (let i = 0; i < text.length;) {
    const pair = pairs.find(([from]) => text.startsWith(from, i));
    result += pair === undefined ? text[i] : pair[1];
    i += pair === undefined ? 1 : pair[0].length;
  }
  return result;
}
