import { expect, onTestFinished, test, vi } from 'vitest';
import { startRecovery } from '../../../src/studio/execution/recovery.ts';
import { undoJournals } from '../../../src/studio/import/schema/undo-journals.ts';
import { withContext } from '../../databases/import-job.ts';

vi.mock('../../../src/studio/import/schema/undo-journals.ts', () => ({ undoJournals: vi.fn() }));

test.each([
  [['Table items is locked.'], 'The last error: Table items is locked.'],
  [[], 'It runs, or its session has not ended.'],
])('an import that stays pending is reported once more, with the errors %j', async (...row) => {
  const [failures, reason] = row;
  const outcome = {
    removed: [],
    used: [],
    doubtful: [],
    pending: ['items', 'logs'],
    failures,
    completed: [],
    leftOut: [],
    damaged: [],
    unknown: [],
  };
  vi.mocked(undoJournals).mockResolvedValue(outcome);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const sentences: string[] = [];
  const recovery = await withContext({ url: ':memory:' }, (context) =>
    startRecovery(context, (sentence) => sentences.push(sentence)),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sentences).toEqual([expect.stringMatching(/^An import has not ended that created: /)]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(sentences.slice(1)).toEqual([
    `An import that created items, logs is not undone after a minute, and is retried every minute. ${reason}`,
  ]);
  recovery.close();
});
