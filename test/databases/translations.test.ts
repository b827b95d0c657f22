import { testTranslations } from './translations/test-translations.ts';

testTranslations(6);
