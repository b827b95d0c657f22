import { subjects } from '../databases/kit/subjects.ts';
import { testStoredContent } from './stored-content.ts';

for (const subject of subjects.slice(1)) testStoredContent(subject);
