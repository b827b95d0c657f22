/**
 * Random statements of PostgreSQL, in any notation that the grammar accepts: those of `plainQuery` only
 * read, the others have further effects.
 */
import * as fc from 'fast-check';

/** A function and possible texts of its arguments. */
export interface Callable {
  readonly name: string;
  readonly schema?: string;
  readonly args: readonly string[];
}

const separators = [
  ' ',
  '\n',
  '\t',
  '\r\n',
  '\f',
  '  ',
  ' /* a */ ',
  '/* ; /* b */ SELECT */',
  ' -- c\n',
];
const separator = fc.constantFrom(...separators);

/** The parts in order, with random white space and comments between them. */
function joinWithSeparators(...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.tuple(...parts),
      fc.array(separator, { minLength: parts.length, maxLength: parts.length }),
    )
    .map(([texts, gaps]) => texts.map((text, i) => (i === 0 ? text : gaps[i] + text)).join(''));
}

function wordInAnyCase(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    text.toUpperCase(),
    text.toLowerCase(),
    text[0]?.toUpperCase() + text.slice(1),
  );
}

function wordsInAnyCase(text: string): fc.Arbitrary<string> {
  return joinWithSeparators(
    ...text
      .split(' ')
      .map((each) => (/^\w+$/.test(each) ? wordInAnyCase(each) : fc.constant(each))),
  );
}

/** The name as in `U&"d!0061t!+000061" UESCAPE '!'`: any letter may be escaped. */
function nameWithEscapes(name: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom('\\', '!', '$', '?'),
      fc.array(fc.nat(2), { minLength: name.length, maxLength: name.length }),
    )
    .map(([escapeCharacter, escapeForms]) => {
      const letters = [...name].map((letter, i) => {
        const code = letter.codePointAt(0) ?? 0;
        if (escapeForms[i] === 0) return letter;
        const digits = code.toString(16);
        return escapeForms[i] === 1
          ? escapeCharacter + digits.padStart(4, '0')
          : `${escapeCharacter}+${digits.padStart(6, '0')}`;
      });
      const suffix = escapeCharacter === '\\' ? '' : ` UESCAPE '${escapeCharacter}'`;
      return `U&"${letters.join('')}"${suffix}`;
    });
}

function anyNotationOfName(name: string): fc.Arbitrary<string> {
  return fc.oneof(wordInAnyCase(name), fc.constant(`"${name}"`), nameWithEscapes(name));
}

/** The same text as a plain, an escaped and a dollar-quoted string. */
function anyNotationOfText(text: string): fc.Arbitrary<string> {
  const quoted = text.replaceAll("'", "''");
  const escapes = [...text].map(
    (letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return fc.constantFrom(
    `'${quoted}'`,
    `E'${escapes.join('')}'`,
    `e'${quoted.replaceAll('\\', '\\\\')}'`,
    `$$${text}$$`,
    `$q1$${text}$q1$`,
    `U&'${escapes.map((escape) => escape.replace('\\u', '\\')).join('')}'`,
  );
}

function qualifiedName({ name, schema }: Callable): fc.Arbitrary<string> {
  const bare = anyNotationOfName(name);
  if (schema === undefined) return bare;
  return fc.oneof(bare, joinWithSeparators(anyNotationOfName(schema), fc.constant('.'), bare));
}

/** An argument that is not a quoted text is an expression, used unchanged. */
function anyNotationOfArgument(text: string): fc.Arbitrary<string> {
  const inner = /^'([^']*)'$/s.exec(text)?.[1];
  return inner === undefined ? fc.constant(text) : anyNotationOfText(inner);
}

