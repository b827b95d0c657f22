import { mysqlDataScript } from './data-script.ts';
import { mysqlDdlReader } from './read-ddl.ts';
import { mysqlExpressions } from './expressions.ts';
import { mysqlLanguage } from './language.ts';
import type { DatabaseSyntax } from '../syntax.ts';

export const mysqlSyntax: DatabaseSyntax = {
  language: mysqlLanguage,
  expressions: mysqlExpressions,
  ddlReader: mysqlDdlReader,
  dataScript: mysqlDataScript,
};
