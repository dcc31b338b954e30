import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import type { VitestPluginContext } from 'vitest/node'
import { tolkForVite } from './server/build/tolk.mjs'
import { LongestFirst } from './test/kit/longest-first.ts'

const filesOf = (...rooms: readonly string[]): string[] => rooms.map((room) => `test/${room}/**/*.test.ts`)

/** Files that take long: `npm run test:slow`. All others are run by `npm test`. */
const SLOW = 'test/**/*.slow.test.ts'
/**
 * Rooms whose files share the processes and what these have imported: a file costs a second of processor time less. Their tests take back what they change: services and databases are
 * closed, spies, timers and globals restored. A file that replaces modules is a slow one, and stands in `APART`.
 */
const SHARED = [
  // The walk reads stacks, which depend on what ran in its process before.
  'test/!(walk).test.ts',
  ...filesOf(
    'actions',
    'base',
    'cell',
    'chain',
    'client',
    'config',
    'conformance',
    'decode',
    'deploy',
    'dispatch',
    'fuzz',
    'http',
    'live',
    'local',
    'net',
    'network',
    'package',
    'protocols',
    'shared',
    'start',
    'tlb',
    'tvm',
    'v2',
    'wire',
  ),
]
/** Rooms most of whose files use a database: one PostgreSQL is started for all of them. They share their processes as well. */
const DATABASE = filesOf('access', 'cli', 'emulate', 'events', 'hooks', 'index', 'mcp', 'metadata', 'security', 'store', 'v3')
/** On a Citus cluster a statement is several statements of its workers, and a database is one on each node. */
const PATIENCE = process.env['TONWAY_TEST_CITUS_URL'] === undefined ? 1 : 5

/** Slow files that replace modules, or that look at the memory of their process: each has a process of its own. */
const APART = [
  'test/chain/local/full-disk.slow.test.ts',
  'test/client/leaks.slow.test.ts',
  'test/hooks/many.slow.test.ts',
  'test/index/topics/actions.slow.test.ts',
]

/** A test that takes longer than this hangs, or belongs to the slow ones. */
const QUICK_MS = 30_000
const SLOW_MS = 300_000

/** What slow files have besides what is said of their group. */
const SLOW_SETTINGS = {
  testTimeout: SLOW_MS * PATIENCE,
  hookTimeout: SLOW_MS * PATIENCE,
  expect: { poll: { timeout: SLOW_MS / 2, interval: 20 } },
  sequence: { groupOrder: 1 },
}

/** One group of rooms as two projects: `quick-NAME`, and `slow-NAME` of its files that take long. */
const group = (name: string, include: string[], exclude: string[], test: object): TestProjectConfiguration[] => [
  { extends: true, test: { name: `quick-${name}`, include, exclude: ['node_modules/**', SLOW, ...exclude], ...test } },
  {
    extends: true,
    test: {
      name: `slow-${name}`,
      include: include.map((path) => path.replace('.test.ts', '.slow.test.ts')),
      exclude: [...exclude, ...APART],
      ...SLOW_SETTINGS,
      ...test,
    },
  },
]

/** One file after the other in a process that stays. */
const together = { isolate: false, restoreMocks: true, unstubGlobals: true, unstubEnvs: true }

/** Vitest stores what it makes of a module on disk, by the module's text, for all projects and runs. The code of a contract depends on other contracts too, and has a cache of its own. */
const contractsApart = {
  name: 'contracts-apart',
  configureVitest: ({ experimental_defineCacheKeyGenerator: keyFrom }: VitestPluginContext): void =>
    keyFrom(({ id }) => (id.endsWith('.tolk') ? false : undefined)),
}

export default defineConfig({
  plugins: [tolkForVite, contractsApart],
  test: {
    globalSetup: 'test/kit/built.ts',
    projects: [
      ...group('shared', SHARED, [], together),
      ...group('database', DATABASE, [], {
        ...together,
        globalSetup: ['test/kit/built.ts', 'test/kit/index/shared-server.ts'],
        setupFiles: 'test/kit/index/check-statements.ts',
      }),
      ...group('alone', ['test/**/*.test.ts'], [...SHARED, ...DATABASE], {}),
      { extends: true, test: { name: 'slow-apart', include: APART, ...SLOW_SETTINGS } },
    ],
    pool: 'forks',
    // Room for young objects: with the usual 16 MB, a part of the processor time is the copying of those that die soon.
    execArgv: ['--max-semi-space-size=64'],
    // Two cores, and a third process for when one waits: for a time to pass, for a database, for the end of a child.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    experimental: { fsModuleCache: true },
    testTimeout: QUICK_MS * PATIENCE,
    hookTimeout: 2 * QUICK_MS * PATIENCE,
    coverage: { include: ['server/**/*.ts', 'shared/**/*.ts', 'client/**/*.ts'], exclude: ['client/page/**'] },
    expect: { poll: { timeout: 20_000, interval: 20 } },
    reporters: ['default'],
  },
})
