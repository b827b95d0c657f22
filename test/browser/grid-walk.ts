/**
 * Random walks through the grid with real mouse and keyboard. A model knows what the user sees; the
 * database's own client is the reference after every save.
 */
import { expect } from 'vitest';
import { editedColumns } from './grid-walk-model.ts';
import type { Values } from './grid-walk-model.ts';
import type { ScreenRow } from './grid-walk-screen.ts';
import { ViewWalk } from './grid-walk-view.ts';

export class GridWalker extends ViewWalk {
  async run(steps: number): Promise<void> {
    const actions = [
      ...[this.type, this.type, this.type, this.type, this.paste, this.clear],
      ...[this.add, this.remove, this.removeChecked, this.undo, this.undo, this.redo],
      ...[this.typeInvalid, this.discard, this.save, this.save, this.save, this.release],
      ...[this.sort, this.search, this.scroll, this.changePage, this.reload],
      ...[this.reloadPage, this.visitOtherTable, this.changeByOtherClient],
    ];
    await this.verify();
    for (let step = 0; step < steps; step++) {
      await this.pick(actions).call(this);
      await this.verify();
    }
    await this.saveEverything();
  }

  protected async type(): Promise<void> {
    const { screen, model } = this.parts;
    const rows = await this.rows();
    if (rows.length === 0) return;
    const { index, name } = this.pick(rows);
    const column = this.pick(editedColumns);
    const text = this.newValue(column);
    const end = this.pick(['Enter', 'Tab', 'Shift+Enter', 'Escape', 'click', 'open'] as const);
    this.log.push(`type ${text} into ${name}.${column}, ${end}`);
    this.stageOpenEditor();
    const isDouble = this.isLikely(0.4);
    await screen.click(index, column, isDouble ? 2 : 1);
    if (isDouble) await screen.press('Control+a');
    await screen.type(text);
    if (end === 'Escape') return screen.press('Escape');
    if (end === 'open' || end === 'click') {
      this.open = { name, column, text };
      if (end === 'click') await this.clickElsewhere();
      return;
    }
    const isSecondLine = end === 'Shift+Enter' && column === 'a';
    if (isSecondLine) {
      await screen.press('Shift+Enter');
      await screen.type('z');
    }
    await screen.press(end === 'Tab' ? 'Tab' : 'Enter');
    model.setAll(new Map([[name, { [column]: isSecondLine ? `${text}\nz` : text }]]));
  }

  protected async clickElsewhere(): Promise<void> {
    const rows = await this.rows();
    if (rows.length === 0) return;
    this.stageOpenEditor();
    await this.parts.screen.click(this.pick(rows).index, this.pick(editedColumns));
  }

  /** An invalid text keeps its editor open and focused until Escape. */
  protected async typeInvalid(): Promise<void> {
    const { screen } = this.parts;
    const rows = await this.rows();
    if (rows.length === 0) return;
    const { index, name } = this.pick(rows);
    this.log.push(`type an invalid number into ${name}.b`);
    this.stageOpenEditor();
    await screen.click(index, 'b');
    await screen.type('12,x');
    if (this.isLikely(0.5)) await screen.press(this.pick(['Enter', 'Tab']));
    else {
      const others = await this.rows();
      if (others.length > 0) await screen.click(this.pick(others).index, 'a');
      await screen.type('y');
    }
    await screen.page
      .getByText('This is not a number.')
      .or(screen.page.locator('.cell-editor'))
      .first()
      .waitFor();
    await screen.press('Escape');
    expect(await screen.isEditing()).toBe(false);
  }

  protected async clear(): Promise<void> {
    const { screen, model } = this.parts;
    const rows = (await this.rows()).filter(
      ({ name }) => (model.seenValuesOf(name)?.a ?? null) !== null,
    );
    if (rows.length === 0) return;
    const { index, name } = this.pick(rows);
    const isNull = this.isLikely(0.5) || model.seenValuesOf(name)?.a === '';
    this.log.push(`set ${name}.a to ${isNull ? 'NULL' : 'the empty string'}`);
    this.stageOpenEditor();
    await screen.click(index, 'a', isNull ? 1 : 2);
    if (isNull) await screen.press('Backspace');
    else await screen.page.getByRole('button', { name: 'EMPTY' }).click();
    model.setAll(new Map([[name, { a: isNull ? null : '' }]]));
  }

