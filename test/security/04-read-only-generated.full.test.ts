/** The long variant of 04-read-only-generated.ci.test.ts, for `npm run test:full`. */
process.env['STUDIO_TEST_RUNS'] = '2000';
await import('./04-read-only-generated.ci.test.ts');
