import { defineConfig } from 'vitest/config'
import { tolkForVite } from '../server/build/tolk.mjs'

const filesOf = (...rooms: readonly string[]): string[] => rooms.map((room) => `test/${room}/**/*.test.ts`)

/**
 * Rooms whose tests change nothing that outlives their file: no service, no spy on a module, no variable of the environment. Their files share the
 * processes and what these have imported: a file costs a second of processor time less.
 */
const SHARED = filesOf('actions', 'cell', 'decode', 'shared', 'tlb', 'tvm')
/** Rooms most of whose files use a database: one PostgreSQL is started for all of them. */
const DATABASE = filesOf('access', 'cli', 'cluster', 'emulate', 'events', 'index', 'metadata', 'security', 'store', 'v3')

/** On a Citus cluster a statement is several statements of its workers, and a database is one on each node. */
const PATIENCE = process.env['TONWAY_TEST_CITUS_URL'] === undefined ? 1 : 5

export default defineConfig({
  plugins: [tolkForVite],
  test: {
    root: new URL('..', import.meta.url).pathname,
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, isolate: false, restoreMocks: true } },
      {
        extends: true,
        test: {
          name: 'database',
          include: DATABASE,
          globalSetup: 'test/kit/index/shared-server.ts',
          setupFiles: 'test/kit/index/check-statements.ts',
        },
      },
      { extends: true, test: { name: 'alone', include: ['test/**/*.test.ts'], exclude: ['node_modules/**', ...SHARED, ...DATABASE] } },
    ],
    // Two cores: two processes, so that workers of the TVM pool are not starved. A third one was not faster.
    pool: 'forks',
    maxWorkers: 2,
    // What is waited for comes when it comes: a busy machine is no failure.
    testTimeout: 120_000 * PATIENCE,
    hookTimeout: 180_000 * PATIENCE,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    reporters: ['default'],
  },
})
