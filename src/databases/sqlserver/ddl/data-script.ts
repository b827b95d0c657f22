import { encodingOfCodePage } from '../language/code-pages.ts';
import { identityColumn } from '../language/dialect-hints.ts';
import { sqlserverCounter } from '../language/counter-statement.ts';
import { sqlserverSettings } from '../language/script-settings.ts';
import { words } from '../../../portable/lexer/words.ts';
import { namesServer } from '../../../sql/named-server.ts';
import type { DataScriptRules, ExactCast } from '../../../sql/data-script.ts';

/** Settings, permissions and statistics. Those that name or describe objects are read with the structure. */
const proceduresWithoutRows: ReadonlySet<string> = new Set(
  words(`
  sp_addextendedproperty sp_updateextendedproperty sp_dropextendedproperty sp_rename sp_addtype sp_droptype
  sp_dboption sp_dbcmptlevel sp_configure sp_fulltext_database sp_fulltext_catalog sp_fulltext_table
  sp_fulltext_column sp_db_vardecimal_storage_format sp_addlogin sp_grantlogin sp_revokelogin sp_denylogin
  sp_droplogin sp_defaultdb sp_defaultlanguage sp_grantdbaccess sp_revokedbaccess sp_adduser sp_dropuser
  sp_addrole sp_droprole sp_addrolemember sp_droprolemember sp_addsrvrolemember sp_dropsrvrolemember
  sp_addapprole sp_dropapprole sp_change_users_login sp_changedbowner sp_password sp_addmessage
  sp_dropmessage sp_tableoption sp_indexoption sp_settriggerorder sp_procoption sp_recompile sp_refreshview
  sp_refreshsqlmodule sp_updatestats sp_autostats sp_createstats sp_help sp_helptext sp_helpdb
  sp_helpconstraint sp_helpindex sp_columns sp_tables sp_pkeys sp_fkeys sp_spaceused sp_who sp_who2 sp_lock
  sp_estimate_data_compression_savings sp_cdc_enable_db sp_cdc_disable_db sp_cdc_enable_table
  sp_bindrule sp_unbindrule sp_bindefault sp_unbindefault sp_helpfile sp_helpfilegroup sp_helprole
  sp_helpuser sp_helprotect sp_depends sp_databases sp_statistics sp_ms_marksystemobject
  sp_cdc_disable_table sp_query_store_flush_db sp_query_store_force_plan xp_logevent
`),
);

const decimal: ExactCast = { kind: 'decimal', precision: 18, scale: 0, takesSizes: true };

/** A date, and a time after a blank or `T`; after a `T` the time needs its seconds. */
function dateTimeForm(years: string, seconds: string): RegExp {
  const dashed = String.raw`-\d\d-\d\d(?:T\d\d:\d\d${seconds}| \d\d:\d\d(?:${seconds})?)?`;
  const compact = String.raw`\d{4}(?: \d\d:\d\d(?:${seconds})?)?`;
  return new RegExp(`^(?:${years})(?:${dashed}|${compact})$`);
}

