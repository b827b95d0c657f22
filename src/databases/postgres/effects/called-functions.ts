/** Searches the catalog for the functions that a text may call. */
import { arrayLiteral } from '../dialect/array-literal.ts';
import { calledFunctionsQuery } from './called-functions-query.ts';
import type { Session } from '../../../model/database.ts';
import type { Mentions } from './mentions.ts';

/** A function that may have side effects. */
export interface CalledFunction {
  readonly oid: number;
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly language: string;
  readonly isTrusted: boolean;
  readonly volatility: 'i' | 's' | 'v';
  readonly isTrigger: boolean;
  /** It takes a text and returns rows, like functions that run a query. */
  readonly mayRunText: boolean;
  /** SECURITY DEFINER: it runs with the privileges of its owner. */
  readonly isSecurityDefiner: boolean;
  /** Its source; null for C functions. */
  readonly body: string | null;
}

/** What to search for: by name, or by oid if a stored expression refers to it. */
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

export interface CatalogMatches {
  readonly functions: readonly CalledFunction[];
  /** System catalogs that are written to, also through views. */
  readonly writtenCatalogs: readonly string[];
  /** Foreign tables that read files or programs of the server. */
  readonly files: readonly string[];
  readonly types: readonly number[];
  /** Objects that stored expressions of views, policies and functions refer to. */
  readonly references: readonly { readonly kind: string; readonly oid: number }[];
}

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
  const { rows } = await session.run({ text: calledFunctionsQuery, params });
  const [found, catalogs, references, files, foundTypes] = (rows[0] ?? []).map((text) =>
    text === null ? [] : (JSON.parse(String(text)) as unknown),
  );
  return {
    functions: found as CatalogMatches['functions'],
    writtenCatalogs: catalogs as CatalogMatches['writtenCatalogs'],
    references: references as CatalogMatches['references'],
    files: files as CatalogMatches['files'],
    types: foundTypes as CatalogMatches['types'],
  };
}
