import type { MethodName, ParamsIn, Result } from '../../shared/registry.ts'
import { registry } from '../../shared/registry.ts'
import { ask, checked, post, rpc, rpcRequest, unwrap } from '../kit/service/client.ts'
import { startTonway, type TonwayOptions } from '../kit/service/tonway.ts'

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
