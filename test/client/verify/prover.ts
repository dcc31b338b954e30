import type { BlockProofParams } from '../../../client/verify/index.ts'
import { systemClock } from '../../../server/base/clock.ts'
import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import { createAnswers } from '../../../server/chain/local/answers/answers.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { writeBlockProof } from '../../../server/v3/proofs/wire.ts'
import { createReplayStore, type ReplayStore, readSet, signaturesOf } from '../../kit/index/replay-store.ts'
import { loadBlockProof } from '../../kit/tlb/block-proof.ts'

/* `v3.blockProof` from recorded blocks of mainnet, which its validators signed. */

const { signal } = new AbortController()
const fromBase64 = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'base64'))
const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
const base64 = (data: Uint8Array): string => Buffer.from(data).toString('base64')

/** A block as a light client is told to trust it. */
const trustedOf = ({ seqno, rootHash, fileHash }: Pick<BlockId, 'seqno' | 'rootHash' | 'fileHash'>) => ({
  seqno,
  root_hash: base64(rootHash),
  file_hash: base64(fileHash),
})

export type BlockProof = ReturnType<typeof writeBlockProof>
export type CallBlockProof = (method: 'v3.blockProof', params: BlockProofParams) => Promise<BlockProof>

const masterOf = (store: ReplayStore, seqno: number): BlockId =>
  seqno === 0
    ? { ...store.zeroState, shard: 1n << 63n, seqno }
    : store.idOf(store.index.find((row) => row.workchain === -1 && row.seqno === seqno)!)

/** Mainnet from its zerostate to masterchain block 199, as a server. */
export const serveGenesis = () => {
  const store = createReplayStore()
  const { query }: Pick<LiteServer, 'query'> = createAnswers({
    store,
    tvm: { runGetMethod: () => Promise.reject(new Error('not here')) },
    sendMessage: () => Promise.resolve(),
    clock: systemClock,
  })
  const call: CallBlockProof = async (_, { seqno, root_hash, file_hash, to_seqno }) => {
    const from = {
      workchain: -1,
      shard: 1n << 63n,
      seqno: Number(seqno),
      rootHash: fromBase64(root_hash),
      fileHash: fromBase64(file_hash),
    }
    const target = to_seqno === undefined ? {} : { target: masterOf(store, Number(to_seqno)) }
    return writeBlockProof(await query('getBlockProof', { from, ...target, mode: 0 }, signal))
  }
  return { call, zerostate: trustedOf({ seqno: 0, ...store.zeroState }), block: (seqno: number) => trustedOf(masterOf(store, seqno)) }
}

/** Key block 3082181 of mainnet and the blocks after it, signed by a shuffled set of validators. */
export const serveKeyBlock = () => {
  const { index, rows } = readSet('mainnet-mc-3082181-3082201')
  const blocks = rows.map((row, i) => {
    const { root_hash, file_hash, seqno } = index[i]!
    const id = { workchain: -1, shard: 1n << 63n, seqno, rootHash: fromHex(root_hash), fileHash: fromHex(file_hash) }
    const proof = parseBocRoot(fromBase64(row.proof))
    return { id, proof: serializeBoc(loadBlockProof(proof).root), signatures: signaturesOf(proof) }
  })
  const [key, ...others] = blocks
  const call: CallBlockProof = async (_, { to_seqno }) => {
    const to = others.find(({ id }) => id.seqno === to_seqno) ?? others.at(-1)!
    const link = { type: 'forward', toKeyBlock: false, from: key!.id, to: to.id, destProof: to.proof, configProof: key!.proof } as const
    return writeBlockProof({ complete: true, from: key!.id, to: to.id, steps: [{ ...link, signatures: to.signatures! }] })
  }
  return { call, key: trustedOf(key!.id), block: (i: number) => trustedOf(others[i]!.id) }
}
