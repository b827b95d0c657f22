/** Finds external access through names in T-SQL: linked servers, system functions, module bodies. */
import { bareName, effect } from '../../../sql/effects.ts';
import { words } from '../../../portable/lexer/words.ts';
import type { Effect, StatementCode } from '../../../sql/statement-rules.ts';

export function externalAccessEffects(statement: StatementCode): readonly Effect[] {
  const verb = statement.code[0]?.word ?? '';
  const hasBody = verb === 'CREATE' || verb === 'ALTER';
  const namesFiles =
    hasBody && ['DATABASE', 'SERVER', 'EVENT'].includes(statement.code[1]?.word ?? '');
  return statement.code.flatMap((_, i) => [
    ...otherServerEffects(statement, i),
    ...systemCallEffects(statement, i),
    ...(hasBody ? bodyEffects(statement, i) : []),
    ...(namesFiles && fileOptions.has(nameAt(statement, i))
      ? [effect(nameAt(statement, i), 'external')]
      : []),
  ]);
}

function nameAt({ text, code }: StatementCode, i: number): string {
  const token = code[i];
  if (token?.kind !== 'word' && token?.kind !== 'quoted-name') return '';
  return bareName(text.slice(token.start, token.end)).toLowerCase();
}

/** Options that name files of databases, audits and event sessions. */
const fileOptions: ReadonlySet<string> = new Set(['filename', 'filepath', 'event_file']);

/** Methods of xml columns: in `schema.table.column.value()`, the last dot is not part of the name. */
const xmlMethods: ReadonlySet<string> = new Set(['value', 'query', 'exist', 'nodes', 'modify']);

/** A four-part name `server.database.schema.table`, whose middle parts may be omitted: `server...table`. */
function otherServerEffects(statement: StatementCode, i: number): Effect[] {
  const { code } = statement;
  if (nameAt(statement, i) === '' || code[i - 1]?.word === '.') return [];
  let dots = 0;
  let at = i + 1;
  for (
    ;
    code[at]?.word === '.' || (nameAt(statement, at) !== '' && code[at - 1]?.word === '.');
    at++
  )
    dots += Number(code[at]?.word === '.');
  const isMethod = code[at]?.word === '(' && xmlMethods.has(nameAt(statement, at - 1));
  return dots - Number(isMethod) >= 3 ? [effect('A name of four parts', 'external')] : [];
}

/** System functions that only read the database and the server state. Others may read files. */
const plainSystemFunctions: ReadonlySet<string> = new Set(
  words(`
    dm_cryptographic_provider_algorithms dm_db_database_page_allocations
    dm_db_incremental_stats_properties dm_db_index_operational_stats
    dm_db_index_physical_stats dm_db_log_info dm_db_log_stats dm_db_missing_index_columns
    dm_db_objects_disabled_on_compatibility_level_change dm_db_page_info
    dm_db_stats_histogram dm_db_stats_properties dm_db_stats_properties_internal
    dm_exec_cached_plan_dependent_objects dm_exec_cursors dm_exec_describe_first_result_set
    dm_exec_describe_first_result_set_for_object dm_exec_input_buffer
    dm_exec_plan_attributes dm_exec_query_plan dm_exec_query_plan_stats
    dm_exec_query_statistics_xml dm_exec_sql_text dm_exec_text_query_plan
    dm_exec_xml_handles dm_fts_index_keywords dm_fts_index_keywords_by_document
    dm_fts_index_keywords_by_property dm_fts_index_keywords_position_by_document
    dm_fts_parser dm_io_virtual_file_stats dm_os_volume_stats
    dm_sql_referenced_entities dm_sql_referencing_entities fn_builtin_permissions
    fn_cdc_get_column_ordinal fn_cdc_get_max_lsn fn_cdc_get_min_lsn
    fn_cdc_has_column_changed fn_cdc_increment_lsn fn_cdc_is_bit_set
    fn_cdc_map_lsn_to_time fn_cdc_map_time_to_lsn fn_check_object_signatures
    fn_column_store_row_groups fn_helpcollations fn_listextendedproperty fn_my_permissions
    fn_physlocformatter fn_physloccracker fn_sqlvarbasetostr fn_stmt_sql_handle_from_sql_stmt
    fn_translate_permissions fn_validate_plan_guide fn_varbintohexstr
    fn_varbintohexsubstring fn_virtualfilestats
  `),
);

/** A name without a schema or with `sys` is a system function; with another schema it is user-defined. */
function systemCallEffects(statement: StatementCode, i: number): Effect[] {
  const { code } = statement;
  const name = nameAt(statement, i);
  if (code[i + 1]?.word !== '(' || !/^(?:dm|fn)_/.test(name)) return [];
  const schema = code[i - 1]?.word === '.' ? nameAt(statement, i - 2) : '';
  if ((schema !== '' && schema !== 'sys') || plainSystemFunctions.has(name)) return [];
  return [effect(`${name}()`, 'external')];
}

/** Finds dynamic SQL and system procedures in a module body, which a trigger runs with the next write. */
function bodyEffects(statement: StatementCode, i: number): Effect[] {
  const { code } = statement;
  const word = code[i]?.word ?? '';
  if ((word !== 'EXEC' && word !== 'EXECUTE') || code[i - 1]?.word === '.') return [];
  // EXEC @result = procedure
  const from = code[i + 2]?.word === '=' ? i + 3 : i + 1;
  const next = code[from];
  // The clause EXECUTE AS, which names the account of the body.
  if (next?.word === 'AS') return [];
  let at = from;
  while (code[at + 1]?.word === '.') at += 2;
  const isSystem = /^(?:sp|xp)_/.test(nameAt(statement, at));
  const isDynamic = next?.word === '(' || next?.kind === 'variable' || next?.kind === 'string';
  return isSystem || isDynamic ? [effect(`${word} within its body`, 'execute')] : [];
}
