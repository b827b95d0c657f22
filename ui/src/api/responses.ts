import type { ResponseBodyOf } from '../../../src/contract/client/client.ts';

export type Schema = ResponseBodyOf<'GET /schema'>;
export type Table = Schema['tables'][number];
export type Column = Table['columns'][number];
export type Relation = Table['relations'][number];
export type RowList = ResponseBodyOf<'GET /tables/:table/rows'>;
export type Row = RowList['data'][number];

/** The response to a dry run of changes. */
export type PreviewedChanges = Extract<
  ResponseBodyOf<'POST /tables/:table/changes'>,
  { readonly message: 'previewed' }
>;
/** What foreign keys do to other rows. */
export type Cascades = PreviewedChanges['cascades'];
