import type { ClientConfig } from 'pg'
import type { Call } from '../../../server/base/call.ts'
import { silentLog } from '../../../server/base/log.ts'
import { createChain } from '../../../server/chain/chain.ts'
import type { Chain } from '../../../server/chain/chain-port.ts'
import { type LiteServer, LiteServerError } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { formatDifference } from '../../../server/index/verify/compare.ts'
import { verifyIndex } from '../../../server/index/verify/verify.ts'
import { createLocalHandlers } from '../../../server/local/index.ts'
import { createReader } from '../../../server/store/postgres/reader.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createV3Handlers } from '../../../server/v3/index.ts'
import { parseParams } from '../../../shared/params.ts'
import { type MethodName, type ParamsIn, type Result, registry } from '../../../shared/registry.ts'
import { differences, dump, indexUpTo, startIndexer } from '../../index/kit.ts'
import { createTestChain } from '../chain/local-chain.ts'
import { createTestTvm } from '../chain/tvm.ts'
import { type ResultHandler, resultsOf } from '../service/results.ts'
import { sleep } from '../wait.ts'
import { startTestServer, type TestServer } from './database.ts'

/* An embedded chain with its index and the methods that read the index, without HTTP. */

export interface LocalIndex {
  readonly local: LocalChain
  readonly chain: Chain
  readonly tvm: Tvm
  readonly server: TestServer
  readonly database: ClientConfig
  /** Calls a v3 or local method and checks the result against the registry. */
  call<M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>>
  /** Waits until the index has the last block of the chain. */
  indexed(): Promise<void>
  /** gen_utime of the last masterchain block. */
  utime(): number
  /** The differences that `tonway verify` finds, as text. */
  verified(): Promise<readonly string[]>
  /** Calls a v3 method on an index that starts at this masterchain block, from a source without whole states. */
  fromMiddle<M extends MethodName>(seqno: number, method: M, params: ParamsIn<M>): Promise<Result<M>>
  /** A database with an index built from the whole chain at once. */
  fresh(): Promise<ClientConfig>
  /** Differences between this index and one built from the whole chain at once. */
  madeAnew(): Promise<readonly string[]>
  close(): Promise<void>
}

export const startLocalIndex = async (): Promise<LocalIndex> => {
  const patience = (): AbortSignal => AbortSignal.timeout(60_000)
  const tvm = createTestTvm({ workers: 1 })
  const server = await startTestServer()
  const database = await server.database()
  const local = await createTestChain(tvm)
  const indexer = startIndexer(local, database, { tvm })
  const chain = createChain({ source: local, tvm })
  const reader = createReader(database, { connections: 2, statementTimeout: 20_000 })
  const handlers = {
    ...resultsOf(createV3Handlers({ reader, v2: {} as never })),
    ...(createLocalHandlers({ control: local.control, chain }) as unknown as Readonly<Record<string, ResultHandler>>),
  }
  const { signal } = new AbortController()
  const call = { signal, requestId: '', log: silentLog, localAllowed: true, network: 'local' } as Call
  const self: LocalIndex = {
    local,
    chain,
    tvm,
    server,
    database,
    async call(method, params) {
      const result = await handlers[method]!(parseParams(registry[method], params, 'body'), call)
      const parsed = registry[method].result.safeParse(result)
      if (!parsed.success) throw new Error(`${method}: the result is not what the registry says: ${parsed.error.message}`)
      return result as never
    },
    async indexed() {
      const given = patience()
      for (;;) {
        const { seqno, rootHash } = local.head!().id
        await indexer.reached(seqno, AbortSignal.any([given, AbortSignal.timeout(200)])).catch(() => {})
        const [row] = await server.run<{ seqno: number; root: Buffer }>(
          database,
          'select h.mc_seqno as seqno, c.root_hash as root from published_head h, index_checkpoint c',
        )
        // After a rollback the chain can have the same number of blocks, so the hash is compared too.
        if (row?.seqno === seqno && row.root.equals(rootHash)) return
        // A failed index fails the test at once.
        const { error } = indexer.status()
        if (error !== '') throw new Error(error)
        given.throwIfAborted()
        await sleep(5)
      }
    },
    utime: () => local.head!().utime,
    async verified() {
      await self.indexed()
      const report = await verifyIndex({ source: local, connection: database, tvm }, patience())
      return report.differences.map(formatDifference)
    },
    async fromMiddle(seqno, method, params) {
      const other = await server.database()
      const source: LiteServer = {
        ...local,
        query: (asked, args, signal) =>
          asked === 'getState' && (args as { readonly id: BlockId }).id.seqno > 0
            ? Promise.reject(new LiteServerError(651, 'no whole states here'))
            : local.query(asked, args, signal),
      }
      await indexUpTo(source, other, local.head!().id.seqno, { tvm, from: seqno })
      const own = createReader(other, { connections: 1, statementTimeout: 20_000 })
      try {
        const read = resultsOf(createV3Handlers({ reader: own, v2: {} as never }))
        return (await read[method]!(parseParams(registry[method], params, 'body'), call)) as never
      } finally {
        await own.close()
      }
    },
    async fresh() {
      await self.indexed()
      const other = await server.database()
      await indexUpTo(local, other, local.head!().id.seqno, { tvm })
      return other
    },
    async madeAnew() {
      return differences(await dump(database), await dump(await self.fresh()))
    },
    async close() {
      await indexer.close()
      await reader.close()
      await local.close()
      await server.close()
      await tvm.close()
    },
  }
  await self.indexed()
  return self
}
