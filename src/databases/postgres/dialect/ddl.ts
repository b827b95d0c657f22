import { mayBeCatalogRelation, mayBeCatalogType, defaultNamespace } from './catalog-names.ts';
import { isStorageExtension } from './distributed-table.ts';
import { StudioError } from '../../../model/errors.ts';
import { codeOf } from '../../../portable/lexer/code.ts';
import { postgresLexicalRules } from '../language/lexical-rules.ts';
import { enumName, nativeType } from './native-types.ts';
import { postgresQuoteName as quoteName, postgresQuoteText as quoteText } from './quote.ts';
import {
  createSequences,
  optionsOf,
  ownSequences,
  schemasOfSequences,
  sequenceOf,
} from './sequences.ts';
import { ownedSequence, requireUpdatePrivilege, unusedDollarTag } from './sequence-state.ts';
import type {
  DdlDialect,
  IdentityClause,
  IdentityTable,
  TableNames,
  ViewSyntax,
} from '../../../model/ddl-dialect.ts';
import type {
  Column,
  ColumnKind,
  ColumnType,
  EnumType,
  Generated,
  Index,
  Schema,
  Table,
} from '../../../model/schema.ts';

/** Renders DDL for PostgreSQL. */
export const postgresDdl: DdlDialect = {
  productNames: ['PostgreSQL', 'postgres'],
  nameLimit: { length: 63, unit: 'bytes' },
  terminator: ';\n',
  quoteName,
  quoteText,
  tableName,
  mayBeCatalogName: (name) => mayBeCatalogRelation(name) || mayBeCatalogType(name),
  // `public` exists, and even IF NOT EXISTS needs the privilege to create schemas.
  createNamespace,
  extensionCreatedBy,
  createEnum,
  statementsBeforeTables: prepare,
  statementsAfterTables: (schema) => ownSequences(schema, tableName),
  refreshView: (view) =>
    view.kind === 'materialized_view' ? `REFRESH MATERIALIZED VIEW ${tableName(view)}` : undefined,
  columnType,
  nativeType,
  nativeDefault: (expression) => expression,
  onUpdate: () => undefined,
  invisibleColumn: '',
  unversionedColumn: '',
  notEnforced: undefined,
  nullable: '',
  allowsGeneratedNotNull: () => true,
  typeCheck: (name, type) =>
    type.kind === 'enum' && type.name === undefined
      ? `${name} IN (${texts(type.values)})`
      : undefined,
  generatedColumn,
  identityClause: identity,
  neutralDefault: (expression) => expression,
  canAddForeignKeys: true,
  supportsDeferrableKeys: true,
  defaultForeignKeyAction: 'no action',
  foreignKeyAction: (action) => action,
  allowsMultipleCascadePaths: true,
  canReference: (from, to) =>
    isNumber(from) && isNumber(to) ? numberRank(from) <= numberRank(to) : from.kind === to.kind,
  // The limit is a third of a page in bytes. It applies to values, not to declared types.
  maxKeyTextLength: () => undefined,
  maxRowTextLength: undefined,
  isIndexable: (type) => type.kind !== 'json' || type.binary === true,
  columnComment: () => '',
  allowsNoColumns: true,
  maxColumns: 1600,
  supportsComments: true,
  columnSupport: {
    unsigned: () => false,
    setTypes: false,
    secondDigits: 6,
    offsets: false,
    lastZonedYear: undefined,
    decimals: { precision: 1000, scale: 1000 },
    virtual: false,
    expressionsOnIdentity: true,
    expressionsOnChangedKeys: true,
  },
  indexSupport: {
    partial: true,
    expressions: true,
    included: true,
    nullsNotDistinct: true,
    prefixes: false,
    nullsAreEqual: false,
    inline: false,
    keywords: ({ method }: Index) => ({
      before: '',
      using: method === undefined ? '' : ` USING ${method}`,
    }),
  },
  neutralSession: { begin: [], end: [] },
  createView,
  createVirtual: () => undefined,
  columnChecks: false,
  tableModifier: ({ persistence }) => (persistence === 'unlogged' ? 'UNLOGGED' : ''),
  renderedOptions: ['persistence', 'constraints'],
  tableConstraints,
  tableOptions: () => '',
  ddlUndo: undefined,
  comments,
};

/** Renders only known values, because options in an imported file are untrusted. */
function createView({ kind, options = {} }: Pick<Table, 'kind' | 'options'>): ViewSyntax {
  const flags = ['security_barrier', 'security_invoker'].flatMap((name) =>
    /^(?:true|false)$/.test(options[name] ?? '') ? [`${name}=${options[name]}`] : [],
  );
  const check = /^(?:local|cascaded)$/.exec(options['check_option'] ?? '')?.[0];
  return {
    create: kind === 'materialized_view' ? 'CREATE MATERIALIZED VIEW' : 'CREATE VIEW',
    options: flags.length === 0 ? '' : `WITH (${flags.join(', ')})`,
    check: check === undefined ? '' : `WITH ${check.toUpperCase()} CHECK OPTION`,
  };
}

