/**
 * Tests of the kit that do not apply to SQL Server or to Babelfish, as docs/databases/sqlserver.md
 * lists them.
 */
import type { Skip } from '../kit/database-under-test.ts';

export const skips: readonly Skip[] = [
  {
    reason: 'an enum is text with a check',
    feature: 'filters',
    tests: ['an enum without that value'],
  },
  {
    reason: 'an enum is text with a check',
    feature: 'introspection',
    tests: ['returns the values of an enum'],
  },
  {
    reason: 'an enum is text with a check',
    feature: 'values',
    tests: ['a value that is not in the enum'],
  },
  {
    reason: 'JSON is text before SQL Server 2025',
    feature: 'values',
    tests: [
      'a JSON object, to the letter',
      'a JSON array',
      'distinguish a JSON null from NULL',
      'of JSON can be strings, numbers and literals',
    ],
  },
  {
    reason: 'JSON is text before SQL Server 2025',
    feature: 'writes',
    tests: [
      'is stored as the exact JSON text',
      'is rejected if it does not fit, or if the row has changed',
    ],
  },
  {
    reason: 'a datetimeoffset keeps its offset',
    feature: 'values',
    tests: ['a timestamp with an offset'],
  },
  {
    reason: 'a float is always a finite number',
    feature: 'values',
    tests: ['can be NaN', 'can be infinite'],
  },
  {
    reason: 'a name that begins with # is that of a temporary table',
    feature: 'hostile names',
    tests: ['"#" is read and written as the name of a table and a column'],
  },
  {
    reason: 'no foreign key of a table cascades to the table itself',
    feature: 'writes',
    tests: ['deletes rows of which a foreign key deletes some with others'],
  },
  {
    reason: 'there is no RESTRICT: NO ACTION is the same there',
    feature: 'introspection',
    tests: ['returns foreign keys with their actions'],
  },
  {
    reason: 'foreign keys cannot be deferred to the commit',
    feature: 'introspection',
    tests: ['creates and returns a deferrable foreign key'],
  },
  {
    reason: 'foreign keys cannot be deferred to the commit',
    feature: 'writes',
    tests: ['changes nothing if the commit fails'],
  },
  {
    reason: 'the current time is reported as the function that returns it',
    feature: 'introspection',
    tests: ['returns defaults as expressions, and the empty text as one'],
  },
  {
    reason: 'T-SQL has no EXPLAIN, and no RENAME in ALTER TABLE',
    feature: 'raw SQL',
    tests: ['accepts EXPLAIN'],
  },
  {
    reason: 'T-SQL has no EXPLAIN, and no RENAME in ALTER TABLE',
    feature: 'rows',
    tests: ['of a table changed by another client are listed with its current structure'],
  },
  {
    reason: 'a batch may begin with the name of a procedure',
    feature: 'raw SQL',
    tests: ['is rejected with a description of the error: SELEC 1'],
  },
  {
    reason: 'an identity column cannot be updated',
    feature: 'error codes',
    tests: ['to a key that there is'],
  },
  {
    reason: 'an INSTEAD OF trigger that does nothing looks like a successful write',
    feature: 'writes',
    tests: ['of a change', 'of a deletion'],
  },
  {
    reason: 'an INSTEAD OF trigger that does nothing looks like a successful write',
    feature: 'loading tables',
    tests: ['that suppress rows are reported'],
  },
  {
    reason: 'a text may contain half a surrogate pair',
    feature: 'loading bad rows',
    tests: ['text that is not valid Unicode is rejected with its row'],
  },
];

