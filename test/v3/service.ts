import { mnemonicToPrivateKey } from '@ton/crypto'
import { type MethodName, type ParamsIn, type Result, registry } from '../../shared/registry.ts'
import { startTestServer } from '../kit/index/database.ts'
import { startTonway, type TonwayOptions } from '../kit/service/tonway.ts'

/** The whole service with its index, over an embedded chain that makes a block only when there is something to put in. */
export const startV3 = async (options: TonwayOptions = {}) => {
  // On a server that is given each service has a database of its own.
  const server = process.env['DATABASE_URL'] === undefined ? undefined : await startTestServer()
  const databaseUrl = (await server?.database())?.connectionString
  const tonway = await startTonway({ blockTime: 0, index: true, ...(databaseUrl !== undefined && { databaseUrl }), ...options })
  const { url } = tonway
  const index = tonway.app.network.index
  if (!index) throw new Error('the index is off')
  const strict = async (method: string, params: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/jsonRPC`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const body = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (body.error) throw new Error(`${method}: ${body.error.message}`)
    return body.result
  }
  const service = {
    url,
    tonway,
    /** One call over JSON-RPC, its result checked against the registry. Throws for a refusal. */
    async call<M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>> {
      const result = await strict(method, params)
      const parsed = registry[method].result.safeParse(result)
      if (!parsed.success) throw new Error(`${method}: the result is not what the registry says: ${parsed.error.message}`)
      return result as Result<M>
    },
    /** A GET of the REST mirror. */
    get: (path: string): Promise<Response> => fetch(`${url}/api/v3/${path}`),
    post: (path: string, body: unknown): Promise<Response> =>
      fetch(`${url}/api/v3/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    /** Waits until the index shows what the chain has. */
    indexed: (): Promise<void> => index.reached(tonway.app.network.chain.head().id.seqno, AbortSignal.timeout(120_000)),
    /** Mines until nothing is on its way, and waits for the index. */
    async settle(): Promise<void> {
      await strict('local.mine', { count: 4 })
      await service.indexed()
    },
    /** Keys of the first funded v4 wallet. */
    async faucet() {
      const { wallets } = await service.call('local.wallets', {})
      const wallet = wallets.find(({ version }) => version === 'v4R2')!
      return { ...wallet, keys: await mnemonicToPrivateKey(wallet.mnemonic) }
    },
    async close() {
      await tonway.close()
      await server?.close()
    },
  }
  return service
}
export type V3Service = Awaited<ReturnType<typeof startV3>>
