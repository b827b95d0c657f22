/** By the name of the database. */
import { mysqlCells } from './mysql-cells.ts';
import { postgresCells } from './postgres-cells.ts';
import { sqliteCells } from './sqlite-cells.ts';
import type { NativeCells } from './native-cells.ts';

export const allCells: Readonly<Record<string, NativeCells>> = {
  sqlite: sqliteCells,
  postgres: postgresCells,
  mysql: mysqlCells,
};
