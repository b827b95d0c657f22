import { postgresDataScript } from './ddl/data-script.ts';
import { postgresDdlReader } from './ddl/read-ddl.ts';
import { postgresExpressions } from './ddl/expressions.ts';
import { postgresLanguage } from './language/language.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { DatabaseSyntax } from '../syntax.ts';

export const postgresSyntax: DatabaseSyntax<Capability> = {
  language: postgresLanguage,
  expressions: postgresExpressions,
  ddlReader: postgresDdlReader,
  dataScript: postgresDataScript,
};
