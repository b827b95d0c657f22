import { configureGlobal } from 'fast-check';

configureGlobal({ seed: Number(process.env['STUDIO_TEST_SEED']) });
