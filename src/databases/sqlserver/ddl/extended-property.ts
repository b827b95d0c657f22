import { changeColumn } from '../../../sql/ddl/change-table.ts';
import { changeTable } from '../../../sql/ddl/draft.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type { Arguments } from './procedure-arguments.ts';

/** The parameters of sp_addextendedproperty in positional order. */
export const propertyParameters = [
  '@name',
  '@value',
  '@level0type',
  '@level0name',
  '@level1type',
  '@level1name',
  '@level2type',
  '@level2name',
] as const;

/** Sets a comment (MS_Description) of a table or column. Returns a description of what is left out instead. */
export function setComment(
  propertyArguments: Arguments,
  draft: SchemaDraft,
  rules: DdlRules,
): string | undefined {
  const comment = propertyArguments.get('@value');
  const table = propertyArguments.get('@level1name');
  const names = ['@level0name', '@level1name', '@level2name'].flatMap(
    (key) => propertyArguments.get(key) ?? [],
  );
  const skipped = `the extended property ${propertyArguments.get('@name') ?? ''} of ${names.join('.') || 'the database'}`;
  if (
    propertyArguments.get('@name') !== 'MS_Description' ||
    comment === undefined ||
    table === undefined
  )
    return skipped;
  const namespace = propertyArguments.get('@level0name') ?? 'dbo';
  const column = propertyArguments.get('@level2name');
  const isColumn = propertyArguments.get('@level2type')?.toUpperCase() === 'COLUMN';
  if (column !== undefined && !isColumn) return skipped;
  const isFound = changeTable(draft, rules.tableReference([namespace, table]), (found) =>
    column === undefined
      ? { ...found, comment }
      : changeColumn(found, column, (each) => ({ ...each, comment })),
  );
  return isFound ? undefined : skipped;
}