/** Notations of a call: with parentheses, or as an attribute of its argument. */
function anyNotationOfCall(callable: Callable): fc.Arbitrary<string> {
  const name = qualifiedName(callable);
  const args = callable.args.map(anyNotationOfArgument);
  const list = args.flatMap((arg, i) => (i === 0 ? [arg] : [fc.constant(','), arg]));
  const plainCall = joinWithSeparators(name, fc.constant('('), ...list, fc.constant(')'));
  const [only] = args;
  if (args.length !== 1 || only === undefined) return plainCall;
  const type = callable.args[0]?.startsWith("'") === true ? '::text' : '';
  const attribute = joinWithSeparators(
    fc.constant('('),
    only,
    fc.constant(`${type}) .`),
    anyNotationOfName(callable.name),
  );
  return fc.oneof({ weight: 2, arbitrary: plainCall }, { weight: 1, arbitrary: attribute });
}

const plainExpressions = [
  '1',
  "'a'",
  '$$ DELETE FROM users $$',
  'NULL',
  'lower(name)',
  'users.name',
  'users.*',
  '(users).name',
  "name || 'x'",
  'now()',
  'random()',
  'count(*) OVER ()',
  "'1'::int + 1",
  'CAST(id AS text)',
  'array_agg(id) OVER ()',
  'CASE WHEN id > 1 THEN name END',
  'gen_random_uuid()',
  'plain(id)',
  "'delete'",
  'row_to_json(users)',
];

/** Expressions that contain another one in place of `%`. */
const outerExpressions = [
  '%',
  'coalesce((%)::text, name)',
  '(SELECT %)',
  'ARRAY[(%)::text]',
  'CASE WHEN id > 0 THEN (%)::text END',
  '(SELECT max((%)::text) FROM users)',
  'EXISTS (SELECT % WHERE true)',
  'row((%), 1)',
];

/** Queries that contain an expression in place of `%`. */
const queries = [
  'SELECT % FROM users',
  'SELECT id FROM users WHERE (%)::text IS NOT NULL',
  'SELECT id FROM users ORDER BY (%)::text',
  'SELECT id FROM users GROUP BY id HAVING max((%)::text) IS NULL',
  'WITH x AS (SELECT % AS y FROM users) SELECT * FROM x',
  'WITH RECURSIVE x AS MATERIALIZED (SELECT % AS y FROM users) TABLE x',
  'SELECT * FROM users, LATERAL (SELECT %) AS s',
  'SELECT y FROM users LEFT JOIN LATERAL (VALUES (%)) AS v (y) ON true',
  'SELECT 1 FROM users UNION ALL SELECT 2 FROM users WHERE (%)::text IS NULL',
  '(SELECT % FROM users)',
  'SELECT id FROM users WINDOW w AS (PARTITION BY (%)::text)',
  'SELECT id FROM users LIMIT (SELECT count((%)::text) FROM users)',
  'DECLARE c CURSOR FOR SELECT % FROM users',
  'COPY (SELECT % FROM users) TO STDOUT',
];

/** Statements that contain a query in place of `%`. Repeated entries are chosen more often. */
const statementFrames = [
  '%',
  '%',
  '%',
  'EXPLAIN %',
  'EXPLAIN ANALYZE %',
  'EXPLAIN (ANALYZE, VERBOSE) %',
  '%;',
];

function fillTemplate(template: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(value, separator, separator)
    .map(([text, before, after]) => template.replace('%', () => `${before}${text}${after}`));
}

function queryWith(expression: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...outerExpressions),
      fc.constantFrom(...queries),
      fc.constantFrom(...statementFrames),
    )
    .chain(([position, query, frame]) => {
      const inner = query.startsWith('COPY') || query.startsWith('(') ? '%' : frame;
      return fillTemplate(inner, fillTemplate(query, fillTemplate(position, expression)));
    });
}

/** Statements that only read. */
export const plainQuery: fc.Arbitrary<string> = queryWith(fc.constantFrom(...plainExpressions));

/** Statements that look like reads and contain a call with other effects. */
export function queryCalling(callables: readonly Callable[]): fc.Arbitrary<string> {
  return queryWith(fc.constantFrom(...callables).chain(anyNotationOfCall));
}

