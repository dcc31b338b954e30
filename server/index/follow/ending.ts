import type { Head, LiteServer } from '../../chain/liteserver.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { createSource } from './source.ts'

export interface EndingOptions {
  /** The masterchain block that is told as the head where the chain is beyond it. */
  readonly last: number
  /** Whether the chain may be taken back; of one that may not be, the block is proven by the head. */
  readonly reverts: boolean
}

/** A chain that ends with a block: an index of it goes no further. */
export const endingWith = (server: LiteServer, { last, reverts }: EndingOptions): LiteServer => {
  const source = createSource(server)

  async function* heads(signal: AbortSignal): AsyncGenerator<Head> {
    let told: BlockId | undefined
    for await (const head of server.heads(signal)) {
      if (head.id.seqno <= last) {
        told = head.id
        yield head
        continue
      }
      if (!reverts && told?.seqno === last) continue
      const id = reverts ? await source.masterId(last, signal) : await source.provenId(last, head.id, signal)
      // The chain has gone back meanwhile, or it is the block that was told.
      if (id === undefined || (told !== undefined && Buffer.compare(told.rootHash, id.rootHash) === 0)) continue
      told = id
      const { info } = await source.block(id, signal)
      yield { id, utime: info.genUtime, epoch: head.epoch }
    }
  }

  return { query: (fn, args, signal) => server.query(fn, args, signal), ...(server.checked && { checked: server.checked }), heads }
}
