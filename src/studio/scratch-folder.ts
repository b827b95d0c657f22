/** For who is above the studio. */
export { makeFolder, removeFolder } from '../processes/scratch-folder.ts';