/** Explicit writes, within a query or as the statement itself. */
export function writingStatement(statements: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...statements).chain(wordsInAnyCase),
      fc.constantFrom(
        '%',
        '%',
        'EXPLAIN ANALYZE %',
        'WITH x AS (% RETURNING *) TABLE x',
        'SELECT 1; %',
        '/* % */ %',
      ),
    )
    .map(([text, frame]) => frame.replaceAll('%', () => text));
}

/** Definitions whose call runs when the created object is used. `#` is the name of the object. */
const definitions = [
  'CREATE VIEW # AS SELECT (%)::text AS x',
  'CREATE MATERIALIZED VIEW # AS SELECT (%)::text AS x',
  'CREATE TABLE # (id int PRIMARY KEY, x text DEFAULT (%)::text)',
  'CREATE TABLE # (id int PRIMARY KEY, x text CHECK ((%)::text IS NULL))',
  'CREATE TABLE # AS SELECT (%)::text AS x',
  'CREATE FUNCTION #() RETURNS text LANGUAGE sql AS $f$ SELECT (%)::text $f$',
  "CREATE FUNCTION #() RETURNS text LANGUAGE 'plpgsql' AS $f$ BEGIN RETURN (%)::text; END $f$",
  'CREATE FUNCTION #() RETURNS text IMMUTABLE BEGIN ATOMIC SELECT (%)::text; END',
  'CREATE FUNCTION #(a text DEFAULT (%)::text) RETURNS text LANGUAGE sql AS $f$ SELECT a $f$',
  'CREATE FUNCTION #() RETURNS text LANGUAGE plpgsql AS $f$ DECLARE r text; BEGIN EXECUTE $e$SELECT (%)::text$e$ INTO r; RETURN r; END $f$',
  'CREATE FUNCTION #() RETURNS text LANGUAGE plpgsql AS $f$ BEGIN PERFORM %; RETURN 1; END $f$',
  'CREATE RULE # AS ON INSERT TO users DO ALSO SELECT %',
  'CREATE POLICY # ON users USING ((%)::text IS NULL)',
  'CREATE INDEX # ON users (((%)::text))',
  'ALTER TABLE users ADD # text DEFAULT (%)::text',
  'CREATE DOMAIN # AS text CHECK ((%)::text IS NULL)',
  'CREATE SCHEMA # CREATE VIEW v AS SELECT (%)::text AS x',
];

export interface Definition {
  readonly sql: string;
  readonly name: string;
}

let createdObjects = 0;

export function definitionCalling(callables: readonly Callable[]): fc.Arbitrary<Definition> {
  return fc
    .tuple(fc.constantFrom(...definitions), fc.constantFrom(...callables).chain(anyNotationOfCall))
    .map(([template, expression]) => {
      createdObjects += 1;
      const name = `made${createdObjects}`;
      return { name, sql: template.replaceAll('#', name).replace('%', () => ` ${expression} `) };
    });
}

/** Statements that give an existing function another name, or an object that calls it. */
export function definitionOf(functionName: string): fc.Arbitrary<Definition> {
  return fc
    .tuple(
      fc.constantFrom(
        'CREATE OPERATOR !!! (RIGHTARG = text, PROCEDURE = %)',
        'CREATE OPERATOR !!! (RIGHTARG = text, FUNCTION = pg_catalog.%)',
        'CREATE AGGREGATE #(text) (SFUNC = %, STYPE = text)',
        'CREATE CAST (text AS inet) WITH FUNCTION %(text)',
        'ALTER FUNCTION %(text) IMMUTABLE',
        'ALTER FUNCTION %(text) RENAME TO plain',
        'ALTER FUNCTION %(text) SET SCHEMA public',
      ),
      anyNotationOfName(functionName),
    )
    .map(([template, name]) => {
      createdObjects += 1;
      return {
        name: `made${createdObjects}`,
        sql: template.replace('#', `made${createdObjects}`).replace('%', () => name),
      };
    });
}
