/** Parts of the statements that move sequences. */

/**
 * An expression for the sequence that a column uses in its default or owns, as SQL. The names are string
 * literals. A serial column owns its first sequence even if its default names another one.
 */
export function ownedSequence(table: string, column: string): string {
  return `coalesce(
    (SELECT min(d.refobjid::regclass::text)
      FROM pg_attrdef v
      JOIN pg_attribute a ON a.attrelid = v.adrelid AND a.attnum = v.adnum
      JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = v.oid
      JOIN pg_class c ON d.refclassid = 'pg_class'::regclass AND c.oid = d.refobjid AND c.relkind = 'S'
      WHERE v.adrelid = ${table}::regclass AND a.attname = ${column}),
    pg_get_serial_sequence(${table}, ${column})
  )`;
}

/** Fails like setval without the privilege. */
export const requireUpdatePrivilege = `
    IF NOT has_sequence_privilege(owned, 'UPDATE') THEN
      RAISE insufficient_privilege USING MESSAGE = format(
        'permission denied for sequence %s', (SELECT relname FROM pg_class WHERE oid = owned::regclass)
      );
    END IF;`;

/** A dollar-quote tag that does not occur in the text. */
export function unusedDollarTag(text: string): string {
  let tag = '$move$';
  for (let i = 1; text.includes(tag); i++) tag = `$move${i}$`;
  return tag;
}
