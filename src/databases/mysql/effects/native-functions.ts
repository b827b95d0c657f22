import { words } from '../../../portable/lexer/words.ts';

/**
 * Native functions of MySQL up to 9.7 and MariaDB up to 12. The statement rules list those that do
 * more than read.
 */
export const nativeFunctions: ReadonlySet<string> = new Set(
  words(`
    abs acos add_months adddate addtime aes_decrypt aes_encrypt any_value area asbinary ascii
    asin astext aswkb aswkt atan atan2 benchmark bin bin_to_uuid binlog_gtid_pos bit_and
    bit_count bit_length bit_or bit_xor boundary buffer cast ceil ceiling centroid char
    char_length character_length charset chr coalesce coercibility collation column_add
    column_check column_create column_delete column_exists column_get column_json column_list
    compress concat concat_ws connection_id contains conv convert_tz convexhull cos cot count
    crc32 crc32c crosses cume_dist curdate current_date current_role current_time
    current_timestamp current_user curtime database date date_add date_format date_sub datediff
    day dayname dayofmonth dayofweek dayofyear decode decode_histogram default degrees
    dense_rank des_decrypt des_encrypt dimension disjoint distance elt encode encrypt endpoint
    envelope equals etag exp export_set exteriorring extract extractvalue field find_in_set
    first_value floor format format_bytes format_pico_time found_rows from_base64 from_days
    from_unixtime from_vector geomcollfromtext geomcollfromwkb geometrycollection
    geometrycollectionfromtext geometrycollectionfromwkb geometryfromtext geometryfromwkb
    geometryn geometrytype geomfromtext geomfromwkb get_lock glength greatest group_concat
    grouping gtid_subset gtid_subtract hex hour if ifnull inet6_aton inet6_ntoa inet_aton
    inet_ntoa insert instr interiorringn intersects interval is_free_lock is_ipv4 is_ipv4_compat
    is_ipv4_mapped is_ipv6 is_used_lock is_uuid isclosed isempty isnull isring issimple
    json_array json_array_append json_array_insert json_array_intersect json_arrayagg
    json_compact json_contains json_contains_path json_depth json_detailed json_duality_object
    json_equals json_exists json_extract json_insert json_key_value json_keys json_length
    json_loose json_merge json_merge_patch json_merge_preserve json_normalize json_object
    json_object_filter_keys json_object_to_array json_objectagg json_overlaps json_pretty
    json_query json_quote json_remove json_replace json_schema_valid
    json_schema_validation_report json_search json_set json_storage_free json_storage_size
    json_table json_type json_unquote json_valid json_value kdf lag last_day last_insert_id
    last_value lastval lcase lead least left length lengthb linefromtext linefromwkb linestring
    linestringfromtext linestringfromwkb ln load_file localtime localtimestamp locate log log10
    log2 lower lpad ltrim make_set makedate maketime master_gtid_wait master_pos_wait match max
    mbrcontains mbrcoveredby mbrcovers mbrdisjoint mbrequal mbrequals mbrintersects mbroverlaps
    mbrtouches mbrwithin md5 median microsecond mid min minute mlinefromtext mlinefromwkb mod
    month monthname mpointfromtext mpointfromwkb mpolyfromtext mpolyfromwkb multilinestring
    multilinestringfromtext multilinestringfromwkb multipoint multipointfromtext
    multipointfromwkb multipolygon multipolygonfromtext multipolygonfromwkb name_const
    natural_sort_key nextval now nth_value ntile nullif numgeometries numinteriorrings numpoints
    nvl nvl2 oct octet_length old_password ord overlaps password percent_rank percentile_cont
    percentile_disc period_add period_diff pi point pointfromtext pointfromwkb pointn
    pointonsurface polyfromtext polyfromwkb polygon polygonfromtext polygonfromwkb position pow
    power ps_current_thread_id ps_thread_id quarter quote radians rand random_bytes rank
    regexp_instr regexp_like regexp_replace regexp_substr release_all_locks release_lock repeat
    replace reverse right roles_graphml round row row_count row_number rownum rpad rtrim schema
    schemas sec_to_time second session_user setval sformat sha sha1 sha2 sign sin sleep soundex
    source_pos_wait space sql_thread_id sqrt srid st_area st_asbinary st_asgeojson st_astext
    st_aswkb st_aswkt st_boundary st_buffer st_buffer_strategy st_centroid st_collect
    st_contains st_convexhull st_crosses st_difference st_dimension st_disjoint st_distance
    st_distance_sphere st_endpoint st_envelope st_equals st_exteriorring st_frechetdistance
    st_geohash st_geomcollfromtext st_geomcollfromtxt st_geomcollfromwkb
    st_geometrycollectionfromtext st_geometrycollectionfromwkb st_geometryfromtext
    st_geometryfromwkb st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext
    st_geomfromwkb st_hausdorffdistance st_interiorringn st_intersection st_intersects
    st_isclosed st_isempty st_isring st_issimple st_isvalid st_latfromgeohash st_latitude
    st_length st_linefromtext st_linefromwkb st_lineinterpolatepoint st_lineinterpolatepoints
    st_linestringfromtext st_linestringfromwkb st_longfromgeohash st_longitude st_makeenvelope
    st_mlinefromtext st_mlinefromwkb st_mpointfromtext st_mpointfromwkb st_mpolyfromtext
    st_mpolyfromwkb st_multilinestringfromtext st_multilinestringfromwkb st_multipointfromtext
    st_multipointfromwkb st_multipolygonfromtext st_multipolygonfromwkb st_numgeometries
    st_numinteriorring st_numinteriorrings st_numpoints st_overlaps st_pointatdistance
    st_pointfromgeohash st_pointfromtext st_pointfromwkb st_pointn st_pointonsurface
    st_polyfromtext st_polyfromwkb st_polygonfromtext st_polygonfromwkb st_relate st_simplify
    st_srid st_startpoint st_swapxy st_symdifference st_touches st_transform st_union
    st_validate st_within st_x st_y startpoint statement_digest statement_digest_text std stddev
    stddev_pop stddev_samp str_to_date strcmp string_to_vector subdate substr substring
    substring_index subtime sum sys_guid sysdate system_user tan time time_format time_to_sec
    timediff timestamp timestampadd timestampdiff to_base64 to_char to_date to_days to_number
    to_seconds to_vector touches trim trunc truncate ucase uncompress uncompressed_length unhex
    unix_timestamp updatexml upper user utc_date utc_time utc_timestamp uuid uuid_short
    uuid_to_bin uuid_v4 uuid_v7 validate_password_strength values var_pop var_samp variance
    vec_distance vec_distance_cosine vec_distance_euclidean vec_fromtext vec_totext vector_dim
    vector_distance vector_to_string version wait_for_executed_gtid_set week weekday weekofyear
    weight_string within wsrep_last_seen_gtid wsrep_last_written_gtid wsrep_sync_wait_upto_gtid
    x y year yearweek
  `),
);
