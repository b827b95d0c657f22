/** What the pages know of each database. Loaded by browsers, so it imports no modules of Node. */
import { mysqlPresentation } from './mysql/presentation.ts';
import { postgresPresentation } from './postgres/presentation.ts';
import { sqlitePresentation } from './sqlite/presentation.ts';
import { sqlserverPresentation } from './sqlserver/presentation.ts';
import type { DatabasePresentation } from '../portable/presentation.ts';

export const presentations: readonly DatabasePresentation[] = [
  sqlitePresentation,
  postgresPresentation,
  mysqlPresentation,
  sqlserverPresentation,
];

/** `driver` is the one of the schema response. Undefined for a database that this page does not know. */
export function presentationOf(driver: string | undefined): DatabasePresentation | undefined {
  return presentations.find(({ name }) => name === driver);
}
