/** How clients call a table, whether it is listed or only pointed at. */
export type RelationName = (relation: {
  readonly namespace: string;
  readonly localName: string;
}) => string;
