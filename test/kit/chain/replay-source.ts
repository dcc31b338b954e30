import { once } from 'node:events'
import { systemClock } from '../../../server/base/clock.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import { createAnswers } from '../../../server/chain/local/answers/answers.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createReplayStore, type ReplayStore } from '../index/replay-store.ts'

const refuse = (): never => {
  throw new Error('nothing is run here')
}
/** Blocks are only read, so no TVM is needed. */
const noTvm = new Proxy({}, { get: () => refuse }) as Tvm

/** A lite-server of recorded blocks. */
export const createReplaySource = (
  last = 199,
  store: ReplayStore = createReplayStore(last),
): LiteServer & { readonly store: ReplayStore } => {
  const { query } = createAnswers({ store, tvm: noTvm, sendMessage: () => Promise.reject(new Error('read only')), clock: systemClock })
  return { query, heads: store.heads, head: store.head, store }
}

/** The same lite-server with heads 1 to `last`, each only after the head before it has been indexed. */
export const stepwise = ({ query, store }: ReturnType<typeof createReplaySource>, last: number): LiteServer => ({
  query,
  async *heads(signal) {
    const masters = store.index.filter(({ workchain, seqno }) => workchain === -1 && seqno <= last).sort((a, b) => a.seqno - b.seqno)
    for (const row of masters) yield { id: store.idOf(row), utime: row.gen_utime, epoch: 0 }
    if (!signal.aborted) await once(signal, 'abort')
  },
})
