/** Translates more random schemas between the databases than `translations.test.ts` does. */
import { testTranslations } from './translations/test-translations.ts';

testTranslations({ tables: 300 });
