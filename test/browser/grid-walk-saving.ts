/** Saving in a walk through the grid: what the page reports is true of the database. */
import { expect } from 'vitest';
import { WalkBase, readStored, waitMs } from './grid-walk-base.ts';
import { lineOf } from './grid-walk-model.ts';
import type { Row } from './grid-walk-model.ts';
import { deliveries } from './grid-walk-network.ts';
import type { Delivery } from './grid-walk-network.ts';

export class SavingWalk extends WalkBase {
  protected async save(): Promise<void> {
    const { model, network } = this.parts;
    if (network.isHeld) return;
    this.stageOpenEditor();
    if (model.count === 0 && !model.isSending) return;
    let delivery: Delivery = this.isLikely(0.5) ? 'received' : this.pick(deliveries);
    // Walks do not cover retries that meet a conflict.
    if (model.isSending || (isUnknown(delivery) && model.stale.size > 0)) delivery = 'received';
    this.log.push(`save, ${delivery}`);
    await this.send(delivery);
    if (delivery !== 'late') await this.awaitOutcome();
  }

  protected async send(delivery: Delivery): Promise<void> {
    const { screen, model, network } = this.parts;
    const before = network.calls;
    this.isRetry = model.isSending;
    network.start(delivery);
    await screen.press('Control+s');
    model.send();
    await expect.poll(() => network.calls, { timeout: waitMs }).toBeGreaterThan(before);
  }

  protected async release(): Promise<void> {
    const { network } = this.parts;
    if (!network.isHeld) return;
    this.log.push('the response arrives');
    network.start('received');
    network.release();
    await this.awaitOutcome();
  }

  protected async awaitOutcome(): Promise<void> {
    const { screen, model } = this.parts;
    const isSaving = async (): Promise<boolean> => (await screen.barText()).includes('Saving');
    await expect.poll(isSaving, { timeout: waitMs }).toBe(false);
    const bar = await screen.barText();
    if (await screen.isConflict()) return this.resolveConflict();
    if (bar.includes('Save not confirmed')) return this.note('not confirmed');
    if (bar.includes('Nothing was saved')) {
      this.note('nothing saved');
      const isSaved = this.isRetry && !model.isSentRejected;
      if (isSaved) model.acceptSent();
      else model.rejectSent();
    } else if (/Only \d+ changes? (?:was|were) saved/.test(bar)) {
      // The repeated request was saved, and what was staged after it was rejected.
      this.note('partly saved');
      model.acceptSent();
    } else {
      this.note('saved');
      model.acceptSent();
      if (this.isRetry && model.count > 0) {
        model.send();
        model.acceptSent();
      }
    }
    await this.compareStored();
  }

  protected async resolveConflict(): Promise<void> {
    const { screen, model, database, network } = this.parts;
    const dialog = screen.page.locator('.dialog.conflict');
    const [, id = '0'] = /walked (\d+)\./.exec(await dialog.innerText()) ?? [];
    const [[name] = []] = await database.query(`SELECT name FROM walked WHERE id = ${id}`);
    model.rejectSent();
    const isMine = this.isLikely(0.5);
    this.note(`conflict of ${String(name)}, ${isMine ? 'keep mine' : 'use theirs'}`);
    const choice = isMine ? 'Keep your version' : 'Use their version';
    await dialog.getByRole('button', { name: choice }).click();
    const before = network.calls;
    network.start('received');
    if (isMine) model.rebase();
    else model.dropEdit(String(name));
    model.stale.delete(String(name));
    await dialog.getByRole('button', { name: 'Save merged row' }).click();
    if (model.count === 0) return;
    model.send();
    await expect.poll(() => network.calls, { timeout: waitMs }).toBeGreaterThan(before);
    await this.awaitOutcome();
  }

  /** The database contains what was saved and nothing else. */
  protected async compareStored(): Promise<void> {
    const { model, database } = this.parts;
    const lines = (rows: ReadonlyMap<string, Row>): readonly string[] =>
      [...rows].map(([name, row]) => lineOf(name, row)).toSorted();
    const stored = await readStored(database);
    expect(lines(stored), this.log.join('\n')).toEqual(lines(model.stored));
  }
}

/** Whether the user does not know whether the changes were saved. */
function isUnknown(delivery: Delivery): boolean {
  return delivery === 'never sent' || delivery === 'response lost, retry rejected';
}
