/** The state of a reader of SQL data files, which its statements change. */
import type { RowChunk } from '../../model/load.ts';
import type { DataScriptRules } from '../../sql/data-script.ts';
import type { ExecutedStatement } from '../../sql/ddl/ddl-reader.ts';
import type { ScriptLanguage } from '../../portable/lexer/split.ts';
import type { ImportContext } from '../row-import.ts';
import type { FilledTables } from './changes-after-rows.ts';
import type { PendingFile } from './files/pending-file.ts';
import type { CopyField } from './insert/copy-fields.ts';
import type { CopyFormat } from './insert/copy-format.ts';
import type { FieldReader, RowGroup } from './insert/row-groups.ts';
import type { InternalGroup } from './internal-tables.ts';
import type { CreatedTables } from './partitions.ts';
import type { DatabaseState } from './rows-database.ts';
import type { Script } from './script/script.ts';
import type { DecodeText, ScriptSession } from './script/session.ts';
import type { TransactionState } from './script/transactions.ts';
import type { VirtualTable } from './script/virtual-table.ts';
import type { SqlValue } from './values/literals.ts';

export interface SqlScriptReader {
  readonly script: Script;
  readonly language: ScriptLanguage;
  readonly context: ImportContext;
  readonly session: ScriptSession;
  /** Whether schema statements are rejected, skipped with a warning, or have been run already. */
  readonly ddl: 'refuse' | 'skip' | 'applied';
  /** A trial only checks whether the dialect can read the script; rows are discarded. */
  readonly isTrial: boolean;
  /** Number of rows of each table so far. */
  readonly numbers: Map<string, number>;
  readonly fields: {
    readonly insert: FieldReader<SqlValue>;
    readonly copy: FieldReader<CopyField>;
  };
  /** The readers of fields for a file in another encoding than the script. */
  readonly fieldsWith: (decode: DecodeText) => SqlScriptReader['fields'];
  /** The file that the last statement names, which is read next. */
  pendingFile: PendingFile | undefined;
  /** Whether the last unit names a file of the archive. */
  isFileUnit: boolean;
  /** Whether a file has had rows, which conditions of the script cannot read. */
  hasFileRows: boolean;
  /** The number of scripts that contain the statement that names the current one. */
  includes: number;
  /** Of all scripts that were read in place of a statement so far. */
  allIncludes: number;
  /** Batches to yield next. */
  readonly ready: RowChunk[];
  /** What the reader expects next: a statement, a row of VALUES, or a line of COPY. */
  state: 'statement' | 'values' | 'copy';
  /** Whether the last unit belongs to the structure: neither rows nor the position of a counter. */
  isStructure: boolean;
  /** The statements that the script runs within others, in order, as far as they have not been read. Undefined if they are not known. */
  executed: readonly ExecutedStatement[] | undefined;
  /** Whether a statement contains others that may write rows, as of a trial. */
  hasContainers: boolean;
  /** Number of rows read, including those of a trial. */
  rowsRead: number;
  /** Number of rows before the last GO. */
  rowsBeforeBatch: number;
  /** The rows of the last INSERTs. Undefined in statements whose rows are skipped. */
  insertGroup: RowGroup<SqlValue> | InternalGroup | undefined;
  /** The virtual table whose content the last INSERT has. */
  filled: VirtualTable | undefined;
  /** The rows of the last COPY. */
  copyGroup: RowGroup<CopyField> | undefined;
  /** The lines of the last COPY. */
  copyFormat: CopyFormat;
  /** Whether its next line is the header. */
  isCopyHeader: boolean;
  readonly nameParts: DataScriptRules['nameParts'];
  readonly database: DatabaseState;
  readonly transactions: TransactionState;
  /** The temporary tables of the script, in lower case. */
  readonly temporaryTables: Set<string>;
  readonly createdTables: CreatedTables;
  readonly filledTables: FilledTables;
}
