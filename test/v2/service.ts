import { type MethodName, type ParamsIn, type Result, registry } from '../../shared/registry.ts'
import { startTonway, type TonwayOptions } from '../kit/service/tonway.ts'

/** What a refused call leaves. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The whole service over an embedded chain that makes a block only when there is something to put in, and ways to call it. */
export const startService = async (options: TonwayOptions = {}) => {
  const tonway = await startTonway({ blockTime: 0, ...options })
  const { url } = tonway
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const v2 = async (response: Response): Promise<unknown> => {
    const body = (await response.json()) as { ok: boolean; result?: unknown; error?: string; code?: number }
    if (body.ok === true && response.status === 200) return body.result
    if (body.ok !== false || body.code !== response.status) throw new Error(`no envelope: ${response.status} ${JSON.stringify(body)}`)
    throw new CallError(response.status, String(body.error))
  }
  /** `local.*` has no path of its own; it is called by strict JSON-RPC. */
  const strict = async (method: string, params: unknown): Promise<unknown> => {
    const response = await post('/jsonRPC', { jsonrpc: '2.0', id: 1, method, params })
    const body = (await response.json()) as { result?: unknown; error?: { code: number; message: string; data?: { status?: number } } }
    if (body.error) throw new CallError(body.error.data?.status ?? body.error.code, body.error.message)
    return body.result
  }

  return {
    url,
    tonway,
    /** One call, its result checked against the registry. Throws CallError. */
    async call<M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>> {
      const rpc = { jsonrpc: '2.0', id: 1, method, params }
      const result = registry[method].rest === 'none' ? await strict(method, params) : await v2(await post('/api/v2/jsonRPC', rpc))
      const parsed = registry[method].result.safeParse(result)
      if (!parsed.success) throw new Error(`${method}: the result is not what the registry says: ${parsed.error.message}`)
      return result as Result<M>
    },
    get: async (method: string, query: Record<string, string>) => v2(await fetch(`${url}/api/v2/${method}?${new URLSearchParams(query)}`)),
    post: async (method: string, body: unknown) => v2(await post(`/api/v2/${method}`, body)),
    raw: post,
    close: tonway.close,
  }
}
export type Service = Awaited<ReturnType<typeof startService>>
