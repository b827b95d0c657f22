/** The grid as a user sees and operates it: by its texts, with mouse and keyboard. */
import type { Page } from 'playwright-core';
import type { Column } from './grid-walk-model.ts';

export interface ScreenRow {
  readonly index: number;
  readonly name: string;
  readonly a: string;
  readonly b: string;
  readonly isMarkedForDeletion: boolean;
  /** No cell is covered by the table header, a toolbar or an open editor. */
  readonly isUncovered: boolean;
}

/** The columns of the grid, in order. The first one is the key that the database assigns. */
export const columnIndex: Readonly<Record<Column | 'name', number>> = { name: 1, a: 2, b: 3 };

const readRows = `[...document.querySelectorAll('[role="grid"] [role="row"]')].flatMap((row) => {
  const cells = [...row.querySelectorAll('[id^="cell-"]')];
  if (cells.length !== 4) return [];
  const isUncovered = cells.slice(1).every((cell) => {
    const { x, y, width, height } = cell.getBoundingClientRect();
    return cell.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  // A rejected cell shows the reason below its value.
  const textOf = (cell) =>
    cell.innerText.replace(cell.querySelector('.cell-error')?.innerText ?? '', '').trim();
  const [, name, a, b] = cells.map(textOf);
  const isMarkedForDeletion = row.classList.contains('del');
  return [{ index: Number(cells[0].id.split('-')[1]), name, a, b, isMarkedForDeletion, isUncovered }];
})`;

const gridExpression = `document.querySelector('[role="grid"]')`;

/** Waits until the grid has scrolled and stands still, unless it is at its end already. */
function waitForScroll(before: number, pixels: number): string {
  return `new Promise((resolve) => {
    const grid = ${gridExpression};
    const end = ${pixels} < 0 ? 0 : grid.scrollHeight - grid.clientHeight;
    let last = ${before};
    let still = 0;
    const check = () => {
      const top = grid.scrollTop;
      still = top === last ? still + 1 : 0;
      last = top;
      const hasMoved = top !== ${before} || Math.abs(top - end) < 1;
      if (hasMoved && still > 5) resolve(undefined);
      else requestAnimationFrame(check);
    };
    check();
  })`;
}

export class GridScreen {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async rows(): Promise<readonly ScreenRow[]> {
    return (await this.page.evaluate(readRows)) as readonly ScreenRow[];
  }

  /** Clicks the middle of a cell, whatever element is there. */
  async click(index: number, column: keyof typeof columnIndex, clickCount = 1): Promise<void> {
    const box = await this.page.locator(`#cell-${index}-${columnIndex[column]}`).boundingBox();
    if (box === null) throw new Error(`Cell ${index} of ${column} has no box.`);
    await this.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount });
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async scroll(pixels: number): Promise<void> {
    const box = await this.page.getByRole('grid').boundingBox();
    if (box === null) throw new Error('The grid has no box.');
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const before = await this.page.evaluate<number>(`${gridExpression}.scrollTop`);
    await this.page.mouse.wheel(0, pixels);
    // The browser scrolls later, and the rows that are read until then may be gone.
    await this.page.evaluate(waitForScroll(before, pixels));
  }

  async isEditing(): Promise<boolean> {
    return (await this.page.locator('.cell-editor').count()) > 0;
  }

  async barText(): Promise<string> {
    const texts = await this.page.locator('.review').allInnerTexts();
    return texts.join(' ').replaceAll('\n', ' ');
  }

  async isConflict(): Promise<boolean> {
    return (await this.page.locator('.dialog.conflict').count()) > 0;
  }
}
