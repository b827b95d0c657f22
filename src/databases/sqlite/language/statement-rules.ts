import { words } from '../../../portable/lexer/words.ts';
import type { StatementRules } from '../../../sql/classify.ts';

/** https://www.sqlite.org/lang.html, https://www.sqlite.org/pragma.html */
export const sqliteStatementRules: StatementRules = {
  verbs: {
    SELECT: 'query',
    VALUES: 'query',
    WITH: 'with',
    EXPLAIN: 'explain',
    'EXPLAIN QUERY PLAN': 'explain',
    PRAGMA: 'pragma',
    INSERT: 'write',
    UPDATE: 'write',
    DELETE: 'write',
    REPLACE: 'write',
    CREATE: 'ddl',
    ALTER: 'ddl',
    DROP: 'ddl',
    BEGIN: 'transaction',
    COMMIT: 'transaction',
    END: 'transaction',
    ROLLBACK: 'transaction',
    SAVEPOINT: 'transaction',
    RELEASE: 'transaction',
    ANALYZE: 'administration',
    REINDEX: 'administration',
    VACUUM: 'administration',
    ATTACH: 'external',
    DETACH: 'external',
  },
  reservedVerbs: words(`
    INSERT UPDATE DELETE CREATE ALTER DROP
  `),
  // VACUUM INTO writes a file. SELECT INTO does not exist in SQLite.
  phrases: { INTO: 'external' },
  functions: {
    edit: 'external',
    fsdir: 'external',
    fts3_tokenizer: 'external',
    load_extension: 'external',
    lsdir: 'external',
    readfile: 'external',
    writefile: 'external',
    zipfile: 'external',
  },
  pragmas: {
    bare: words(`
      analysis_limit application_id auto_vacuum automatic_index busy_timeout cache_size
      cache_spill cell_size_check checkpoint_fullfsync collation_list compile_options
      data_version database_list defer_foreign_keys encoding foreign_key_check
      foreign_keys freelist_count fullfsync function_list hard_heap_limit
      ignore_check_constraints integrity_check journal_mode journal_size_limit
      legacy_alter_table locking_mode max_page_count mmap_size module_list page_count
      page_size pragma_list query_only quick_check read_uncommitted recursive_triggers
      reverse_unordered_selects schema_version secure_delete soft_heap_limit synchronous
      table_list temp_store threads trusted_schema user_version wal_autocheckpoint
      writable_schema
    `),
    withValue: words(`
      foreign_key_check foreign_key_list index_info index_list index_xinfo
      integrity_check quick_check table_info table_list table_xinfo
    `),
    withExternalEffects: {
      data_store_directory: 'external',
      hard_heap_limit: 'session',
      lock_proxy_file: 'external',
      soft_heap_limit: 'session',
      temp_store_directory: 'external',
    },
  },
  temporary:
    /^(?:CREATE (?:TEMP|TEMPORARY) |CREATE \w+ (?:IF NOT EXISTS )?TEMP \. |PRAGMA (?:\w+ \. )?(?!(?:APPLICATION_ID|AUTO_VACUUM|DEFAULT_CACHE_SIZE|ENCODING|INCREMENTAL_VACUUM|JOURNAL_MODE|OPTIMIZE|PAGE_SIZE|SCHEMA_VERSION|USER_VERSION|WAL_CHECKPOINT)\b)\w+ [=(])/,
  ambiguousText: undefined,
  callsWithoutVerb: false,
};
