/**
 * The base class of a walk: a sequence of random actions in the grid, whose results are compared with a
 * model. It has what every action needs: the screen, the model, and random numbers.
 */
import { expect } from 'vitest';
import type { KitDatabase } from '../databases/kit/database-under-test.ts';
import { editedColumns, rejectedValue } from './grid-walk-model.ts';
import type { Column, GridModel, Row, Value } from './grid-walk-model.ts';
import type { WalkNetwork } from './grid-walk-network.ts';
import type { GridScreen, ScreenRow } from './grid-walk-screen.ts';

export interface WalkParts {
  readonly screen: GridScreen;
  readonly model: GridModel;
  readonly network: WalkNetwork;
  readonly database: KitDatabase;
}

/** An editor that is left open while something else happens. */
interface OpenEditor {
  readonly name: string;
  readonly column: Column;
  readonly text: string;
}

export const waitMs = 30_000;

/** Returns the rows that the database's own client reads, by name. */
export async function readStored(database: KitDatabase): Promise<ReadonlyMap<string, Row>> {
  const rows = await database.query('SELECT name, a, b FROM walked ORDER BY id');
  const value = (cell: unknown): Value => (cell === null ? null : String(cell));
  return new Map(rows.map(([name, a, b]) => [String(name), { a: value(a), b: value(b) }]));
}

export class WalkBase {
  readonly log: string[] = [];
  protected readonly parts: WalkParts;
  readonly #random: () => number;
  protected readonly deletedNames = new Set<string>();
  protected open: OpenEditor | undefined;
  protected counter = 0;
  /** Whether the request in flight repeats one whose response was lost. */
  protected isRetry = false;

  constructor(parts: WalkParts, random: () => number) {
    this.parts = parts;
    this.#random = random;
  }

  protected pick<T>(items: readonly T[]): T {
    const item = items[this.randomBelow(items.length)];
    if (item === undefined) throw new Error('The list is empty.');
    return item;
  }

  /** A random integer from 0, below a limit. */
  protected randomBelow(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  protected isLikely(probability: number): boolean {
    return this.#random() < probability;
  }

  /** Values are never used twice, so that a value in a wrong cell is recognized. */
  protected newValue(column: Column): string {
    this.counter++;
    const number = String(1000 + this.counter);
    if (column === 'b') return this.isLikely(0.3) ? `-${number}` : number;
    return this.isLikely(0.06) ? rejectedValue : `${this.pick(['w', '=', "'", '"'])}${number}é`;
  }

  /** Any click or key outside of an open editor stages its text. */
  protected stageOpenEditor(): void {
    if (this.open === undefined) return;
    const { name, column, text } = this.open;
    this.open = undefined;
    this.parts.model.setAll(new Map([[name, { [column]: text }]]));
  }

  protected async waitUntilIdle(): Promise<void> {
    const { page } = this.parts.screen;
    const isBusy = async (): Promise<boolean> =>
      this.parts.network.isReading ||
      (await page.locator('[role="grid"]').getAttribute('aria-busy')) !== 'false';
    await expect.poll(isBusy, { timeout: waitMs }).toBe(false);
  }

  protected async rows(): Promise<readonly ScreenRow[]> {
    const { screen, model } = this.parts;
    const all = await screen.rows();
    return all.filter(
      ({ name, isUncovered: isClear, isMarkedForDeletion: isMarked }) =>
        isClear && !isMarked && model.seenValuesOf(name) !== undefined,
    );
  }

  /** The screen shows what is stored, with what is staged. */
  protected async verify(): Promise<void> {
    await this.waitUntilIdle();
    const findProblems = async (): Promise<readonly string[]> =>
      (await this.parts.screen.rows()).flatMap((row) => this.problemsOf(row));
    await expect.poll(findProblems, { timeout: 10_000, message: this.log.join('\n') }).toEqual([]);
  }

  protected problemsOf({
    name,
    isMarkedForDeletion: isMarked,
    ...shown
  }: ScreenRow): readonly string[] {
    const { model } = this.parts;
    if (model.staged.removed.has(name) !== isMarked) return [`${name} is marked: ${isMarked}`];
    const seenValues = model.seenValuesOf(name);
    if (isMarked || (seenValues === undefined && /^(required|DEFAULT|NULL)$/.test(name))) return [];
    if (seenValues === undefined) return [`${name} should not be there`];
    const ownEdits = model.staged.edits.get(name) ?? {};
    return editedColumns
      .filter((column) => !model.stale.has(name) || Object.hasOwn(ownEdits, column))
      .filter((column) => !isShown(shown[column], seenValues[column] ?? null))
      .map((column) => `${name}.${column} is ${shown[column]}, not ${seenValues[column]}`);
  }

  protected note(outcome: string): void {
    this.log.push(`  ${outcome}`);
  }
}

function isShown(text: string, value: Value): boolean {
  if (value === null) return text === 'NULL' || text === 'DEFAULT';
  const oneLine = (lines: string): string => lines.replaceAll(/\s+/g, ' ').trim();
  return oneLine(text) === (value === '' ? 'empty' : oneLine(value));
}
