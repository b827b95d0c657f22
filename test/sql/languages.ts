import { mysqlLanguage } from '../../src/databases/mysql/language/language.ts';
import { postgresLanguage } from '../../src/databases/postgres/language/language.ts';
import { sqliteLanguage } from '../../src/databases/sqlite/language/language.ts';
import { sqlserverLanguage } from '../../src/databases/sqlserver/language/language.ts';
import type { Language } from '../../src/sql/classify.ts';

export const languages = {
  sqlite: sqliteLanguage,
  postgres: postgresLanguage,
  mysql: mysqlLanguage,
  sqlserver: sqlserverLanguage,
} satisfies Record<string, Language>;

export type LanguageName = keyof typeof languages;

export const languageNames = Object.keys(languages) as LanguageName[];

/** The lexical rules under server settings that change how a text is tokenized. */
export const variations = {
  mysqlAnsiQuotes: {
    ...mysqlLanguage,
    lexical: {
      ...mysqlLanguage.lexical,
      nameQuotes: [...mysqlLanguage.lexical.nameQuotes, { open: '"', close: '"', doubled: true }],
      stringQuotes: ["'"],
    },
  },
  mysqlNoBackslashEscapes: {
    ...mysqlLanguage,
    lexical: { ...mysqlLanguage.lexical, backslashEscapes: false },
  },
  postgresBackslashStrings: {
    ...postgresLanguage,
    lexical: { ...postgresLanguage.lexical, backslashEscapes: true },
  },
  sqlserverQuotedStrings: {
    ...sqlserverLanguage,
    lexical: {
      ...sqlserverLanguage.lexical,
      nameQuotes: [{ open: '[', close: ']', doubled: true }],
      stringQuotes: ["'", '"'],
    },
  },
} satisfies Record<string, Language>;
