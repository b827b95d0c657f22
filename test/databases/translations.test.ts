import { testTranslations } from './translations/test-translations.ts';

testTranslations({ tables: 6 });
