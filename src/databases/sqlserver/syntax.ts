import { sqlserverDataScript } from './ddl/data-script.ts';
import { sqlserverDdlReader } from './ddl/read-ddl.ts';
import { sqlserverExpressions } from './ddl/expressions.ts';
import { sqlserverLanguage } from './language/language.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { DatabaseSyntax } from '../syntax.ts';

export const sqlserverSyntax: DatabaseSyntax<Capability> = {
  language: sqlserverLanguage,
  expressions: sqlserverExpressions,
  ddlReader: sqlserverDdlReader,
  dataScript: sqlserverDataScript,
};
