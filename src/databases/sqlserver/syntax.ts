import { sqlserverDataScript } from './data-script.ts';
import { sqlserverDdlReader } from './read-ddl.ts';
import { sqlserverExpressions } from './expressions.ts';
import { sqlserverLanguage } from './language.ts';
import type { DatabaseSyntax } from '../syntax.ts';

export const sqlserverSyntax: DatabaseSyntax = {
  language: sqlserverLanguage,
  expressions: sqlserverExpressions,
  ddlReader: sqlserverDdlReader,
  dataScript: sqlserverDataScript,
};
