/** Searches the catalog for the functions that a text may call. */
import { arrayLiteral } from '../dialect/array-literal.ts';
import { readCatalogRows } from '../../catalog-query.ts';
import { calledFunctionsQuery } from './called-functions-query.ts';
import type { Session } from '../../../model/database.ts';
import type { CatalogMatchRow } from './called-functions-query.ts';
import type { Mentions } from './mentions.ts';

/** The search criteria: names, or oids if a stored expression refers to the object. */
export interface CatalogSearch {
  readonly mentions: Pick<
    Mentions,
    'functions' | 'attributes' | 'operators' | 'relations' | 'written'
  >;
  readonly functions: readonly number[];
  readonly operators: readonly number[];
  readonly relations: readonly number[];
  readonly writtenRelations: readonly number[];
  /** The types found so far, which imply casts, domain checks and comparisons. */
  readonly types: readonly number[];
}

export type CatalogMatches = {
  readonly [Name in keyof CatalogMatchRow]: NonNullable<CatalogMatchRow[Name]>;
};

/** `runsQueries`: includes the queries of materialized views, which REFRESH runs and a read does not. */
export async function findCalledFunctions(
  session: Session,
  search: CatalogSearch,
  runsQueries: boolean,
): Promise<CatalogMatches> {
  const { mentions, functions, operators, relations, writtenRelations, types } = search;
  const lists = [
    [...mentions.functions],
    [...mentions.attributes],
    functions,
    [...mentions.operators],
    operators,
    [...mentions.relations, ...mentions.written],
    [...relations, ...writtenRelations],
    [...mentions.written],
    writtenRelations,
    types,
  ];
  const params = [
    ...lists.map((list) => arrayLiteral(JSON.stringify(list.map(String)))),
    runsQueries,
  ];
  const [found] = await readCatalogRows(session, calledFunctionsQuery, { params });
  return {
    functions: found?.functions ?? [],
    writtenCatalogs: found?.writtenCatalogs ?? [],
    references: found?.references ?? [],
    files: found?.files ?? [],
    types: found?.types ?? [],
  };
}