  protected async paste(): Promise<void> {
    const { screen, model } = this.parts;
    const rows = await this.rows();
    if (rows.length === 0) return;
    const start = this.randomBelow(rows.length);
    const below = rows.slice(start, start + 1 + this.randomBelow(3));
    const block = below.filter(({ index }, i) => index === (below[0]?.index ?? 0) + i);
    const columns = this.pick([['a'], ['a', 'b']] as const);
    const values = new Map<string, Values>();
    const lines: string[] = [];
    for (const { name } of block) {
      const cells = columns.map(
        (column) => this.newValue(column) + (column === 'a' ? '\t"\nq' : ''),
      );
      values.set(name, Object.fromEntries(columns.map((column, i) => [column, cells[i]])));
      lines.push(cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t'));
    }
    this.log.push(`paste ${JSON.stringify([...values])}`);
    const text = JSON.stringify(`${lines.join('\r\n')}\r\n`);
    await screen.page.evaluate(`navigator.clipboard.writeText(${text})`);
    this.stageOpenEditor();
    await screen.click(block[0]?.index ?? 0, 'a');
    await screen.press('Control+v');
    model.setAll(values);
  }

  protected async add(): Promise<void> {
    const { screen, model } = this.parts;
    this.counter++;
    const name = `n${this.counter}`;
    this.log.push(`add ${name}`);
    this.stageOpenEditor();
    await screen.page.getByRole('button', { name: 'Add row', exact: true }).click();
    const number = model.addRow();
    const index = model.staged.created.length - 1;
    await screen.page.locator(`#cell-${index}-1.cur`).waitFor();
    if (this.isLikely(0.3)) {
      await this.waitUntilIdle();
      await screen.click(index, 'name');
    }
    await screen.type(name);
    await screen.press('Enter');
    model.nameRow(number, name);
  }

  /** Deletions that were already sent cannot be undone. The page reports that; walks avoid it. */
  protected removable(rows: readonly ScreenRow[]): readonly ScreenRow[] {
    const { model } = this.parts;
    return model.isSending ? [] : rows.filter(({ name }) => !model.stale.has(name));
  }

  protected async remove(): Promise<void> {
    const { screen, model } = this.parts;
    const rows = this.removable(await this.rows());
    if (rows.length === 0) return;
    const { index, name } = this.pick(rows);
    this.log.push(`delete ${name}`);
    this.stageOpenEditor();
    await screen.click(index, this.pick(editedColumns));
    await screen.press('Delete');
    model.remove([name]);
    this.deletedNames.add(name);
  }

  protected async removeChecked(): Promise<void> {
    const { screen, model } = this.parts;
    const rows = this.removable(await this.rows());
    if (rows.length < 3 || this.open !== undefined) return;
    const names: string[] = [];
    for (const { index, name } of [rows[0], rows.at(-1)].filter((row) => row !== undefined)) {
      names.push(name);
      const row = screen.page
        .getByRole('row')
        .filter({ has: screen.page.locator(`#cell-${index}-0`) });
      await row.getByRole('checkbox').click();
    }
    this.log.push(`delete the selected rows ${names.join(', ')}`);
    const bar = screen.page.getByRole('region', { name: 'Selected rows' });
    await bar.getByRole('button', { name: 'Delete' }).click();
    model.remove(names);
    for (const name of names) this.deletedNames.add(name);
  }

  protected async undo(): Promise<void> {
    await this.step('Control+z', () => this.parts.model.undo());
  }

  protected async redo(): Promise<void> {
    const key = this.pick(['Control+Shift+z', 'Control+y']);
    await this.step(key, () => this.parts.model.redo());
  }

  protected async step(key: string, act: () => void): Promise<void> {
    const { screen, model } = this.parts;
    // Changes that were already sent cannot always be undone.
    if (model.isSending) return;
    if (this.open !== undefined) await screen.press('Enter');
    this.stageOpenEditor();
    this.log.push(key);
    await screen.press(key);
    act();
  }

  protected async discard(): Promise<void> {
    const { screen, model } = this.parts;
    if (model.isSending || this.isLikely(0.6)) return;
    // Without another change there is no button, or one that is disabled.
    if (model.count === 0 && this.open !== undefined) await screen.press('Enter');
    this.stageOpenEditor();
    if (model.count === 0) return;
    this.log.push('discard');
    await screen.page.getByRole('button', { name: 'Discard' }).click();
    model.discard();
  }

  protected async saveEverything(): Promise<void> {
    const { model, network, screen } = this.parts;
    if (network.isHeld) await this.release();
    if (this.open !== undefined) await screen.press('Enter');
    this.stageOpenEditor();
    if (model.isSending) {
      await this.send('received');
      await this.awaitOutcome();
    }
    while (model.isRejected && model.canUndo) await this.undo();
    if (model.isRejected) {
      await screen.page.getByRole('button', { name: 'Discard' }).click();
      model.discard();
    }
    await this.verify();
    if (model.count > 0) {
      this.log.push('save everything');
      await this.send('received');
      await this.awaitOutcome();
    }
    expect(model.count, this.log.join('\n')).toBe(0);
    await this.compareStored();
  }
}
