/**
 * The volatile functions in C that a reader may call: they tell what is, or are random. No list of
 * the others can be complete, so every one that is not here is refused.
 */
const allowed: ReadonlySet<string> = new Set(
  `array_sample array_shuffle clock_timestamp current_query currtid2 currval gen_random_uuid lastval lo_get
  pg_available_wal_summaries pg_blocking_pids pg_collation_actual_version pg_current_logfile
  pg_database_collation_actual_version pg_database_size pg_get_aios pg_get_backend_memory_contexts
  pg_get_loaded_modules pg_get_multixact_members pg_get_sequence_data pg_get_shmem_allocations
  pg_get_shmem_allocations_numa pg_get_wait_events pg_get_wal_replay_pause_state
  pg_get_wal_resource_managers pg_get_wal_summarizer_state pg_indexes_size pg_is_in_recovery
  pg_is_wal_replay_paused pg_jit_available pg_lock_status pg_notification_queue_usage
  pg_partition_ancestors pg_partition_tree pg_prepared_xact pg_relation_size
  pg_safe_snapshot_blocking_pids pg_sequence_last_value pg_show_replication_origin_status pg_sleep
  pg_sleep_for pg_sleep_until pg_stat_have_stats pg_table_size pg_tablespace_size pg_timezone_names
  pg_total_relation_size random random_normal timeofday txid_status uuidv4 uuidv7`.split(/\s+/),
);

/** The same of the extensions that come with the server. */
const allowedOfExtensions: ReadonlySet<string> = new Set(
  `gen_random_bytes gen_salt normal_rand pg_stat_statements pg_stat_statements_info
  pgp_sym_encrypt pgp_sym_encrypt_bytea pgp_pub_encrypt pgp_pub_encrypt_bytea
  uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4`.split(/\s+/),
);

const allowedFamilies = ['pg_stat_get_', 'pg_control_', 'pg_last_', 'pg_current_wal_', 'pg_xact_'];

export function isAllowedFunction(name: string, isBuiltIn: boolean): boolean {
  if (!isBuiltIn) return allowedOfExtensions.has(name);
  return allowed.has(name) || allowedFamilies.some((family) => name.startsWith(family));
}
