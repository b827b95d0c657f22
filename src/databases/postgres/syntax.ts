import { postgresDataScript } from './data-script.ts';
import { postgresDdlReader } from './read-ddl.ts';
import { postgresExpressions } from './expressions.ts';
import { postgresLanguage } from './language.ts';
import type { DatabaseSyntax } from '../syntax.ts';

export const postgresSyntax: DatabaseSyntax = {
  language: postgresLanguage,
  expressions: postgresExpressions,
  ddlReader: postgresDdlReader,
  dataScript: postgresDataScript,
};