export const skipsOfBabelfish: readonly Skip[] = [
  {
    reason: 'Babelfish has no error number for a missing table',
    feature: 'freshness',
    tests: [
      'of totals, entity tags and structure, with another client at work',
      'of a new table, which exists at once',
    ],
  },
  {
    reason: 'Babelfish does not support NOCHECK CONSTRAINT',
    feature: 'rows in cycles',
    tests: ['are loaded as far as their references are valid'],
  },
  {
    reason: 'Babelfish does not support NOCHECK CONSTRAINT',
    feature: 'loading foreign keys',
    tests: ['while other foreign keys of their rows match too'],
  },
  {
    reason: 'Babelfish does not support NOCHECK CONSTRAINT',
    feature: 'imports between tables with keys',
    tests: ['have the result of their dry run, whole or not at all'],
  },
  {
    reason: 'Babelfish ignores UPDLOCK',
    feature: 'concurrent writes',
    tests: ['of several writes with the same If-Match, one succeeds, on every storage engine'],
  },
  {
    reason: 'Babelfish returns names in lower case and in one code page',
    feature: 'export',
    tests: [
      'contains each table with all stored rows in the order of its key',
      'leaves out generated columns, unless one table is exported alone',
      'is SQL that runs whichever tables reference each other',
      'is SQL that writes nothing if one row fails',
      'is the same from a process of its own',
      'is a zip with one file per table',
    ],
  },
  {
    reason: 'Babelfish returns names in lower case and in one code page',
    feature: 'generated structures',
    tests: ['are the same after an export and import'],
  },
  {
    reason: 'Babelfish appends a suffix to names of indexes',
    feature: 'export of models',
    tests: ['creates the same tables, which are exported as the same file again'],
  },
  {
    reason: 'Babelfish appends a suffix to names of indexes',
    feature: 'import of models',
    tests: [
      'creates the tables and lists them in the response',
      'adds missing columns to an existing table and drops nothing',
      'reports no difference for the tables that it created',
    ],
  },
  {
    reason: 'Babelfish does not support OUTPUT with DEFAULT VALUES',
    feature: 'import of models',
    tests: ['soft deletes use the field of the model'],
  },
  {
    reason: 'Babelfish ignores IDENTITY_INSERT in statements with OUTPUT INTO',
    feature: 'loading that is killed',
    tests: ['leaves no new rows and all existing ones'],
  },
  {
    reason: 'Babelfish does not name the column, and has no error numbers for failed conversions',
    feature: 'loading bad rows',
    tests: ['values that the database rejects have row and column'],
  },
  {
    reason: 'Babelfish does not support NOCHECK CONSTRAINT',
    feature: 'loading foreign keys',
    tests: [
      'if the reference is NOT NULL',
      'and if one is missing, nothing is written',
      'if neither is nullable',
    ],
  },
  {
    reason: 'Babelfish does not support NOCHECK CONSTRAINT',
    feature: 'loading in place of rows',
    tests: [
      'works on tables that reference themselves and each other',
      ...['again', 'again_skip', 'again_lenient', 'again_both'].map(
        (table) => `their references must still match: ${table}`,
      ),
    ],
  },
  {
    reason: 'Babelfish rejects ]] in a name',
    feature: 'hostile names',
    tests: [
      '"]" is read and written as the name of a table and a column',
      '"[x]" is read and written as the name of a table and a column',
      'address their rows as key values',
    ],
  },
  {
    reason: 'Babelfish returns names in lower case and in one code page',
    feature: 'hostile names',
    tests: [
      '"\u202egnp.exe" is read and written as the name of a table and a column',
      '"😀" is read and written as the name of a table and a column',
      '"名前" is read and written as the name of a table and a column',
      '"toString" is read and written as the name of a table and a column',
      '"hasOwnProperty" is read and written as the name of a table and a column',
      `"Robert'); DROP TABLE students;--" is read and written as the name of a table and a column`,
    ],
  },
  {
    reason: 'Babelfish reads $1 as a parameter',
    feature: 'hostile names',
    tests: ['"$1" is read and written as the name of a table and a column'],
  },
  {
    reason: 'Babelfish appends a suffix to names of indexes',
    feature: 'introspection',
    tests: ['distinguishes unique keys from indexes'],
  },
  {
    reason: 'Babelfish does not support OUTPUT with DEFAULT VALUES',
    feature: 'rows',
    tests: ['are counted again after every write'],
  },
  {
    reason: 'Babelfish does not support OUTPUT with DEFAULT VALUES',
    feature: 'writes',
    tests: ['without values is a row of defaults'],
  },
  {
    reason:
      'Babelfish does not support OUTPUT with DEFAULT VALUES, and does not roll back IDENTITY_INSERT',
    feature: 'error codes',
    tests: [
      'a primary key that there is',
      'nothing for a key',
      'contain no SQL, no value of another row and no stack',
    ],
  },
  {
    reason: 'Babelfish looks up the referenced table of a foreign key under a wrong name',
    feature: 'error codes',
    tests: ['of the same mistake are the same in raw SQL'],
  },
  {
    reason: 'Babelfish ignores IDENTITY_INSERT in statements with OUTPUT INTO',
    feature: 'writes',
    tests: ['uses the given key'],
  },
  {
    reason: 'Babelfish ignores case only of ASCII letters under a binary collation',
    feature: 'search',
    tests: ['finds KÖLN', 'finds grü', 'finds αθηνα', 'finds ünï', 'applies after the filters'],
  },
  {
    reason: 'Babelfish has no error numbers for failed conversions',
    feature: 'values',
    tests: [
      'text for a uuid',
      'text for a date',
      'a 30th of February',
      'text for a timestamp',
      'more digits than the column has',
    ],
  },
];
