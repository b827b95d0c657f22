/**
 * Random statements of MariaDB and SQLite that may read, write, change settings or access files. The tests
 * measure which of them have an effect through a studio.
 */
import * as fc from 'fast-check';

/** A statement as words. `~name` may be quoted, and any white space or comment may be between two words. */
type Words = readonly string[];

export interface FilePaths {
  /** A folder that the server may write to, with a file `secret` in it. */
  readonly folder: string;
}

const words = (text: string): Words => text.split(' ');

// MariaDB

/** Expressions, most of them with side effects. The routines are those of `mariadbRoutines`. */
function mariadbExpressions({ folder }: FilePaths): readonly Words[] {
  const secret = `'${folder}/secret'`;
  return [
    ['1'],
    words('count ( * )'),
    words('upper ( ~name )'),
    words('~peeks ( )'),
    words('~writes ( )'),
    words('~sets_global ( )'),
    words('~calls_setter ( )'),
    words('~sets_session ( )'),
    words('~writes_file ( )'),
    words('~locks ( )'),
    words('~studio . ~sets_global ( )').slice(2),
    ['~load_file', '(', secret, ')'],
    ['hex', '(', 'load_file', '(', secret, ')', ')'],
    words("get_lock ( 'a' , 0 )"),
    words('@v := 5'),
    words('last_insert_id ( 7 )'),
    words('nextval ( ~numbers )'),
    words('NEXT VALUE FOR ~numbers'),
    words('@@global . ~general_log_file'),
    words('sleep ( 0 )'),
  ];
}

function mariadbQueriesWith({ folder }: FilePaths): readonly ((value: Words) => Words)[] {
  const file = `'${folder}/written'`;
  return [
    (value) => ['SELECT', ...value],
    (value) => ['SELECT', ...value, 'FROM', '~victim'],
    (value) => ['SELECT', '*', 'FROM', '~victim', 'WHERE', ...value],
    (value) => ['SELECT', '*', 'FROM', '(', 'SELECT', ...value, ')', '~d'],
    (value) => ['WITH', '~c', 'AS', '(', 'SELECT', ...value, ')', 'SELECT', '*', 'FROM', '~c'],
    (value) => ['VALUES', '(', ...value, ')'],
    (value) => ['SELECT', ...value, 'FROM', '~view_of_file'],
    (value) => ['SELECT', '*', ',', ...value, 'FROM', '~view_of_view'],
    (value) => ['SELECT', '*', ',', ...value, 'FROM', '~view_writes_file'],
    (value) => ['SELECT', '*', ',', ...value, 'FROM', '~view_sets_global'],
    (value) => ['EXPLAIN', 'SELECT', ...value],
    (value) => ['ANALYZE', 'FORMAT', '=', 'JSON', 'SELECT', ...value],
    (value) => ['SHOW', 'TABLES', 'WHERE', ...value],
    (value) => ['SELECT', ...value, 'INTO', 'OUTFILE', file],
    (value) => ['SELECT', ...value, 'INTO', 'DUMPFILE', file],
    (value) => ['SELECT', ...value, 'INTO', '@v'],
    (value) => ['DO', ...value],
    (value) => ['SET', '@v', '=', ...value],
    (value) => ['SET', 'STATEMENT', 'max_statement_time', '=', '0', 'FOR', 'SELECT', ...value],
  ];
}

function mariadbOtherStatements({ folder }: FilePaths): readonly Words[] {
  const escape = `'BEGIN NOT ATOMIC COMMIT; SET SESSION tx_read_only = 0; DELETE FROM victim; END'`;
  return [
    ['EXECUTE', 'IMMEDIATE', escape],
    ['PREPARE', 's', 'FROM', "'DELETE FROM victim'"],
    words('BEGIN NOT ATOMIC COMMIT ; DELETE FROM ~victim ; END'),
    words('COMMIT'),
    words('CALL ~escapes ( )'),
    words('DELETE FROM ~victim'),
    words('DELETE FROM ~victim RETURNING id'),
    words("INSERT INTO ~victim ( name ) VALUES ( 'x' )"),
    words('UPDATE ~victim SET id = id + 10'),
    words('EXPLAIN DELETE FROM ~victim'),
    words('ANALYZE DELETE FROM ~victim'),
    words('HANDLER ~victim OPEN'),
    words('SET GLOBAL max_statement_time = 9'),
    words('SET @@global . ~max_statement_time = 9'),
    ['SET', 'GLOBAL', '~general_log_file', '=', `'${folder}/log'`],
    [
      'SET',
      'GLOBAL',
      'max_statement_time',
      '=',
      '0',
      ',',
      'GLOBAL',
      '~slow_query_log_file',
      '=',
      `'${folder}/log'`,
    ],
    words('SET SESSION tx_read_only = 0'),
    words("SET sql_mode = 'ANSI_QUOTES'"),
    words('LOCK TABLES ~kept WRITE'),
    words('FLUSH TABLES WITH READ LOCK'),
    words('USE mysql'),
    words('CREATE TEMPORARY TABLE ~kept ( z INT )'),
    words('CREATE TABLE ~made ( z INT ) ENGINE = ~CSV'),
    [
      'CREATE',
      'TABLE',
      '~made',
      '(',
      'z',
      'INT',
      ')',
      'ENGINE',
      '=',
      '~MyISAM',
      'DATA',
      'DIRECTORY',
      '=',
      `'${folder}'`,
    ],
    [
      'CREATE',
      'EVENT',
      '~ev',
      'ON',
      'SCHEDULE',
      'AT',
      'NOW()',
      'DO',
      'SELECT',
      '1',
      'INTO',
      'OUTFILE',
      `'${folder}/event'`,
    ],
    [
      'CREATE',
      'PROCEDURE',
      '~pr',
      '(',
      ')',
      'SET',
      'GLOBAL',
      '~general_log_file',
      '=',
      `'${folder}/log'`,
    ],
    ['LOAD', 'DATA', 'INFILE', `'${folder}/secret'`, 'INTO', 'TABLE', '~victim'],
    words("INSERT INTO ~mysql . ~func VALUES ( 'x' , 0 , 'x.so' , 'function' )"),
    words("UPDATE ~victim , ~mysql . ~plugin SET dl = 'x'"),
    words('DROP TABLE IF EXISTS ~made'),
    words('SHOW WARNINGS'),
    words('SHOW CREATE TABLE ~victim'),
  ];
}

