import { mysqlDataScript } from './ddl/data-script.ts';
import { mysqlDdlReader } from './ddl/read-ddl.ts';
import { mysqlExpressions } from './ddl/expressions.ts';
import { mysqlLanguage } from './language/language.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { DatabaseSyntax } from '../syntax.ts';

export const mysqlSyntax: DatabaseSyntax<Capability> = {
  language: mysqlLanguage,
  expressions: mysqlExpressions,
  ddlReader: mysqlDdlReader,
  dataScript: mysqlDataScript,
};
