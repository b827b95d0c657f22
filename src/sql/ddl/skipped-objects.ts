import { longestKey } from '../../portable/lexer/code.ts';
import type { CodeToken } from '../../portable/lexer/code.ts';

/** Objects that an import does not create, by keyword, as warnings name them. */
const skippedKinds: Readonly<Record<string, string>> = {
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
  COLLATION: 'the collation',
  CONVERSION: 'the conversion',
  'ACCESS METHOD': 'the access method',
  'TEXT SEARCH CONFIGURATION': 'the text search configuration',
  'TEXT SEARCH DICTIONARY': 'the text search dictionary',
  'TEXT SEARCH PARSER': 'the text search parser',
  'TEXT SEARCH TEMPLATE': 'the text search template',
  'FOREIGN DATA WRAPPER': 'the foreign-data wrapper',
  'USER MAPPING FOR': 'the user mapping of',
  LANGUAGE: 'the language',
  EXTENSION: 'the extension',
  ROLE: 'the role',
  USER: 'the user',
  LOGIN: 'the login',
  DATABASE: 'the database',
  'DATABASE SCOPED CREDENTIAL': 'the credential',
  SERVER: 'the server',
  'SERVER ROLE': 'the server role',
  PUBLICATION: 'the publication',
  SUBSCRIPTION: 'the subscription',
  STATISTICS: 'the statistics',
  SYNONYM: 'the synonym',
  TABLESPACE: 'the tablespace',
  SEQUENCE: 'the sequence',
  TYPE: 'the type',
  'TRANSFORM FOR': 'the transform of',
  'FULLTEXT CATALOG': 'the full-text catalog',
  'FULLTEXT INDEX ON': 'the full-text index of',
  'FULLTEXT STOPLIST': 'the full-text stoplist',
  'PARTITION FUNCTION': 'the partition function',
  'PARTITION SCHEME': 'the partition scheme',
  'EVENT NOTIFICATION': 'the event notification',
  'EVENT SESSION': 'the event session',
  'EVENT TRIGGER': 'the event trigger',
  'OPERATOR CLASS': 'the operator class',
  'OPERATOR FAMILY': 'the operator family',
  'EXTERNAL TABLE': 'the external table',
  'EXTERNAL DATA SOURCE': 'the external data source',
  'EXTERNAL FILE FORMAT': 'the external file format',
  'EXTERNAL LIBRARY': 'the external library',
  'EXTERNAL LANGUAGE': 'the external language',
  'XML SCHEMA COLLECTION': 'the XML schema collection',
  'XML INDEX': 'the XML index',
  'SPATIAL INDEX': 'the spatial index',
  'JSON INDEX': 'the JSON index',
  'VECTOR INDEX': 'the vector index',
  ASSEMBLY: 'the assembly',
  PACKAGE: 'the package',
};

/** Verbs that are followed by the kind of an object. */
export const objectVerbs: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP']);

/** Other kinds of objects that may follow these verbs. */
const otherKinds: ReadonlySet<string> = new Set(
  (
    'TABLE VIEW INDEX SCHEMA TYPE DOMAIN COLLATION CONVERSION TRANSFORM GROUP SYSTEM DEFAULT TEXT ' +
    'FOREIGN MATERIALIZED ACCESS LARGE OWNED INSTANCE LOGFILE RESOURCE SPATIAL UNDO VIRTUAL ' +
    'ASYMMETRIC SYMMETRIC CERTIFICATE CREDENTIAL ENDPOINT MASTER QUEUE SERVICE CONTRACT MESSAGE ' +
    'ROUTE XML SECURITY AVAILABILITY CRYPTOGRAPHIC COLUMN SEARCH EXTERNAL WORKLOAD AUTHORIZATION ' +
    'REMOTE BROKER SIGNATURE PARTITION JSON VECTOR SENSITIVITY APPLICATION PREPARE CONSTRAINT FULLTEXT SELECTIVE'
  ).split(' '),
);