/** Options in an imported file are untrusted, so the text must consist of EXCLUDE constraints only. */
function tableConstraints({ constraints = '' }: Readonly<Record<string, string>>): string {
  if (constraints === '' || areExclusions(constraints)) return constraints;
  const message = `The table option "constraints" must be EXCLUDE constraints separated by commas, not ${JSON.stringify(constraints)}.`;
  throw new StudioError('import_failed', message, {
    errors: [{ code: 'statement_refused', message }],
  });
}

function areExclusions(constraints: string): boolean {
  let depth = 0;
  const code = codeOf(constraints, postgresLexicalRules);
  const isDivided = code.every(({ word }, i) => {
    depth += Number(word === '(') - Number(word === ')');
    const isStart = i === 0 || (depth === 0 && code[i - 1]?.word === ',');
    const first = code[i]?.word === 'CONSTRAINT' ? i + 2 : i;
    return depth >= 0 && (!isStart || code[first]?.word === 'EXCLUDE');
  });
  return isDivided && depth === 0;
}

function texts(values: readonly string[]): string {
  return values.map(quoteText).join(', ');
}

function tableName({ localName, namespace }: Pick<TableNames, 'localName' | 'namespace'>): string {
  const schema = namespace ?? (mayBeCatalogRelation(localName) ? defaultNamespace : undefined);
  return schema === undefined
    ? quoteName(localName)
    : `${quoteName(schema)}.${quoteName(localName)}`;
}

function createEnum(type: EnumType): string[] {
  const name = enumName(type);
  const comment = type.comment === undefined ? undefined : quoteText(type.comment);
  return [
    `CREATE TYPE ${name} AS ENUM (${texts(type.values)})`,
    ...(comment === undefined ? [] : [`COMMENT ON TYPE ${name} IS ${comment}`]),
  ];
}

function createNamespace(name: string): string | undefined {
  return name === 'public' ? undefined : `CREATE SCHEMA IF NOT EXISTS ${quoteName(name)}`;
}

const createExtension = 'CREATE EXTENSION IF NOT EXISTS ';

function extensionCreatedBy(text: string): string | undefined {
  if (!text.startsWith(createExtension)) return undefined;
  const name = /^"((?:[^"]|"")*)"/.exec(text.slice(createExtension.length))?.[1];
  return name?.replaceAll('""', '"');
}

/** Creates missing extensions, and sequences that are not part of an identity. */
function prepare(schema: Schema): string[] {
  const { extensions = [], extensionNamespaces = {} } = schema.externalObjects ?? {};
  const needed = extensions.filter((name) => !isStorageExtension(name));
  const namespaceOf = (name: string): readonly string[] =>
    Object.hasOwn(extensionNamespaces, name) ? [extensionNamespaces[name]!] : [];
  const create = (name: string): string =>
    [`${createExtension}${quoteName(name)}`, ...namespaceOf(name).map(quoteName)].join(' SCHEMA ');
  return [
    ...new Set(needed.flatMap(namespaceOf).flatMap((name) => createNamespace(name) ?? [])),
    ...needed.map(create),
    ...schemasOfSequences(schema).flatMap((name) => createNamespace(name) ?? []),
    ...createSequences(schema),
  ];
}

const numberKinds: ReadonlySet<ColumnKind> = new Set(['integer', 'decimal', 'float']);

function isNumber({ kind }: ColumnType): boolean {
  return numberKinds.has(kind);
}

/** Versions before 18 support only stored generated columns, so neutral ones are stored. */
function generatedColumn(type: string, { expression, stored }: Generated, native: boolean): string {
  return `${type} GENERATED ALWAYS AS (${expression}) ${stored || !native ? 'STORED' : 'VIRTUAL'}`;
}

/** A column with a sequence of its own has a DEFAULT instead of an identity. */
function identity(
  column: Column,
  _table: IdentityTable,
  native: boolean,
): IdentityClause | undefined {
  if (column.autoIncrement !== true) return undefined;
  if (native && sequenceOf(column) !== undefined) return undefined;
  const when = column.identityAlways === true ? 'ALWAYS' : 'BY DEFAULT';
  const options =
    native && column.numbering !== undefined ? ` (${optionsOf(column.numbering)})` : '';
  return { clause: `GENERATED ${when} AS IDENTITY${options}`, isPrimaryKey: false };
}

/**
 * The state of a sequence is a row of the sequence itself, so its name must be known first. A default may use a
 * sequence that no column owns. The table is read by a statement of its own, as distributed tables require.
 */
