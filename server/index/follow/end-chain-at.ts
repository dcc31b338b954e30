import type { Head, LiteServer } from '../../chain/liteserver.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { createSource } from './source.ts'

/**
 * Makes a chain look as if it ended with block `last`, so that an index stops there. `reverts`: true if the chain can be reverted. The id of block `last` is
 * then used without a proof, otherwise the chain's head has to prove the id.
 */
export const chainUpTo = (server: LiteServer, last: number, reverts: boolean): LiteServer => {
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
