/** Inserts by 16 clients, each its own durable transaction, as a program that writes row after row does. */
import { createRandom } from '../src/demo/random.ts';
import { copyDatabase, countEvents, eventCount, makeEvent, removeDatabase } from './database.ts';
import type { JournalMode } from './database.ts';
import { interleave, startLoadClient, warm } from './load.ts';
import type { Contestant, Figures, LoadRequest, WindowSettings } from './load.ts';
import { startLimit, startStudio } from './servers.ts';
import type { RunningServer, StudioSettings } from './servers.ts';

const connections = 16;
const random = createRandom('inserts');
const bodies = Array.from({ length: 2000 }, (_, i) =>
  JSON.stringify(makeEvent(random, eventCount + i)),
);

export interface InsertingFigures {
  readonly journalMode: JournalMode;
  readonly connections: number;
  readonly figures: ReadonlyMap<string, Figures>;
}

interface Server extends RunningServer {
  readonly name: string;
  readonly path: string;
  readonly file: string;
}

export async function measureInserting(
  settings: WindowSettings & StudioSettings,
  journalMode: JournalMode,
): Promise<InsertingFigures> {
  const [limitFile, studioFile] = ['limit', 'studio'].map((name) =>
    copyDatabase(`inserting-${name}`, journalMode),
  );
  const client = startLoadClient();
  const servers: Server[] = [];
  try {
    servers.push({
      name: 'limit',
      path: '/rows',
      file: limitFile!,
      ...(await startLimit(limitFile!)),
    });
    const studio = await startStudio(studioFile!, settings);
    servers.push({
      name: 'studio',
      path: '/studio/api/tables/events/rows',
      file: studioFile!,
      ...studio,
    });
    const contestants = servers.map(contestant);
    const warmed = await warm(client, contestants);
    const figures = await interleave(client, settings, { connections, contestants });
    process.stderr.write('.');
    servers.forEach((server, i) => {
      checkCount(server, figures[i]!, warmed.get(server.name) ?? 0);
    });
    return { journalMode, connections, figures: new Map(figures.map((it) => [it.name, it])) };
  } finally {
    client.stop();
    await Promise.all(servers.map((server) => server.stop()));
    [limitFile!, studioFile!].forEach(removeDatabase);
  }
}

function contestant({ name, port, path }: Server): Contestant {
  return {
    name,
    port,
    requests: bodies.map((body): LoadRequest => ({ method: 'POST', path, body })),
  };
}

/** Each answer is a row: what is fast but not there is not measured. */
function checkCount({ name, file }: Server, { windows }: Figures, warmed: number): void {
  const expected = windows.reduce(
    (sum, { allResponses }) => sum + allResponses,
    eventCount + warmed,
  );
  const found = countEvents(file);
  if (found !== expected) throw new Error(`${name}: ${found} rows, and ${expected} were answered.`);
}
