import { LiteSingleEngine } from 'ton-lite-client'
// The package has no exports map, and its functions stand nowhere else.
import { Functions } from 'ton-lite-client/dist/schema.js'
import { silentLog } from '../../../server/base/log.ts'
import { createKey } from '../../../server/chain/adnl/keys.ts'
import { startEndpoint } from '../../../server/chain/endpoint/server.ts'
import { createLiteClient } from '../../../server/chain/lite/client.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import { createLiteTl } from '../../../server/chain/tl/lite-queries.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../server/tlb/ids.ts'

/* One endpoint, and two clients of it: ours and ton-lite-client. */

const { signal } = new AbortController()
const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const id: BlockId = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 77, rootHash: hash(1), fileHash: hash(2) }
const init = { workchain: MASTERCHAIN, rootHash: hash(4), fileHash: hash(5) }

/** A source whose answers cost nothing, so that what is measured is the way there and back. */
const still = (block: Uint8Array): LiteServer => ({
  query: async (fn) => (fn === 'getBlock' ? { id, data: block } : { last: id, stateRootHash: hash(3), init }) as never,
  async *heads() {},
})

export interface Peers {
  /** The head, and a block of the size that was asked for. */
  readonly ours: { head(): Promise<unknown>; block(): Promise<unknown> }
  readonly theirs: { head(): Promise<unknown>; block(): Promise<unknown> }
  close(): Promise<void>
}

/** Both clients connected to an endpoint of this process whose block has so many bytes. */
export const openPeers = async (blockBytes: number): Promise<Peers> => {
  const key = createKey()
  const endpoint = await startEndpoint(still(new Uint8Array(blockBytes).fill(7)), { host: '127.0.0.1', port: 0, key }, { log: silentLog })
  const client = createLiteClient({ ...endpoint, key: key.publicKey }, { tl: createLiteTl(), onChange: () => undefined })
  const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${endpoint.port}`, publicKey: Buffer.from(key.publicKey) })
  await new Promise<void>((resolve) => engine.once('ready', () => resolve()))
  await client.query('getMasterchainInfo', {}, signal)
  const [rootHash, fileHash] = [Buffer.from(id.rootHash), Buffer.from(id.fileHash)]
  const named = { kind: 'tonNode.blockIdExt', workchain: -1, shard: '-9223372036854775808', seqno: id.seqno, rootHash, fileHash } as const
  return {
    // Each caller has a signal of its own.
    ours: {
      head: () => client.query('getMasterchainInfo', {}, new AbortController().signal),
      block: () => client.query('getBlock', { id }, signal),
    },
    theirs: {
      head: () => engine.query(Functions.liteServer_getMasterchainInfo, { kind: 'liteServer.getMasterchainInfo' }),
      block: () => engine.query(Functions.liteServer_getBlock, { kind: 'liteServer.getBlock', id: named }),
    },
    async close() {
      client.close()
      engine.close()
      await endpoint.close()
    },
  }
}
