import type { Head, LiteServer } from '../../chain/liteserver.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { createSource } from './source.ts'

export interface UpToOptions {
  /** Seqno of the block that is reported as the head once the chain has later blocks. */
  readonly last: number
  /** True if the chain can be reverted. The id of block `last` is then used without a proof, otherwise the chain's head has to prove the id. */
  readonly reverts: boolean
}

/** Makes a chain look as if it ended with block `last`, so that an index stops there. */
export const chainUpTo = (server: LiteServer, { last, reverts }: UpToOptions): LiteServer => {
  const source = createSource(server)

  async function* heads(signal: AbortSignal): AsyncGenerator<Head> {
    let reported: BlockId | undefined
    for await (const head of server.heads(signal)) {
      if (head.id.seqno <= last) {
        reported = head.id
        yield head
        continue
      }
      if (!reverts && reported?.seqno === last) continue
      const id = reverts ? await source.masterId(last, signal) : await source.provenId(last, head.id, signal)
      // There is nothing to report: the chain was reverted below `last`, or this block was already reported.
      if (id === undefined || (reported !== undefined && Buffer.compare(reported.rootHash, id.rootHash) === 0)) continue
      reported = id
      const { info } = await source.block(id, signal)
      yield { id, utime: info.genUtime, epoch: head.epoch }
    }
  }

  return { query: (fn, args, signal) => server.query(fn, args, signal), ...(server.checked && { checked: server.checked }), heads }
}
