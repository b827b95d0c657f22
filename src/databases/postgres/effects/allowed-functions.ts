/**
 * The volatile C functions that a read may call: they return information or random values. A list of
 * harmful functions could never be complete, so every function that is not here is rejected.
 */
const allowed: ReadonlySet<string> = new Set(
  `array_sample array_shuffle bernoulli clock_timestamp current_query currtid2 currval gen_random_uuid lastval lo_get
  pg_available_wal_summaries pg_blocking_pids pg_collation_actual_version pg_current_logfile
  pg_database_collation_actual_version pg_database_size pg_get_aios pg_get_backend_memory_contexts
  pg_get_loaded_modules pg_get_multixact_members pg_get_sequence_data pg_get_shmem_allocations
  pg_get_shmem_allocations_numa pg_get_wait_events pg_get_wal_replay_pause_state
  pg_get_wal_resource_managers pg_get_wal_summarizer_state pg_indexes_size pg_is_in_recovery
  pg_is_wal_replay_paused pg_jit_available pg_lock_status pg_notification_queue_usage
  pg_partition_ancestors pg_partition_tree pg_prepared_xact pg_relation_size
  pg_safe_snapshot_blocking_pids pg_sequence_last_value pg_show_replication_origin_status pg_sleep
  pg_sleep_for pg_sleep_until pg_stat_have_stats pg_table_size pg_tablespace_size pg_timezone_names
  pg_total_relation_size random random_normal system timeofday txid_status uuidv4 uuidv7`.split(
    /\s+/,
  ),
);

/** The same for the extensions that come with the server. */
const allowedOfExtensions: ReadonlySet<string> = new Set(
  `gen_random_bytes gen_random_uuid gen_salt normal_rand pg_buffercache_numa_pages pg_buffercache_pages
  pg_buffercache_summary pg_buffercache_usage_counts pg_check_frozen pg_check_visible pg_freespace
  pg_relpages pg_visibility pg_visibility_map pg_visibility_map_summary pgstatginindex
  pgstathashindex pgstatindex pgstattuple pgstattuple_approx system_rows system_time pg_stat_statements pg_stat_statements_info
  pgp_sym_encrypt pgp_sym_encrypt_bytea pgp_pub_encrypt pgp_pub_encrypt_bytea
  uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4`.split(/\s+/),
);

const allowedFamilies = ['pg_stat_get_', 'pg_control_', 'pg_last_', 'pg_current_wal_', 'pg_xact_'];

/** Extensions are written in C. A function in the language `internal` is an alias of a built-in one, whose name it hides. */
export function isAllowedFunction({
  name,
  isBuiltIn,
  language,
}: {
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly language: string;
}): boolean {
  if (!isBuiltIn) return language === 'c' && allowedOfExtensions.has(name);
  return allowed.has(name) || allowedFamilies.some((family) => name.startsWith(family));
}
