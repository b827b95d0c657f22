/** The same at length. */
process.env['STUDIO_TEST_RUNS'] = '2000';
await import('./04-read-only-generated.test.ts');
