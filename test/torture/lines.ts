import type { Line } from './line.ts'
import { BACKFILL } from './lines/backfill.ts'
import { DATABASE } from './lines/database.ts'
import { DISK } from './lines/disk.ts'
import { ENGINES } from './lines/engines.ts'
import { KILLS } from './lines/kills.ts'
import { LIMITER } from './lines/limiter.ts'
import { OVERLOAD } from './lines/overload.ts'
import { PEERS } from './lines/peers.ts'
import { READERS } from './lines/readers.ts'
import { SIMULATION } from './lines/simulation.ts'
import { SOAK } from './lines/soak.ts'
import { STATEMENTS_LINE } from './lines/statements.ts'
import { SYNC } from './lines/sync.ts'
import { WRITES_LINE } from './lines/writes.ts'

/** The lines of `npm run torture`, by name. */
export const LINES: Readonly<Record<string, Line>> = {
  ...KILLS,
  ...DATABASE,
  ...PEERS,
  disk: DISK,
  sync: SYNC,
  ...READERS,
  ...BACKFILL,
  statements: STATEMENTS_LINE,
  writes: WRITES_LINE,
  simulation: SIMULATION,
  ...ENGINES,
  limiter: LIMITER,
  overload: OVERLOAD,
  soak: SOAK,
}
