/**
 * Prints nothing while all tests pass. Prints the failures of a file as soon as the file ends, so
 * that a run that is stopped has named them; at the end skipped tests with their reasons, and a
 * last line such as `123 passed, 0 failed, 2 skipped`. With STUDIO_TEST_SLOWEST=10 it also prints
 * the ten slowest files, with STUDIO_TEST_PROGRESS=1 each file as it ends.
 */
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';

type Printed = TestCase | TestSuite | TestModule;

interface Failure {
  title: string;
  errors: readonly unknown[];
}

interface Tally {
  passed: number;
  failed: number;
  skipped: readonly TestCase[];
}

function titleOf(item: Printed): string {
  if (item.type === 'module') return item.relativeModuleId;
  return `${item.module.relativeModuleId} > ${item.fullName}`;
}

function failureOf(item: Printed): Failure {
  const errors = item.type === 'test' ? item.result().errors : item.errors();
  return { title: titleOf(item), errors: errors ?? [] };
}

/** A file that cannot be loaded, or a suite whose hook throws, fails without a failed test. */
function failuresIn(module: TestModule): Failure[] {
  const suites = [module, ...module.children.allSuites()].filter((s) => s.errors().length > 0);
  return [...suites, ...module.children.allTests('failed')].map(failureOf);
}

function tally(modules: readonly TestModule[]): Tally {
  return {
    passed: modules.flatMap((module) => [...module.children.allTests('passed')]).length,
    failed: modules.flatMap(failuresIn).length,
    skipped: modules.flatMap((module) => [...module.children.allTests('skipped')]),
  };
}

function isBelowFailedHook({ parent }: TestCase | TestSuite): boolean {
  if (parent.errors().length > 0) return true;
  return parent.type === 'suite' && isBelowFailedHook(parent);
}

/**
 * Tests give a reason with `context.skip(reason)`. A bare `test.skip` is listed by name, because it
 * has no reason.
 */
function reasonOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  if (note) return note;
  return isBelowFailedHook(test) ? 'the set-up failed' : `no reason given: ${titleOf(test)}`;
}

/** Each distinct reason once, with the number of its tests. */
function skipLines(reasons: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `skipped ${count}: ${reason}`);
}

/** Wall times of a file in ms. Loading is the start of its process, the set-up file and its imports. */
function timesOf(module: TestModule): { readonly loading: number; readonly tests: number } {
  const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic();
  return { loading: collectDuration + prepareDuration + setupDuration, tests: duration };
}

/** A line for each of the `count` slowest files, and one for all files together. */
function slowestLines(modules: readonly TestModule[], count: number): string[] {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const line = ({ loading, tests }: ReturnType<typeof timesOf>, name: string): string =>
    `${seconds(loading + tests).padStart(8)} s, ${seconds(loading)} of it loading  ${name}`;
  const files = modules.map((module) => ({ name: module.relativeModuleId, ms: timesOf(module) }));
  const slowest = files.toSorted((a, b) => b.ms.loading + b.ms.tests - a.ms.loading - a.ms.tests);
  const total = files.reduce(
    (sum, { ms }) => ({ loading: sum.loading + ms.loading, tests: sum.tests + ms.tests }),
    { loading: 0, tests: 0 },
  );
  return [
    ...slowest.slice(0, count).map(({ ms, name }) => line(ms, name)),
    line(total, `all ${modules.length} files, some of them side by side`),
  ];
}

function progressLine(module: TestModule): string {
  const { loading, tests } = timesOf(module);
  const { passed, failed, skipped } = tally([module]);
  const counts = `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
  return `${module.relativeModuleId}: ${counts}, ${((loading + tests) / 1000).toFixed(1)} s`;
}

function printFailure({ logger }: Vitest, { title, errors }: Failure): void {
  logger.log(`FAIL ${title}`);
  for (const error of errors) logger.log(logger.formatError(error).output);
}

export function summaryReporter(run: {
  seed: number;
  announceSeed: boolean;
  slowest?: number;
  progress?: boolean;
}): Reporter {
  let vitest: Vitest;
  return {
    onInit: (started) => {
      vitest = started;
    },
    onUserConsoleLog: ({ content }) => vitest.logger.log(content.trimEnd()),
    onTestModuleEnd: (module) => {
      if (run.progress) vitest.logger.log(progressLine(module));
      for (const failure of failuresIn(module)) printFailure(vitest, failure);
    },
    onTestRunEnd: (modules, unhandledErrors) => {
      const { passed, failed: failedTests, skipped } = tally(modules);
      for (const error of unhandledErrors) {
        printFailure(vitest, { title: 'outside any test', errors: [error] });
      }
      const failed = failedTests + unhandledErrors.length;
      for (const line of skipLines(skipped.map(reasonOf))) vitest.logger.log(line);
      if (run.slowest) {
        for (const line of slowestLines(modules, run.slowest)) vitest.logger.log(line);
      }
      if (run.announceSeed) vitest.logger.log(`seed ${run.seed} (STUDIO_TEST_SEED repeats it)`);
      if (failed > 0 || passed === 0) process.exitCode = 1;
      const counts = [`${passed} passed`, `${failed} failed`, `${skipped.length} skipped`];
      vitest.logger.log(counts.join(', '));
    },
  };
}
