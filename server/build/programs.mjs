/** Modules of the package `tonway`, by their names in server/start: `import 'tonway'`, `import 'tonway/vitest'` ... */
export const ENTRIES = ['tonway', 'expect', 'vitest', 'jest', 'node-test']

/** Entry points of the build: the process, its threads, and the modules of the package. Keys are paths below dist/ without extension, values are sources. */
export const PROGRAMS = {
  'server/main': 'server/main.ts',
  'server/base/worker': 'server/base/stalls/worker.ts',
  'server/tvm/worker': 'server/tvm/worker.ts',
  'server/start/thread/worker': 'server/start/thread/worker.ts',
  'server/v3/worker': 'server/v3/large-pages/worker.ts',
  ...Object.fromEntries(ENTRIES.map((name) => [`server/start/${name}`, `server/start/${name}.ts`])),
}
