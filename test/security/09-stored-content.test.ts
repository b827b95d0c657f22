import { subjects } from '../databases/kit/subjects.ts';
import { testStoredContent } from './stored-content.ts';

// The pages are the same on every database; 09-stored-content.full.test.ts has the others.
testStoredContent(subjects[0]!);
