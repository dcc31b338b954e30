import { writeSync } from 'node:fs'
import { silentLog } from '../../../server/base/log.ts'
import { createIndexer } from '../../../server/index/service/indexer.ts'
import { createReplaySource } from '../chain/replay-source.ts'
import { openOwnStore } from './own-store.ts'

/*
 * An indexer on a stored database that the parent kills: `node index-child.js <data directory> <last>`. Writes `begun` when the database is open,
 * `at <seqno>` on progress and `done` at the end.
 */

const [dataDir, last] = [process.argv[2]!, Number(process.argv[3])]
const replay = createReplaySource(last)
const store = await openOwnStore({ dataDir })
writeSync(1, 'begun\n')
const master = replay.store.index.filter((row) => row.workchain === -1 && row.seqno <= last).sort((a, b) => a.seqno - b.seqno)
const indexer = createIndexer({
  source: {
    query: replay.query,
    // Heads come block by block, as for a live chain. The first blocks are indexed at once.
    async *heads(signal) {
      for (const row of master.slice(60)) yield { id: replay.store.idOf(row), utime: row.gen_utime, epoch: 0 }
      if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    },
  },
  connection: store.connection,
  network: 'test',
  log: silentLog,
})
let told = -1
const telling = setInterval(() => {
  const { seqno } = indexer.status()
  if (seqno > told) writeSync(1, `at ${seqno}\n`)
  told = seqno
}, 5)
await indexer.reached(last, new AbortController().signal)
clearInterval(telling)
await indexer.close()
await store.close()
writeSync(1, 'done\n')
