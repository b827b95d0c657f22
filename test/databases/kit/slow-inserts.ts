/** Triggers that make inserts into `items` take as many seconds as their rows say, or longer than any test. */
export const slowInserts: Readonly<Record<string, string>> = {
  sqlite: `CREATE TRIGGER slow BEFORE INSERT ON items BEGIN
    SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 1000000000000);
  END`,
  postgres: `CREATE OR REPLACE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(NEW.seconds); RETURN NEW; END';
    CREATE TRIGGER slow BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION pause()`,
  mysql: 'CREATE TRIGGER slow BEFORE INSERT ON items FOR EACH ROW DO SLEEP(NEW.seconds)',
};
export const dropTrigger: Readonly<Record<string, string>> = {
  postgres: 'DROP TRIGGER slow ON items',
};