const versions = ['', '40000', '50000', '50701', '80000', '99999', '100000', '101100', '110000'];

/** Separators between two words or around several of them. */
const mariadbSeparator = fc.oneof(
  { weight: 6, arbitrary: fc.constant(' ') },
  fc.constantFrom(
    '\n',
    '/**/',
    '/* ; */',
    '-- x\n',
    '# x\n',
    '/*!99999 x*/',
    '/*!99999 SELECT*/',
    '/*M!50000*/',
    '/* /*! x */',
  ),
);

const versionedComment = fc.record({
  at: fc.nat({ max: 20 }),
  length: fc.integer({ min: 1, max: 4 }),
  opening: fc
    .tuple(fc.constantFrom('/*!', '/*!', '/*M!'), fc.constantFrom(...versions))
    .map((parts) => parts.join('')),
});

/**
 * Texts of a statement in various notations: of each word, of the separators, with some sequences of words
 * in versioned comments, and after the beginning of another statement (`decoy`).
 */
function inAnyNotation(statement: fc.Arbitrary<Words>, quote: '`' | '"'): fc.Arbitrary<string> {
  const notationArbitrary = fc.record({
    blanks: fc.array(mariadbSeparator, { minLength: 60, maxLength: 60 }),
    notations: fc.array(fc.nat({ max: 3 }), { minLength: 60, maxLength: 60 }),
    comments: quote === '`' ? fc.array(versionedComment, { maxLength: 3 }) : fc.constant([]),
    decoy: fc.constantFrom(
      '',
      '',
      '',
      '/*!99999 SELECT */ ',
      '/*!99999 SELECT 1 + */ ',
      'EXPLAIN ',
      '(',
    ),
  });
  return fc
    .tuple(statement, notationArbitrary)
    .map(([parts, { blanks, notations, comments, decoy }]) => {
      const formattedWords = parts.map((word, i) =>
        formatWord(word, { notation: notations[i] ?? 0, quote }),
      );
      for (const { at, length, opening } of comments) {
        const from = at % formattedWords.length;
        const to = Math.min(from + length, formattedWords.length) - 1;
        formattedWords[from] = `${opening} ${formattedWords[from] ?? ''}`;
        formattedWords[to] = `${formattedWords[to] ?? ''} */`;
      }
      const text = formattedWords.map((word, i) => word + (blanks[i] ?? ' ')).join('');
      return quote === '`' ? `${decoy}${text}` : text;
    });
}

function formatWord(
  word: string,
  { notation, quote }: { readonly notation: number; readonly quote: string },
): string {
  const isName = word.startsWith('~');
  const name = isName ? word.slice(1) : word;
  if (isName && notation > 1) return `${quote}${name}${quote}`;
  return /^[A-Za-z]+$/.test(name) && !isName && notation === 1 ? name.toLowerCase() : name;
}

export function mariadbStatements(paths: FilePaths): fc.Arbitrary<string> {
  const read = fc
    .tuple(
      fc.constantFrom(...mariadbQueriesWith(paths)),
      fc.constantFrom(...mariadbExpressions(paths)),
    )
    .map(([build, value]) => build(value));
  return inAnyNotation(fc.oneof(read, fc.constantFrom(...mariadbOtherStatements(paths))), '`');
}

