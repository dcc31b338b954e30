import { systemClock } from '../../../server/base/clock.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import { createAnswers } from '../../../server/chain/local/answers/answers.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { writeBlockProof } from '../../../server/v3/proofs/wire.ts'
import { createReplayStore, type ReplayStore } from '../../kit/index/replay-store.ts'

/* Answers with proofs from recorded blocks of mainnet. */

const { signal } = new AbortController()

export const lite = (store: ReplayStore): LiteServer['query'] =>
  createAnswers({
    store,
    tvm: { runGetMethod: () => Promise.reject(new Error('not here')) },
    sendMessage: () => Promise.resolve(),
    clock: systemClock,
  }).query

export const bytes = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'base64'))
export const base64 = (data: Uint8Array): string => Buffer.from(data).toString('base64')
export const trustedOf = ({ seqno, rootHash, fileHash }: Pick<BlockId, 'seqno' | 'rootHash' | 'fileHash'>) => ({
  seqno,
  root_hash: base64(rootHash),
  file_hash: base64(fileHash),
})

type Params = Readonly<Record<string, unknown>>

/** `v3.blockProof` from recorded blocks. */
export const blockProof = (query: LiteServer['query'], store: ReplayStore) => async (_method: string, params: Params) => {
  const id = (seqno: number): BlockId => store.idOf(store.index.find((row) => row.workchain === -1 && row.seqno === seqno)!)
  const known = {
    workchain: -1,
    shard: 1n << 63n,
    seqno: Number(params['seqno']),
    rootHash: bytes(params['root_hash']),
    fileHash: bytes(params['file_hash']),
  }
  const to = params['to_seqno']
  return writeBlockProof(await query('getBlockProof', { known, ...(to === undefined ? {} : { target: id(Number(to)) }), mode: 0 }, signal))
}

export const replay = (last?: number) => {
  const store = createReplayStore(last)
  return { store, query: lite(store) }
}
