import type { CodeToken } from '../code.ts';

/** What schemas of others hold and an import does not make, by the word that makes it. */
const kinds: Readonly<Record<string, string>> = {
  TRIGGER: 'the trigger',
  FUNCTION: 'the function',
  PROCEDURE: 'the procedure',
  PROC: 'the procedure',
  EVENT: 'the event',
  RULE: 'the rule',
  POLICY: 'the policy',
  AGGREGATE: 'the aggregate',
  OPERATOR: 'the operator',
  CAST: 'the cast',
  LANGUAGE: 'the language',
  EXTENSION: 'the extension',
  ROLE: 'the role',
  USER: 'the user',
  LOGIN: 'the login',
  DATABASE: 'the database',
  SERVER: 'the server',
  PUBLICATION: 'the publication',
  SUBSCRIPTION: 'the subscription',
  STATISTICS: 'the statistics',
  SYNONYM: 'the synonym',
  TABLESPACE: 'the tablespace',
  SEQUENCE: 'the sequence',
  FULLTEXT: 'the full-text catalogue',
  PARTITION: 'the partitioning',
  ASSEMBLY: 'the assembly',
  PACKAGE: 'the package',
};

/** Verbs behind which the kind of an object stands. */
export const objectVerbs: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP']);

/** Other kinds of objects that databases have. */
const otherKinds: ReadonlySet<string> = new Set(
  (
    'TABLE VIEW INDEX SCHEMA TYPE DOMAIN COLLATION CONVERSION TRANSFORM GROUP SYSTEM DEFAULT TEXT ' +
    'FOREIGN MATERIALIZED ACCESS LARGE OWNED INSTANCE LOGFILE RESOURCE SPATIAL UNDO VIRTUAL ' +
    'ASYMMETRIC SYMMETRIC CERTIFICATE CREDENTIAL ENDPOINT MASTER QUEUE SERVICE CONTRACT MESSAGE ' +
    'ROUTE XML SECURITY AVAILABILITY CRYPTOGRAPHIC COLUMN SEARCH EXTERNAL WORKLOAD AUTHORIZATION ' +
    'REMOTE BROKER SIGNATURE SENSITIVITY APPLICATION PREPARE CONSTRAINT FULLTEXT SELECTIVE'
  ).split(' '),
);

/** Words between the verb and the kind: OR REPLACE, TEMPORARY, DEFINER = … and the like. */
const modifiers: ReadonlySet<string> = new Set(
  (
    'OR REPLACE ALTER TEMP TEMPORARY UNLOGGED GLOBAL LOCAL UNIQUE CLUSTERED NONCLUSTERED PRIMARY ' +
    'COLUMNSTORE ONLINE OFFLINE IGNORE DEFINER CURRENT_USER CURRENT_ROLE ALGORITHM SQL SECURITY ' +
    'INVOKER UNDEFINED MERGE TEMPTABLE RECURSIVE TRUSTED PROCEDURAL CONSTRAINT EVENT AGGREGATE'
  ).split(' '),
);

/** Whether a CREATE, ALTER or DROP names a kind of object: else it may be a slip of the pen. */
export function makesKnownObject({ code }: { readonly code: readonly CodeToken[] }): boolean {
  for (const { kind, word } of code.slice(1, furthest)) {
    if (kind === 'word' && (Object.hasOwn(kinds, word) || otherKinds.has(word))) return true;
    const isOfDefiner = kind !== 'word' || code.some((token) => token.word === 'DEFINER');
    if (!isOfDefiner && !modifiers.has(word)) return false;
  }
  return false;
}

/** DEFINER, OR REPLACE and the like stand before the word. */
const furthest = 16;

/** What a CREATE makes and the import leaves out, with its name; undefined for anything else. */
export function leftOut(statement: {
  readonly text: string;
  readonly code: readonly CodeToken[];
}): string | undefined {
  const { text, code } = statement;
  const verb = code[0]?.word;
  if (verb === 'GRANT' || verb === 'REVOKE' || verb === 'DENY') return privilege(text, code);
  if (verb !== 'CREATE') return undefined;
  const at = code.findIndex(
    ({ kind, word }, i) => i > 0 && i < furthest && kind === 'word' && Object.hasOwn(kinds, word),
  );
  const kind = kinds[code[at]?.word ?? ''];
  return kind === undefined ? undefined : `${kind} ${nameBehind(text, code, at + 1)}`;
}

function nameBehind(text: string, code: readonly CodeToken[], from: number): string {
  let first = from;
  while (['IF', 'NOT', 'EXISTS'].includes(code[first]?.word ?? '')) first += 1;
  let last = first;
  while (code[last + 1]?.word === '.') last += 2;
  return text.slice(code[first]?.start ?? text.length, code[last]?.end ?? text.length);
}

/** `GRANT SELECT ON film TO reader` */
function privilege(text: string, code: readonly CodeToken[]): string {
  const until = code.findIndex(({ word }) => word === 'TO' || word === 'FROM');
  const end = code[until === -1 ? code.length - 1 : until + 1]?.end ?? text.length;
  return `the privilege ${text.slice(0, end).replaceAll(/\s+/g, ' ')}`;
}
