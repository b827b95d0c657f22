/** All registered databases at once, to translate SQL from one to another and to detect the dialect of a file. */
import { supports } from '../model/supports.ts';
import { registry } from './index.ts';
import type { Capability } from '../model/capabilities.ts';
import type { DatabaseKind, Dialect } from '../model/database.ts';
import type { DdlReader } from '../sql/ddl/ddl-reader.ts';
import type { ExpressionSyntax } from '../sql/translate-expression.ts';
import type { DatabaseSyntax } from './syntax.ts';

/** A database that has these capabilities, with its syntax. */
type Registration<C extends Capability = never> = DatabaseKind<C> & DatabaseSyntax<C>;

const databaseKinds: readonly Registration[] = await Promise.all(
  registry.map(async ({ loadKind, loadSyntax }) => ({
    ...(await loadKind()),
    ...(await loadSyntax()),
  })),
);

/** The registered databases that have a capability. */
export function kindsWith<C extends Capability>(capability: C): readonly Registration<C>[] {
  return databaseKinds.filter((kind): kind is Registration<C> =>
    supports(kind.dialect, capability),
  );
}

/** How expressions of a dialect are parsed and written. */
export function expressionsOf(dialect: Dialect<'ddl'>): ExpressionSyntax {
  return registrationOf(dialect).expressions;
}

/** The parser of a dialect's DDL. */
export function ddlReaderOf(dialect: Dialect<'ddl'>): DdlReader {
  return registrationOf(dialect).ddlReader;
}

function registrationOf(dialect: Dialect<'ddl'>): Registration<'ddl'> {
  const kind = kindsWith('ddl').find((candidate) => candidate.dialect.name === dialect.name);
  if (kind === undefined) throw new Error(`The dialect ${dialect.name} is not in the registry.`);
  return kind;
}
