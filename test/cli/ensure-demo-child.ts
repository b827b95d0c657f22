/** Run as a child process by demo-file.test.ts: makes sure of the real demo in the folder that it is given. */
import { ensureDemo } from '../../src/cli/demo-file.ts';
import { buildDemoFile } from '../../src/demo/build.ts';
import { demoVersion } from '../../src/demo/schema.ts';

await ensureDemo(process.argv[2] ?? '', { version: demoVersion, build: buildDemoFile });
