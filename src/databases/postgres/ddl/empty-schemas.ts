/** Schemas that a dump creates, and in which it creates nothing. Others are created with what is in them. */
import { postgresQuoteName } from '../dialect/quote.ts';
import type { DdlReadResult } from '../../../sql/ddl/ddl-reader.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { FileState } from './statement-context.ts';

export function withEmptySchemas(
  reading: DdlReadResult,
  { createdNamespaces, namespaces, isLoaded }: FileState,
): DdlReadResult {
  if (!isLoaded) return reading;
  const { tables, views, enums } = reading.schema;
  const used = new Set(
    [...tables, ...views, ...enums, ...reading.programs].map(({ namespace }) => namespace),
  );
  const empty = [...createdNamespaces].filter(
    ([name]) => name !== '' && name !== namespaces.home && name !== 'public' && !used.has(name),
  );
  const programs = empty.map(([name, line]): ScriptProgram => ({
    kind: 'schema',
    isStructure: true,
    name,
    key: `schema ${name}`,
    needs: [],
    line,
    stage: 'before tables',
    text: `CREATE SCHEMA IF NOT EXISTS ${postgresQuoteName(name)}`,
  }));
  return { ...reading, programs: [...programs, ...reading.programs] };
}
