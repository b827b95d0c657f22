/** Tests of the kit that cannot hold, here and on what stands in: the table in docs/databases/sqlserver.md. */
import type { Skip } from '../kit/subject.ts';

export const skips: readonly Skip[] = [
  {
    reason: 'an enum is text with a check',
    feature: 'filters',
    tests: ['an enum without that value'],
  },
  {
    reason: 'an enum is text with a check',
    feature: 'introspection',
    tests: ['tells the values of an enum'],
  },
  {
    reason: 'an enum is text with a check',
    feature: 'values',
    tests: ['a value that is none of an enum'],
  },
  {
    reason: 'JSON is text before SQL Server 2025',
    feature: 'values',
    tests: [
      'a JSON object, to the letter',
      'a JSON array',
      'tell a JSON null from NULL',
      'of JSON may be texts, numbers and words',
    ],
  },
  {
    reason: 'JSON is text before SQL Server 2025',
    feature: 'writes',
    tests: [
      'is stored as JSON to the letter',
      'is refused where it does not fit, and where the row has changed',
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
    tests: ['may be no number', 'may be infinite'],
  },
  {
    reason: 'a name that begins with # is that of a temporary table',
    feature: 'hostile names',
    tests: ['"#" as table and column'],
  },
  {
    reason: 'there is no RESTRICT: NO ACTION is the same there',
    feature: 'introspection',
    tests: ['tells foreign keys with their actions'],
  },
  {
    reason: 'no foreign key waits for the commit',
    feature: 'introspection',
    tests: ['makes and tells a key that may wait for the commit'],
  },
  {
    reason: 'no foreign key waits for the commit',
    feature: 'writes',
    tests: ['change nothing when the commit fails'],
  },
  {
    reason: 'the current time is reported as the function that returns it',
    feature: 'introspection',
    tests: ['tells defaults as expressions, and none as the empty text'],
  },
  {
    reason: 'T-SQL has no EXPLAIN, and no RENAME in ALTER TABLE',
    feature: 'raw SQL',
    tests: ['answers EXPLAIN'],
  },
  {
    reason: 'T-SQL has no EXPLAIN, and no RENAME in ALTER TABLE',
    feature: 'rows',
    tests: ['of a table changed behind the studio are told as they are now'],
  },
  {
    reason: 'a batch may begin with the name of a procedure',
    feature: 'raw SQL',
    tests: ['is refused with what is wrong: SELEC 1'],
  },
  {
    reason: 'an identity is not changed',
    feature: 'error codes',
    tests: ['to a key that there is'],
  },
  {
    reason: 'an INSTEAD OF trigger that does nothing counts as the write that it replaces',
    feature: 'writes',
    tests: ['of a change', 'of a deletion'],
  },
  {
    reason: 'an INSTEAD OF trigger that does nothing counts as the write that it replaces',
    feature: 'loading tables',
    tests: ['that keep rows out are told of'],
  },
  {
    reason: 'a text may hold half a surrogate pair',
    feature: 'loading bad rows',
    tests: ['text that UTF-8 cannot say is refused in its row'],
  },
];

export const skipsOfBabelfish: readonly Skip[] = [
  {
    reason: 'Babelfish has no number for the error of a missing table',
    feature: 'freshness',
    tests: [
      'of totals, tags and structure, with another client at work',
      'of a new table: it is there at once',
    ],
  },
  {
    reason: 'Babelfish knows no `NOCHECK CONSTRAINT`',
    feature: 'rows in circles',
    tests: ['are loaded as far as their references hold'],
  },
  {
    reason: 'Babelfish knows no `NOCHECK CONSTRAINT`',
    feature: 'loading foreign keys',
    tests: ['while other keys of their rows hold too'],
  },
  {
    reason: 'Babelfish knows no `NOCHECK CONSTRAINT`',
    feature: 'imports between tables with keys',
    tests: ['end as their dry runs, whole or not at all'],
  },
  {
    reason: 'Babelfish ignores UPDLOCK',
    feature: 'concurrent writes',
    tests: ['with the same If-Match: one succeeds, on every storage engine'],
  },
  {
    reason: 'Babelfish tells names in small letters and in the characters of one code page',
    feature: 'export',
    tests: [
      'has each with all its stored rows in the order of its key',
      'leaves out what the database computes, but not from a table by itself',
      'is SQL that runs whatever points at what',
      'is SQL that leaves nothing where a row cannot be written',
      'is the same from a process of its own',
      'is a zip with a file a table',
    ],
  },
  {
    reason: 'Babelfish tells names in small letters and in the characters of one code page',
    feature: 'generated structures',
    tests: ['come back as they were made'],
  },
  {
    reason: 'Babelfish adds to the names of indexes',
    feature: 'export of models',
    tests: ['makes tables, imported again, that are exported as the same file'],
  },
  {
    reason: 'Babelfish adds to the names of indexes',
    feature: 'import of models',
    tests: [
      'makes the tables, and tells which',
      'adds what a table that is there lacks, and takes nothing away',
      'finds nothing to say of the tables that it made',
    ],
  },
  {
    reason: 'Babelfish knows no OUTPUT with DEFAULT VALUES',
    feature: 'import of models',
    tests: ['soft deletes go by the field of the model'],
  },
  {
    reason: 'Babelfish heeds IDENTITY_INSERT in no statement with OUTPUT INTO',
    feature: 'loading that is killed',
    tests: ['leaves nothing, and what was there'],
  },
  {
    reason: 'Babelfish does not tell the column, and has no numbers for the errors of conversion',
    feature: 'loading bad rows',
    tests: ['values that the database refuses name row and column'],
  },
  {
    reason: 'Babelfish knows no NOCHECK CONSTRAINT',
    feature: 'loading foreign keys',
    tests: [
      'where they must point at one',
      'and if one is missing, nothing is kept',
      'where neither may be',
    ],
  },
  {
    reason: 'Babelfish knows no NOCHECK CONSTRAINT',
    feature: 'loading in place of rows',
    tests: [
      'works on tables that point at themselves and at each other',
      ...['again', 'again_skip', 'again_lenient', 'again_both'].map(
        (table) => `these must find theirs again: ${table}`,
      ),
    ],
  },
  {
    reason: 'Babelfish takes no ]] in a name',
    feature: 'hostile names',
    tests: [
      '"]" as table and column',
      '"[x]" as table and column',
      'as key values lead to their rows in a table of a hostile key',
    ],
  },
  {
    reason: 'Babelfish tells names in small letters and in the characters of one code page',
    feature: 'hostile names',
    tests: [
      '"\u202egnp.exe" as table and column',
      '"😀" as table and column',
      '"名前" as table and column',
      '"toString" as table and column',
      '"hasOwnProperty" as table and column',
      `"Robert'); DROP TABLE students;--" as table and column`,
    ],
  },
  {
    reason: 'Babelfish takes $1 for a parameter of its own',
    feature: 'hostile names',
    tests: ['"$1" as table and column'],
  },
  {
    reason: 'Babelfish adds to the names of indexes',
    feature: 'introspection',
    tests: ['tells unique keys and indexes apart'],
  },
  {
    reason: 'Babelfish knows no OUTPUT with DEFAULT VALUES',
    feature: 'rows',
    tests: ['are counted anew after every write'],
  },
  {
    reason: 'Babelfish knows no OUTPUT with DEFAULT VALUES',
    feature: 'writes',
    tests: ['of nothing is a row of defaults'],
  },
  {
    reason:
      'Babelfish knows no OUTPUT with DEFAULT VALUES, and forgets to take IDENTITY_INSERT back',
    feature: 'error codes',
    tests: [
      'a primary key that there is',
      'nothing for a key',
      'hold no SQL, no value of another row and no stack',
    ],
  },
  {
    reason: 'Babelfish looks for the table that a foreign key points at under a wrong name',
    feature: 'error codes',
    tests: ['of the same mistake are the same in raw SQL'],
  },
  {
    reason: 'Babelfish heeds IDENTITY_INSERT in no statement with OUTPUT INTO',
    feature: 'writes',
    tests: ['takes the key that it is given'],
  },
  {
    reason: 'Babelfish folds the case of ASCII alone under a binary collation',
    feature: 'search',
    tests: ['finds KÖLN', 'finds grü', 'finds αθηνα', 'finds ünï', 'narrows what the filters left'],
  },
  {
    reason: 'Babelfish has no numbers for the errors of conversion',
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
