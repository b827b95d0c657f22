import { quoteName } from '../dialect/ddl.ts';
import { rowsByColumnName } from '../../catalog-query.ts';
import type { Session } from '../../../model/database.ts';
import type { ForeignKey, ForeignKeyAction } from '../../../model/schema.ts';
import type { Catalog, CatalogKeyPart, CatalogKeyRules } from './catalog.ts';

/** All foreign keys, by table name. */
export async function readForeignKeys(
  session: Session,
  catalog: Catalog,
): Promise<ReadonlyMap<string, readonly ForeignKey[]>> {
  const keys = [...Map.groupBy(catalog.keyParts, identityOf).values()];
  const rules = new Map(catalog.keyRules.map((each) => [identityOf(each), each]));
  const unknown = keys.filter(([part]) => part !== undefined && !rules.has(identityOf(part)));
  for (const table of new Set(unknown.map(([part]) => part?.table ?? ''))) {
    for (const each of await rulesFromDdl(session, table)) rules.set(identityOf(each), each);
  }
  const names = createTargetNames(catalog);
  const read = keys.map((parts) => ({
    table: parts[0]?.table ?? '',
    key: readForeignKey(parts, { rules, names }),
  }));
  return new Map(
    [...Map.groupBy(read, ({ table }) => table)].map(([table, of]) => [
      table,
      of.map(({ key }) => key),
    ]),
  );
}

function identityOf({ table, constraint }: Pick<CatalogKeyPart, 'table' | 'constraint'>): string {
  return JSON.stringify([table, constraint]);
}

interface KeyContext {
  readonly rules: ReadonlyMap<string, CatalogKeyRules>;
  readonly names: TargetNames;
}

function readForeignKey(
  parts: readonly CatalogKeyPart[],
  { rules, names }: KeyContext,
): ForeignKey {
  const first = parts[0]!;
  const rule = rules.get(identityOf(first));
  return {
    name: first.constraint,
    columns: parts.map(({ column }) => column),
    table: names(first),
    referencedColumns: parts.map(({ targetColumn }) => targetColumn),
    onUpdate: readAction(rule?.onUpdate),
    onDelete: readAction(rule?.onDelete),
  };
}

function readAction(rule: string | undefined): ForeignKeyAction {
  return (rule?.toLowerCase() ?? 'no action') as ForeignKeyAction;
}

type TargetNames = (part: CatalogKeyPart) => string;

/** On a server that ignores the case of table names, a key may write the target's name in another case. */
function createTargetNames({ database, relations }: Catalog): TargetNames {
  const exact = new Set(relations.map(({ name }) => name));
  const folded = new Map(relations.map(({ name }) => [name.toLowerCase(), name]));
  return ({ targetDatabase, targetTable }) => {
    if (targetDatabase.toLowerCase() !== database.toLowerCase())
      return `${targetDatabase}.${targetTable}`;
    return exact.has(targetTable)
      ? targetTable
      : (folded.get(targetTable.toLowerCase()) ?? targetTable);
  };
}

const keyClause =
  /CONSTRAINT `((?:[^`]|``)*)` FOREIGN KEY .*? REFERENCES .*?\)((?: ON (?:DELETE|UPDATE) (?:RESTRICT|CASCADE|SET NULL|NO ACTION|SET DEFAULT))*),?$/gm;

/** MariaDB hides the rules from logins that may only read the table, but shows its DDL, which omits RESTRICT. */
async function rulesFromDdl(session: Session, table: string): Promise<readonly CatalogKeyRules[]> {
  const query = { text: `SHOW CREATE TABLE ${quoteName(table)}`, params: [] };
  const { columns, rows } = await session.run(query);
  const ddl = String(rowsByColumnName(columns, rows)[0]?.['Create Table'] ?? '');
  return [...ddl.matchAll(keyClause)].map(([, name = '', actions = '']) => ({
    table,
    constraint: name.replaceAll('``', '`'),
    onUpdate: /ON UPDATE ((?:SET |NO )?\w+)/.exec(actions)?.[1] ?? 'RESTRICT',
    onDelete: /ON DELETE ((?:SET |NO )?\w+)/.exec(actions)?.[1] ?? 'RESTRICT',
  }));
}