export function advanceIdentity(table: TableNames, column: string, isTrial = false): string {
  const name = tableName(table);
  // A rollback does not undo setval.
  const move = isTrial ? requireUpdatePrivilege : 'PERFORM setval(owned, reached);';
  const body = `
DECLARE
  owned text := ${ownedSequence(quoteText(name), quoteText(column))};
  steps bigint;
  lowest bigint;
  highest bigint;
  reached bigint;
  is_behind boolean;
BEGIN
  SELECT q.seqincrement, q.seqmin, q.seqmax INTO steps, lowest, highest
  FROM pg_sequence q WHERE q.seqrelid = owned::regclass;
  SELECT CASE WHEN steps > 0 THEN max(v) ELSE min(v) END INTO reached
  FROM (SELECT x.${quoteName(column)} AS v FROM ${name} AS x) AS t WHERE v BETWEEN lowest AND highest;
  IF reached IS NULL THEN RETURN; END IF;
  EXECUTE format(
    'SELECT CASE WHEN $2 > 0 THEN $1 >= s.last_value + s.is_called::int ELSE $1 <= s.last_value - s.is_called::int END FROM %s s',
    owned
  ) INTO is_behind USING reached, steps;
  IF is_behind THEN ${move} END IF;
END `;
  const tag = unusedDollarTag(body);
  return `DO ${tag}${body}${tag}`;
}

function comments(table: Table): string[] {
  const name = tableName(table);
  const kind = { table: 'TABLE', view: 'VIEW', materialized_view: 'MATERIALIZED VIEW' }[table.kind];
  const commentStatements = (object: string, comment: string | undefined): string[] =>
    comment === undefined ? [] : [`COMMENT ON ${object} IS ${quoteText(comment)}`];
  return [
    ...commentStatements(`${kind} ${name}`, table.comment),
    ...table.columns.flatMap((column) =>
      commentStatements(`COLUMN ${name}.${quoteName(column.name)}`, column.comment),
    ),
    ...table.indexes.flatMap((index) =>
      commentStatements(`INDEX ${tableName({ ...table, localName: index.name })}`, index.comment),
    ),
  ];
}

/** An identity column must be an integer, even if its neutral type would be numeric. */
function columnType({ type, autoIncrement }: Pick<Column, 'type' | 'autoIncrement'>): string {
  const name = typeName(type);
  return autoIncrement === true && name.startsWith('numeric') ? 'bigint' : name;
}

type Integer = Extract<ColumnType, { kind: 'integer' }>;
type Text = Extract<ColumnType, { kind: 'text' }>;
type Clock = Extract<ColumnType, { kind: 'time' | 'timestamp' }>;
type Bits = Extract<ColumnType, { kind: 'bits' }>;

function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'integer':
      return integerName(type);
    case 'decimal':
      return `numeric${sized(type.precision, type.scale)}`;
    case 'float':
      return type.bits === 32 ? 'real' : 'double precision';
    case 'text':
      return textName(type);
    case 'enum':
      return type.name === undefined ? 'text' : enumName({ name: type.name });
    case 'time':
    case 'timestamp':
      return clockName(type);
    case 'json':
      return type.binary === true ? 'jsonb' : 'json';
    case 'binary':
      return 'bytea';
    case 'bits':
      return bitsName(type);
    case 'array':
      return `${typeName(type.of)}[]`;
    case 'boolean':
    case 'uuid':
    case 'date':
    case 'interval':
      return type.kind;
    default:
      return 'text';
  }
}

/** Numbers are converted without a cast to those of a higher rank only. */
function numberRank(type: ColumnType): number {
  const name = typeName(type);
  if (name.startsWith('numeric')) return 1;
  return type.kind === 'float' ? 2 : 0;
}

const integerNames = {
  8: 'smallint',
  16: 'smallint',
  24: 'integer',
  32: 'integer',
  64: 'bigint',
} as const;
const unsignedNames = {
  8: 'smallint',
  16: 'integer',
  24: 'integer',
  32: 'bigint',
  64: 'numeric(20,0)',
} as const;

function integerName({ bits, unsigned }: Integer): string {
  return (unsigned === true ? unsignedNames : integerNames)[bits];
}

const maxVarcharLength = 10_485_760;

function textName({ length, fixed }: Text): string {
  if (length === undefined || length > maxVarcharLength) return 'text';
  return `${fixed === true ? 'character' : 'character varying'}(${length})`;
}

const maxPrecision = 6;

function clockName({ kind, precision, zone }: Clock): string {
  const digits = precision === undefined ? undefined : Math.min(precision, maxPrecision);
  return `${kind}${sized(digits)}${zone === true ? ' with time zone' : ''}`;
}

function bitsName({ length, varying }: Bits): string {
  return `${varying === true ? 'bit varying' : 'bit'}${sized(length)}`;
}

function sized(...sizes: readonly (number | undefined)[]): string {
  const definedSizes = sizes.filter((size) => size !== undefined);
  return definedSizes.length === 0 ? '' : `(${definedSizes.join(',')})`;
}
