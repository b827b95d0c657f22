/** Texts of the structure of a table. */
export const structureTexts = {
  name: 'Name',
  nullability: 'Null',
  default: 'Default',
  notes: 'Notes',
  nullable: 'nullable',
  notNull: 'not null',
  unique: 'unique',
  autoIncrement: 'auto-increment',
  generated: ({ expression }: { readonly expression: string }) => `generated: ${expression}`,
  softDelete: 'soft-delete column',
  indexes: 'Indexes',
  primaryKey: 'primary key',
  primary: 'primary',
  partial: 'partial',
  indexColumns: ({ columns, where }: { readonly columns: string; readonly where: string }) =>
    where === '' ? columns : `${columns} where ${where}`,
  foreignKeys: 'Foreign keys',
  outgoingAndIncoming: ({
    outgoing,
    incoming,
  }: {
    readonly outgoing: number;
    readonly incoming: number;
  }) => `${outgoing} outgoing, ${incoming} incoming`,
  outgoing: 'outgoing',
  incoming: 'incoming',
  onDelete: ({ action }: { readonly action: string }) => `on delete ${action}`,
  onUpdate: ({ action }: { readonly action: string }) => `on update ${action}`,
  checks: 'Checks',
  source: 'Source',
  copySource: 'Copy source',
};
