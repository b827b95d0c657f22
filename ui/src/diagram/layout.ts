/** The layout of the diagram as the server computes it. */
import type { CommonOptions, ResponseBodyOf } from '../../../src/contract/client/client.ts';

export type Layout = ResponseBodyOf<'GET /diagram'>;
export type PlacedTable = Layout['tables'][number];
export type PlacedGroup = Layout['groups'][number];
export type PlacedRelation = Layout['relations'][number];
export type ShownColumns = NonNullable<
  NonNullable<CommonOptions<'GET /diagram'>['query']>['columns']
>;
