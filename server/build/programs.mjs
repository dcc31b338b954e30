/** Programs of the build: the process and the threads that it starts. Name below dist/ -> source. */
export const PROGRAMS = {
  'server/main': 'server/main.ts',
  'server/tvm/worker': 'server/tvm/worker.ts',
  'server/chain/local/thread/worker': 'server/chain/local/thread/worker.ts',
  'server/index/worker': 'server/index/thread/worker.ts',
  'server/v3/worker': 'server/v3/pages/worker.ts',
}
