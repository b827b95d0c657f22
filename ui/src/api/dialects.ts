/** The databases whose SQL the studio reads and writes, by the API's names. */
export const dialects = [
  ['sqlite', 'SQLite'],
  ['postgres', 'PostgreSQL'],
  ['mysql', 'MySQL, MariaDB'],
  ['sqlserver', 'SQL Server'],
] as const;
