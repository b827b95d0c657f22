/** All registered databases at once, to translate SQL from one to another and to detect the dialect of a file. */
import { registry } from './index.ts';
import type { DatabaseKind, Dialect } from '../model/database.ts';
import type { DdlReader } from '../sql/ddl/ddl-reader.ts';
import type { ExpressionSyntax } from '../sql/translate-expression.ts';
import type { DatabaseSyntax } from './syntax.ts';

type Registration = DatabaseKind & DatabaseSyntax;

export const databaseKinds: readonly Registration[] = await Promise.all(
  registry.map(async ({ loadKind, loadSyntax }) => ({
    ...(await loadKind()),
    ...(await loadSyntax()),
  })),
);

/** How expressions of a dialect are parsed and written. */
export function expressionsOf(dialect: Dialect): ExpressionSyntax {
  return registrationOf(dialect).expressions;
}

/** The parser of a dialect's DDL. */
export function ddlReaderOf(dialect: Dialect): DdlReader {
  return registrationOf(dialect).ddlReader;
}

function registrationOf(dialect: Dialect): Registration {
  const kind = databaseKinds.find((candidate) => candidate.dialect.name === dialect.name);
  if (kind === undefined) throw new Error(`The dialect ${dialect.name} is not in the registry.`);
  return kind;
}
