import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { type LiteAnswer, type LiteFunction, type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { readData } from '../data.ts'
import { type IndexRow, readSet } from './replay-store.ts'

/* Sets of recorded masterchain blocks from the middle of the chain, with the state before the first block if it was recorded. */

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))
const idOf = (row: Pick<IndexRow, 'workchain' | 'shard' | 'seqno' | 'root_hash' | 'file_hash'>): BlockId => ({
  workchain: row.workchain,
  shard: BigInt(`0x${row.shard}`),
  seqno: row.seqno,
  rootHash: hex(row.root_hash),
  fileHash: hex(row.file_hash),
})

/** The answer of a lite-server that does not have the data. */
const missing = (): never => {
  throw new LiteServerError(651, 'not in the recorded set')
}

export interface SetSource extends LiteServer {
  readonly first: number
  readonly last: number
}

/** `state`: file with the state before the first block. */
export const createSetSource = (name: string, state?: string): SetSource => {
  const { index, rows } = readSet(name)
  const master = index.filter(({ workchain }) => workchain === -1).sort((a, b) => a.seqno - b.seqno)
  const zero = readSet('mainnet-genesis').index.find((row) => row.workchain === -1 && row.seqno === 1)!.prev[0]!
  const bocs = new Map(rows.map((row) => [row.root_hash, Buffer.from(row.boc, 'base64')]))
  const before = master[0]!.prev[0]!
  const stateRoot: Cell | undefined = state === undefined ? undefined : parseBocRoot(readData(`chain/${state}`))
  const head = { id: idOf(master.at(-1)!), utime: master.at(-1)!.gen_utime, epoch: 0 }
  const init = { workchain: -1, rootHash: hex(zero.root_hash), fileHash: hex(zero.file_hash) }
  return {
    first: master[0]!.seqno,
    last: head.id.seqno,
    async query<F extends LiteFunction>(fn: F, args: never): Promise<LiteAnswer<F>> {
      const { id } = args as { readonly id: BlockId }
      const answer = (): unknown => {
        switch (fn as LiteFunction) {
          case 'getMasterchainInfo':
            return { last: head.id, stateRootHash: new Uint8Array(32), init }
          case 'lookupBlock': {
            const row = master.find(({ seqno }) => seqno === id.seqno)
            return row ? { id: idOf(row), mode: 0, headerProof: new Uint8Array(0) } : missing()
          }
          case 'getBlock': {
            const data = bocs.get(Buffer.from(id.rootHash).toString('hex'))
            return data ? { id, data } : missing()
          }
          case 'getState': {
            if (stateRoot === undefined || Buffer.from(id.rootHash).toString('hex') !== before.root_hash) return missing()
            return { id, rootHash: stateRoot.hash(), fileHash: new Uint8Array(32), data: serializeBoc(stateRoot) }
          }
          default:
            return missing()
        }
      }
      return answer() as LiteAnswer<F>
    },
    head: () => head,
    async *heads(signal) {
      yield head
      if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    },
  }
}
