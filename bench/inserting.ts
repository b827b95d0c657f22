/** Measures inserts by 16 clients. Each insert is a durable transaction of its own. */
import { createRandom } from '../src/demo/random.ts';
import { copyDatabase, countEvents, eventCount, makeEvent, removeDatabase } from './database.ts';
import type { JournalMode } from './database.ts';
import { measureAlternately, startLoadClient, warmUp } from './load.ts';
import type { LoadTarget, Figures, LoadRequest, WindowSettings } from './load.ts';
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
    const targets = servers.map(targetOf);
    const warmUpResponses = await warmUp(client, targets);
    const figures = await measureAlternately(client, settings, { connections, targets });
    process.stderr.write('.');
    servers.forEach((server, i) => {
      checkCount(server, figures[i]!, warmUpResponses.get(server.name) ?? 0);
    });
    return { journalMode, connections, figures: new Map(figures.map((each) => [each.name, each])) };
  } finally {
    client.stop();
    await Promise.all(servers.map((server) => server.stop()));
    [limitFile!, studioFile!].forEach(removeDatabase);
  }
}

function targetOf({ name, port, path }: Server): LoadTarget {
  return {
    name,
    port,
    requests: bodies.map((body): LoadRequest => ({ method: 'POST', path, body })),
  };
}

/** Verifies that every confirmed insert is stored, so that a server cannot be fast by losing rows. */
function checkCount({ name, file }: Server, { windows }: Figures, warmUpResponses: number): void {
  const expectedRows = windows.reduce(
    (sum, { allResponses }) => sum + allResponses,
    eventCount + warmUpResponses,
  );
  const storedRows = countEvents(file);
  if (storedRows !== expectedRows)
    throw new Error(
      `${name}: ${storedRows} rows are stored, but ${expectedRows} inserts were confirmed.`,
    );
}
