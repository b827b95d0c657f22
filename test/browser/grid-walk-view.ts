/** Rows that move in a walk through the grid, while something may be typed or saved. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SavingWalk } from './grid-walk-saving.ts';

export class ViewWalk extends SavingWalk {
  protected async sort(): Promise<void> {
    const name = this.pick(['name', 'a', 'b']);
    this.log.push(`sort by ${name}`);
    this.stageOpenEditor();
    const { page } = this.parts.screen;
    await page.getByRole('columnheader', { name: new RegExp(`^${name}\\b`) }).click();
    await this.waitUntilIdle();
  }

  protected async search(): Promise<void> {
    const { page } = this.parts.screen;
    const text = this.pick(['', '', 's1', 'w']);
    this.log.push(`search ${text}`);
    this.stageOpenEditor();
    const field = page.getByPlaceholder('Search text columns');
    await field.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type(text);
    // In the search field, undo and redo apply to its own text.
    await page.keyboard.press('Tab');
    // The page delays the search until typing pauses.
    await sleep(600);
    await this.waitUntilIdle();
  }

  protected async scroll(): Promise<void> {
    const pixels = this.pick([-2000, -300, 300, 2000]);
    this.log.push(`scroll by ${pixels}`);
    await this.parts.screen.scroll(pixels);
  }

  protected async changePage(): Promise<void> {
    const { page } = this.parts.screen;
    const button = page.getByRole('button', { name: this.pick(['Next page', 'Previous page']) });
    if ((await button.getAttribute('aria-disabled')) === 'true') return;
    this.log.push('change the page');
    this.stageOpenEditor();
    await button.click();
    await this.waitUntilIdle();
  }

  protected async reload(): Promise<void> {
    this.log.push('reload the rows');
    this.stageOpenEditor();
    await this.parts.screen.page.getByLabel('Reload rows').click();
    await this.waitUntilIdle();
  }

  protected async reloadPage(): Promise<void> {
    const { screen, model } = this.parts;
    if (model.isSending || this.isLikely(0.5)) return;
    this.log.push('reload the page');
    if (this.open !== undefined) await screen.press('Enter');
    this.stageOpenEditor();
    await screen.page.reload();
    await screen.page.getByRole('grid').waitFor();
    await this.waitUntilIdle();
  }

  protected async visitOtherTable(): Promise<void> {
    const { page } = this.parts.screen;
    this.log.push('visit the other table');
    this.stageOpenEditor();
    const links = page.getByRole('complementary').or(page.getByRole('navigation'));
    await links
      .getByRole('link', { name: /^other/ })
      .first()
      .click();
    await page.getByText('an only row').waitFor();
    await links
      .getByRole('link', { name: /^walked/ })
      .first()
      .click();
    await page.getByRole('grid', { name: 'walked' }).waitFor();
    await this.waitUntilIdle();
  }

  protected async changeByOtherClient(): Promise<void> {
    const { model, database } = this.parts;
    const names = [...model.stored.keys()].filter((name) => !this.deletedNames.has(name));
    if (model.isSending || names.length === 0) return;
    const name = this.pick(names);
    const b = this.newValue('b');
    this.log.push(`another client sets ${name}.b to ${b}`);
    await database.run(`UPDATE walked SET b = ${b} WHERE name = '${name}'`);
    const row = model.stored.get(name);
    model.changeByOtherClient(name, { a: row?.a ?? null, b });
  }
}