export const sqlserverDataScript: DataScriptRules = {
  dialectHints: [
    { pattern: /^-- .* for sqlserver, by Database Studio/gm, weight: 1000 },
    { pattern: /^GO[ \t]*\r?$/gim, weight: 20 },
    { pattern: /\bIDENTITY_INSERT\b/gi, weight: 20 },
    { pattern: /\bINSERT\s+(?:INTO\s+)?\[/gi, weight: 10 },
    { pattern: /\[dbo\]/gi, weight: 20 },
    { pattern: /[(,]\s*N'/g, weight: 5 },
  ],
  settingsOf: sqlserverSettings,
  counterOf: sqlserverCounter,
  skippedComments: {},
  proceduresWithoutRows,
  isTemporary: (parts) =>
    parts.at(-1)?.startsWith('#') === true || parts.at(-3)?.toLowerCase() === 'tempdb',
  decimalLiteralsAreDoubles: false,
  hasMoney: false,
  hasMoneyLiterals: true,
  booleanWords: { true: true, false: false },
  anyNumberIsTrue: true,
  zeroIsNextNumber: false,
  nullIsNextNumber: false,
  omitsNumberedColumn: true,
  insertsBySet: false,
  serverFunction: 'SERVERPROPERTY',
  dataFiles: { statement: 'BULK INSERT', charsetOf: encodingOfCodePage },
  nameParts: 2,
  bitStringsAreBytes: false,
  nativeTypeText: () => undefined,
  proofs: {
    comments: [
      /^-- .* for sqlserver, by Database Studio/,
      namesServer('(?:Microsoft |MS )?SQL ?Server'),
    ],
    code: [
      /^[ \t]*BULK\s+INSERT\b/im,
      /^[ \t]*GO[ \t]*;?[ \t]*\r?$/im,
      /^:(?:setvar|connect|on[ \t]+error)\b/im,
      /\bIDENTITY_INSERT\b/i,
      identityColumn,
      /\[dbo\]\s*\./i,
      /^[ \t]*SET\s+(?:NOCOUNT|ANSI_NULLS|QUOTED_IDENTIFIER|XACT_ABORT)\b/im,
    ],
  },
  defaultAxisOrder: undefined,
  hexIsNumber: false,
  digitGroups: false,
  hexStrings: 'bytes',
  textLengths: 'utf16',
  stringsAreBytes: true,
  castForms: ['CAST', 'TRY_CAST', 'CONVERT'],
  stringPrefixes: undefined,
  textConcatenation: '+',
  adjacentStrings: 'nowhere',
  casts: 'by-type',
  bytesAsText: 'utf16',
  exactCasts: {
    DATE: { kind: 'date' },
    TIME: { kind: 'time', digits: 7, maxDigits: 7 },
    DATETIME2: { kind: 'timestamp', digits: 7, maxDigits: 7, takesCompactDates: true },
    DATETIMEOFFSET: {
      kind: 'timestamp',
      digits: 7,
      maxDigits: 7,
      zone: 'utc',
      takesCompactDates: true,
    },
    // The unit is 1/300 of a second.
    DATETIME: {
      kind: 'timestamp',
      digits: 3,
      pattern: dateTimeForm(
        String.raw`175[3-9]|17[6-9]\d|1[89]\d\d|[2-9]\d{3}`,
        String.raw`:\d\d(?:\.(?:\d{1,2}|\d\d[037]0*))?`,
      ),
      dependsOnOrder: true,
      takesCompactDates: true,
    },
    SMALLDATETIME: {
      kind: 'timestamp',
      pattern: dateTimeForm(String.raw`19\d\d|20[0-6]\d|207[0-8]`, String.raw`:00(?:\.0*)?`),
      dependsOnOrder: true,
      takesCompactDates: true,
    },
    DECIMAL: decimal,
    NUMERIC: decimal,
    // All numbers of these digits are within the range of the type.
    MONEY: { kind: 'decimal', precision: 18, scale: 4, takesSizes: false },
    SMALLMONEY: { kind: 'decimal', precision: 9, scale: 4, takesSizes: false },
    FLOAT: { kind: 'float', bits: 64 },
    REAL: { kind: 'float', bits: 32 },
    BIT: { kind: 'bit' },
    UNIQUEIDENTIFIER: { kind: 'uuid', letters: 'upper' },
  },
  functions: {
    GETDATE: 'timestamp',
    GETUTCDATE: 'timestamp',
    SYSDATETIME: 'timestamp',
    SYSUTCDATETIME: 'timestamp',
    SYSDATETIMEOFFSET: 'timestamp',
    CONCAT: 'concat-without-nulls',
    CHAR: 'ascii-characters',
    NCHAR: 'utf16-characters',
  },
  timeFunctions: {
    DATEPART: 'field-of-time',
    YEAR: 'year',
    MONTH: 'month',
    DAY: 'day-of-month',
    NEWID: 'random-uuid',
  },
  bareFunctions: {
    CURRENT_TIMESTAMP: 'timestamp',
  },
};
