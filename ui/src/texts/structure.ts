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
  outAndIn: ({ out, into }: { readonly out: number; readonly into: number }) =>
    `${out} out, ${into} in`,
  out: 'out',
  in: 'in',
  onDelete: ({ action }: { readonly action: string }) => `on delete ${action}`,
  onUpdate: ({ action }: { readonly action: string }) => `on update ${action}`,
  checks: 'Checks',
  source: 'Source',
  copySource: 'Copy source',
};