/** Words that may stand between the verb and the kind: OR REPLACE, TEMPORARY, DEFINER and others. */
const modifiers: ReadonlySet<string> = new Set(
  (
    'OR REPLACE ALTER TEMP TEMPORARY UNLOGGED GLOBAL LOCAL UNIQUE CLUSTERED NONCLUSTERED PRIMARY ' +
    'COLUMNSTORE ONLINE OFFLINE IGNORE DEFINER CURRENT_USER CURRENT_ROLE ALGORITHM SQL SECURITY ' +
    'INVOKER UNDEFINED MERGE TEMPTABLE RECURSIVE TRUSTED PROCEDURAL CONSTRAINT EVENT AGGREGATE'
  ).split(' '),
);

/** Whether a CREATE, ALTER or DROP names a known kind of object; otherwise it is probably a typo. */
export function namesKnownObjectKind({ code }: { readonly code: readonly CodeToken[] }): boolean {
  for (const { kind, word } of code.slice(1, maxKindIndex)) {
    if (kind === 'word' && (Object.hasOwn(skippedKinds, word) || otherKinds.has(word))) return true;
    const isOfDefiner = kind !== 'word' || code.some((token) => token.word === 'DEFINER');
    if (!isOfDefiner && !modifiers.has(word)) return false;
  }
  return false;
}

/** The kind follows modifiers such as OR REPLACE and DEFINER, so it is searched in this many tokens. */
const maxKindIndex = 16;

/** Describes the object that a statement creates and the import omits; undefined for other statements. */
export function describeSkippedObject(statement: {
  readonly text: string;
  readonly code: readonly CodeToken[];
}): string | undefined {
  const { text, code } = statement;
  const verb = code[0]?.word;
  if (verb === 'GRANT' || verb === 'REVOKE' || verb === 'DENY') return privilege(text, code);
  return verb === 'CREATE' ? skippedObject(text, code, maxKindIndex) : undefined;
}

/** Describes the object that a statement changes, if an import omits objects of its kind. */
export function describeSkippedChange({
  text,
  code,
}: Parameters<typeof describeSkippedObject>[0]): string | undefined {
  return code[0]?.word === 'ALTER' ? skippedObject(text, code, 2) : undefined;
}

/** The kind is before the token at `end`. */
function skippedObject(text: string, code: readonly CodeToken[], end: number): string | undefined {
  for (let at = 1; at < Math.min(end, code.length); at += 1) {
    const key = longestKey(skippedKinds, code, at);
    const kind = skippedKinds[key ?? ''];
    if (key !== undefined && kind !== undefined)
      return `${kind} ${nameAt(text, code, at + key.split(' ').length)}`;
  }
  return undefined;
}

function nameAt(text: string, code: readonly CodeToken[], from: number): string {
  let first = from;
  while (['IF', 'NOT', 'EXISTS'].includes(code[first]?.word ?? '')) first += 1;
  let last = first;
  if (code[first]?.word === '(') last = code.findIndex(({ word }, i) => i > first && word === ')');
  while (code[last + 1]?.word === '.') last += 2;
  // The name of an operator consists of several tokens.
  while (isOperatorPart(code[last], text) && isOperatorPart(code[last + 1], text)) last += 1;
  return text.slice(code[first]?.start ?? text.length, code[last]?.end ?? text.length);
}

function isOperatorPart(token: CodeToken | undefined, text: string): boolean {
  return token !== undefined && /^[-+*/<>=~!@#%^&|`?]+$/.test(text.slice(token.start, token.end));
}

/** `GRANT SELECT ON film TO reader` */
function privilege(text: string, code: readonly CodeToken[]): string {
  const until = code.findIndex(({ word }) => word === 'TO' || word === 'FROM');
  const end = code[until === -1 ? code.length - 1 : until + 1]?.end ?? text.length;
  return `the privilege ${text.slice(0, end).replaceAll(/\s+/g, ' ')}`;
}