/** Routines whose names do not reveal their effects. */
export const mariadbRoutines = (folder: string): readonly string[] => [
  'CREATE FUNCTION peeks() RETURNS INT READS SQL DATA RETURN (SELECT count(*) FROM victim)',
  'CREATE FUNCTION writes() RETURNS INT BEGIN DELETE FROM victim; RETURN 1; END',
  'CREATE FUNCTION sets_global() RETURNS INT NO SQL BEGIN SET GLOBAL max_statement_time = 8; RETURN 1; END',
  'CREATE FUNCTION calls_setter() RETURNS INT RETURN sets_global()',
  'CREATE FUNCTION sets_session() RETURNS INT BEGIN SET SESSION tx_read_only = 0, @v = 6; RETURN 1; END',
  `CREATE FUNCTION writes_file() RETURNS INT BEGIN SELECT 1 INTO OUTFILE '${folder}/function'; RETURN 1; END`,
  "CREATE FUNCTION locks() RETURNS INT RETURN get_lock('a', 0)",
  `CREATE VIEW view_of_file AS SELECT load_file('${folder}/secret') AS content`,
  'CREATE VIEW view_of_view AS SELECT * FROM view_of_file',
  'CREATE VIEW view_writes_file AS SELECT writes_file() AS done',
  'CREATE VIEW view_sets_global AS SELECT sets_global() AS done',
  'CREATE PROCEDURE escapes() BEGIN COMMIT; SET SESSION tx_read_only = 0; DELETE FROM victim; END',
];

// SQLite

const sqliteExpression = fc.constantFrom<Words>(
  ['1'],
  words('count ( * )'),
  words("~load_extension ( 'x' )"),
  words("~readfile ( 'secret' )"),
  words("~writefile ( 'written' , 'x' )"),
  words("~edit ( 'x' )"),
  words("~fts3_tokenizer ( 'x' )"),
  words('last_insert_rowid ( )'),
);

function sqliteQueriesWith(value: Words): readonly Words[] {
  return [
    ['SELECT', ...value],
    ['SELECT', ...value, 'FROM', '~victim'],
    ['WITH', '~c', 'AS', '(', 'SELECT', ...value, ')', 'SELECT', '*', 'FROM', '~c'],
    ['EXPLAIN', 'SELECT', ...value],
    ['EXPLAIN', 'QUERY', 'PLAN', 'DELETE', 'FROM', '~victim'],
    ['VALUES', '(', ...value, ')'],
  ];
}

const pragmaNames = words(
  'user_version application_id journal_mode query_only foreign_keys writable_schema schema_version locking_mode cache_size temp_store auto_vacuum optimize wal_checkpoint incremental_vacuum table_info integrity_check secure_delete synchronous busy_timeout recursive_triggers',
);

const sqlitePragma = fc
  .tuple(
    fc.constantFrom(...pragmaNames),
    fc.constantFrom('1', '0', 'wal', "'wal'", 'EXCLUSIVE', 'victim'),
    fc.nat({ max: 5 }),
  )
  .map(([name, value, form]): Words => {
    const pragmaName = [['~main', '.', `~${name}`], [`~${name}`]][form % 2] ?? [];
    if (form < 2) return ['PRAGMA', ...pragmaName, '=', value];
    if (form < 4) return ['PRAGMA', ...pragmaName, '(', value, ')'];
    return form === 4
      ? ['SELECT', '*', 'FROM', `~pragma_${name}`, '(', value.replace(/^(\w+)$/, "'$1'"), ')']
      : ['PRAGMA', ...pragmaName];
  });

function sqliteOtherStatements({ folder }: FilePaths): readonly Words[] {
  return [
    ['ATTACH', `'${folder}/attached'`, 'AS', '~o'],
    ['VACUUM', 'INTO', `'${folder}/copied'`],
    words('VACUUM'),
    words('REINDEX'),
    words('ANALYZE'),
    words('BEGIN'),
    words('DELETE FROM ~victim'),
    words('DELETE FROM ~victim RETURNING id'),
    words("INSERT INTO ~victim ( name ) VALUES ( 'x' )"),
    words("INSERT INTO ~texts ( ~texts ) VALUES ( 'rebuild' )"),
    words('INSERT INTO ~texts_data ( id ) VALUES ( 99 )'),
    words("UPDATE ~sqlite_schema SET sql = 'x'"),
    words('CREATE TEMP TABLE ~kept ( z )'),
    words('CREATE TABLE IF NOT EXISTS ~made ( z )'),
    words('DROP TABLE IF EXISTS ~made'),
    words('WITH ~c AS ( SELECT 1 ) DELETE FROM ~victim'),
  ];
}

export function sqliteStatements(paths: FilePaths): fc.Arbitrary<string> {
  const read = sqliteExpression.chain((value) => fc.constantFrom(...sqliteQueriesWith(value)));
  const statement = fc.oneof(read, sqlitePragma, fc.constantFrom(...sqliteOtherStatements(paths)));
  return inAnyNotation(statement, '"').map((text) => text.replaceAll(/# x\n/g, ' '));
}
