import { words } from '../../../portable/lexer/words.ts';
import type { SettingChange, SettingToken } from '../../../sql/script-settings.ts';

/** Pragmas that change neither rows nor anything else that a database stores. */
const withoutEffect: ReadonlySet<string> = new Set(
  words(`
  FOREIGN_KEYS DEFER_FOREIGN_KEYS IGNORE_CHECK_CONSTRAINTS JOURNAL_MODE JOURNAL_SIZE_LIMIT
  SYNCHRONOUS CACHE_SIZE CACHE_SPILL LOCKING_MODE TEMP_STORE PAGE_SIZE AUTO_VACUUM ENCODING
  BUSY_TIMEOUT LEGACY_ALTER_TABLE LEGACY_FILE_FORMAT INTEGRITY_CHECK QUICK_CHECK
  FOREIGN_KEY_CHECK FOREIGN_KEY_LIST WAL_CHECKPOINT WAL_AUTOCHECKPOINT OPTIMIZE SECURE_DELETE
  MMAP_SIZE TRUSTED_SCHEMA CASE_SENSITIVE_LIKE COUNT_CHANGES FULL_COLUMN_NAMES
  SHORT_COLUMN_NAMES EMPTY_RESULT_CALLBACKS TABLE_INFO TABLE_XINFO TABLE_LIST INDEX_LIST
  INDEX_INFO DATABASE_LIST COMPILE_OPTIONS THREADS SHRINK_MEMORY AUTOMATIC_INDEX
  READ_UNCOMMITTED INCREMENTAL_VACUUM FULLFSYNC CHECKPOINT_FULLFSYNC CELL_SIZE_CHECK
  WRITABLE_SCHEMA
`),
);

/** SQLite has no statement for settings but PRAGMA. */
export function sqliteSettings(
  tokens: readonly SettingToken[],
): readonly SettingChange[] | undefined {
  const [verb, first, dot, second] = tokens.map(({ text }) => text.toUpperCase());
  if (verb !== 'PRAGMA') return undefined;
  const name = dot === '.' ? second : first;
  return withoutEffect.has(name ?? '') ? [] : [{ kind: 'left-out' }];
}
