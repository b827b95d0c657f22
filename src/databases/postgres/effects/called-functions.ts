/** What the catalog says of the functions that a text may call. */
import { arrayLiteral } from '../dialect/array-literal.ts';
import { calledFunctionsQuery } from './called-functions-query.ts';
import type { Session } from '../../../model/database.ts';
import type { Mentions } from './mentions.ts';

/** A function that does not only compute, or of which that is not known. */
export interface CalledFunction {
  readonly oid: number;
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly language: string;
  readonly isTrusted: boolean;
  readonly volatility: 'i' | 's' | 'v';
  readonly isTrigger: boolean;
  /** It takes a text and gives rows, as functions do that run a query. */
  readonly mayRunText: boolean;
  /** It acts as its owner. */
  readonly isDefiner: boolean;
  /** What it is made of, where that is text. */
  readonly body: string | null;
}

/** What is to be looked up: by name, or by number where a stored tree refers to it. */
export interface Wanted {
  readonly mentions: Pick<
    Mentions,
    'functions' | 'attributes' | 'operators' | 'relations' | 'written'
  >;
  readonly functions: readonly number[];
  readonly operators: readonly number[];
  readonly relations: readonly number[];
  readonly writtenRelations: readonly number[];
  /** The types that were reached before: casts, checks of domains and comparisons follow from them. */
  readonly types: readonly number[];
}

export interface Found {
  readonly functions: readonly CalledFunction[];
  /** System catalogs among the relations that are written to, also by way of views. */
  readonly writtenCatalogs: readonly string[];
  /** Foreign tables among the relations that are files or programs of the server. */
  readonly files: readonly string[];
  readonly types: readonly number[];
  /** What stored trees of views, policies and functions refer to. */
  readonly references: readonly { readonly kind: string; readonly oid: number }[];
}

/** `runsQueries`: those of materialized views count too, which a refresh runs and a read does not. */
export async function findCalledFunctions(
  session: Session,
  wanted: Wanted,
  runsQueries: boolean,
): Promise<Found> {
  const { mentions, functions, operators, relations, writtenRelations, types } = wanted;
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
  const [found, catalogs, references, files, reached] = (rows[0] ?? []).map((text) =>
    text === null ? [] : (JSON.parse(String(text)) as unknown),
  );
  return {
    functions: found as Found['functions'],
    writtenCatalogs: catalogs as Found['writtenCatalogs'],
    references: references as Found['references'],
    files: files as Found['files'],
    types: reached as Found['types'],
  };
}
