/** Texts of saving and discarding changes, which every page can do. The editors have `editing.ts`. */
export const savingTexts = {
  saved: ({ count }: { readonly count: number }) =>
    `Saved ${count} ${count === 1 ? 'change' : 'changes'}`,
  nothingToSave: 'No changes to save',
  nothingSaved: 'Nothing was saved',
  someSaved: ({ count }: { readonly count: number }) =>
    count === 1 ? 'Only 1 change was saved' : `Only ${count} changes were saved`,
  inTable: ({ table, title }: { readonly table: string; readonly title: string }) =>
    `${table}: ${title}`,
  columnValue: ({ column, value }: { readonly column: string; readonly value: string }) =>
    `${column}: ${value}`,
  withValues: ({ message, values }: { readonly message: string; readonly values: string }) =>
    `${message} (${values})`,

  // The response was lost
  notConfirmed: 'Save not confirmed',
  noResponse:
    'The studio server does not respond, so it is unknown whether the changes were saved. Save again to find out: nothing is saved twice.',
  repetitionRejected: ({ message }: { readonly message: string }) =>
    `The response was lost, and the repeated request was rejected (${message}). It is unknown whether the changes were saved. Save again to find out: nothing is saved twice.`,
  restarted:
    'The studio was restarted before it responded, so it is unknown whether the changes were saved. The rows have been reloaded: compare them with the unsaved changes, especially with new rows, before you save again.',
  unexpectedResponse:
    'The studio server sent an unexpected response. Reload the page, and check whether the changes were saved.',

  // Something has changed meanwhile
  keyChanged:
    'The key or the soft-delete column of the table has changed. The rows have been reloaded: check the unsaved changes, and save again.',
  cascadesChanged:
    'Foreign keys would now delete or change other rows than were shown. Review the changes, and save again.',
  deletionUndone: ({ message }: { readonly message: string }) =>
    `${message} The row is no longer marked for deletion.`,
  deletedWithAnother: ({ row }: { readonly row: string }) =>
    `Row ${row} has changes, but a foreign key deletes it together with a row that is marked for deletion. Revert one of the two.`,
  alreadySaved: 'Already saved',
  rowAlreadyDeleted: ({ id }: { readonly id: string }) =>
    `Row ${id} was deleted before you undid its deletion.`,
  deletionLost: ({ id }: { readonly id: string }) =>
    `Row ${id} is no longer marked for deletion: it is the new row that was just saved.`,
  newRowAlreadySaved:
    'A new row was saved before you changed it. It has no key, so it cannot be changed.',
  valueAlreadySaved: ({ column, id }: { readonly column: string; readonly id: string }) =>
    `${column} of row ${id} was saved before you reverted it.`,
  tableKeyChanged: ({ table }: { readonly table: string }) => `The key of ${table} has changed`,
  oldKeyDiscarded: ({ changes }: { readonly changes: string }) =>
    `Unsaved changes referred to the old key and were discarded: ${changes}.`,
  rowChanges: ({ id, values }: { readonly id: string; readonly values: string }) =>
    `row ${id}: ${values}`,
  rowDeletion: ({ id }: { readonly id: string }) => `deletion of row ${id}`,

  // Discarding
  confirmDiscard: ({ count }: { readonly count: number }) => `Discard ${count} unsaved changes?`,
  confirmLogOut: ({ tables }: { readonly tables: string }) =>
    `Log out and discard the unsaved changes of ${tables}?`,
  logOutFailed: 'Could not log out',
  discarded: 'Unsaved changes were discarded',
  otherDatabase: ({ tables, database }: { readonly tables: string; readonly database: string }) =>
    `They were made to ${tables} in ${database}, which is no longer open here.`,
};
