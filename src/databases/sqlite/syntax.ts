import { sqliteDataScript } from './data-script.ts';
import { sqliteDdlReader } from './run-ddl.ts';
import { sqliteExpressions } from './expressions.ts';
import { sqliteLanguage } from './language.ts';
import type { DatabaseSyntax } from '../syntax.ts';

export const sqliteSyntax: DatabaseSyntax = {
  language: sqliteLanguage,
  expressions: sqliteExpressions,
  ddlReader: sqliteDdlReader,
  dataScript: sqliteDataScript,
};
