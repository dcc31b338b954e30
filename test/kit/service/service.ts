import { mnemonicToPrivateKey } from '@ton/crypto'
import { type MethodName, type ParamsIn, type Result, registry } from '../../../shared/registry.ts'
import { startTestServer, urlOf } from '../index/database.ts'
import { ask, checked, post, rpc, rpcRequest, unwrap } from './client.ts'
import { startTonway, type TonwayOptions } from './tonway.ts'

/** The whole service over an embedded chain that makes a block only when there is something to put in, and ways to call it. */
export const startService = async (options: TonwayOptions = {}) => {
  const tonway = await startTonway({ blockTime: 0, ...options })
  const { url } = tonway
  const raw = (path: string, body: unknown) => post(url + path, body)
  return {
    url,
    tonway,
    /** One call, its result checked against the registry. `local.*` has no path of its own; it is called by strict JSON-RPC. Throws CallError. */
    async call<M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>> {
      const result =
        registry[method].rest === 'none' ? await rpc(url, method, params) : unwrap(await raw('/api/v2/jsonRPC', rpcRequest(method, params)))
      return checked(method, result)
    },
    get: async (method: string, query: Record<string, string>) =>
      unwrap(await ask(`${url}/api/v2/${method}?${new URLSearchParams(query)}`)),
    post: async (method: string, body: unknown) => unwrap(await raw(`/api/v2/${method}`, body)),
    raw,
    close: tonway.close,
  }
}
export type Service = Awaited<ReturnType<typeof startService>>

/** The whole service with its index, over an embedded chain that makes a block only when there is something to put in. */
export const startV3 = async (options: TonwayOptions = {}) => {
  const server = options.databaseUrl === undefined ? await startTestServer() : undefined
  const databaseUrl = options.databaseUrl ?? urlOf(await server!.database())
  const tonway = await startTonway({ blockTime: 0, index: true, ...options, databaseUrl })
  const { url } = tonway
  const index = tonway.app.network.index
  if (!index) throw new Error('the index is off')
  const service = {
    url,
    tonway,
    /** One call over JSON-RPC, its result checked against the registry. Throws for a refusal. */
    async call<M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>> {
      return checked(method, await rpc(url, method, params))
    },
    /** A GET of the REST mirror. */
    get: <T = unknown>(path: string) => ask<T>(`${url}/api/v3/${path}`),
    post: <T = unknown>(path: string, body: unknown) => post<T>(`${url}/api/v3/${path}`, body),
    /** Waits until the index shows what the chain has. */
    indexed: (): Promise<void> => index.reached(tonway.app.network.chain.head().id.seqno, AbortSignal.timeout(120_000)),
    /** Mines until nothing is on its way, and waits for the index. */
    async settle(): Promise<void> {
      await rpc(url, 'local.mine', { count: 4 })
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
