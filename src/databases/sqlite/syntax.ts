import { sqliteDataScript } from './ddl/data-script.ts';
import { sqliteDdlReader } from './run-ddl.ts';
import { sqliteExpressions } from './ddl/expressions.ts';
import { sqliteLanguage } from './language/language.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { DatabaseSyntax } from '../syntax.ts';

export const sqliteSyntax: DatabaseSyntax<Capability> = {
  language: sqliteLanguage,
  expressions: sqliteExpressions,
  ddlReader: sqliteDdlReader,
  dataScript: sqliteDataScript,
};
