/** Modules of the package `tonway`, by their names in server/start: `import 'tonway'`, `import 'tonway/vitest'` ... */
export const ENTRIES = ['tonway', 'expect', 'vitest', 'jest', 'node-test']

/**
 * Threads for whose start a caller waits. Each is built into one file, which starts in half the processor time (compiled.mjs). Those of the TVM are not among them:
 * with such a file a process had 2 MB more at rest, after one get-method.
 */
export const THREADS = {
  'server/chain/local/thread/worker': 'server/chain/local/thread/worker.ts',
}

/** Programs of the build: the process, the threads that it starts, and the modules of the package. Name below dist/ -> source. */
export const PROGRAMS = {
  'server/main': 'server/main.ts',
  ...THREADS,
  'server/base/worker': 'server/base/stalls/worker.ts',
  'server/tvm/worker': 'server/tvm/worker.ts',
  'server/index/worker': 'server/index/thread/worker.ts',
  'server/start/thread/worker': 'server/start/load/thread.ts',
  'server/v3/worker': 'server/v3/large-pages/worker.ts',
  ...Object.fromEntries(ENTRIES.map((name) => [`server/start/${name}`, `server/start/${name}.ts`])),
  // Loads the code of the package, which is built into one file (compiled.mjs).
  'server/start/tonway': 'server/start/load/tonway.ts',
}
