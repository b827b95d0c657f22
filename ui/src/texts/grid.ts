/** Texts of the grid itself, apart from what a page shows in it. */
export const gridTexts = {
  selectedCells: ({ cells }: { readonly cells: number }) => `${cells.toLocaleString('en')} cells`,
  selectedSum: ({ cells, sum }: { readonly cells: number; readonly sum: string }) =>
    `${cells.toLocaleString('en')} cells, sum ${sum}`,
};
