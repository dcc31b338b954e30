import { WebSocket } from 'ws'
import { resolve } from '../../../shared/registry.ts'
import { restPath } from './rest-path.ts'

/** An answer in one form for all transports: the result, or the status and text of the refusal. */
export type Reply = { readonly result: unknown } | { readonly status: number; readonly error: string }

/** A way to call a method that a client can use. */
export type WayToCall = (method: string, params: object) => Promise<Reply>

const JSON_HEADERS = { 'Content-Type': 'application/json' }

/** Reads the REST envelope and TON Center's JSON-RPC. */
const fromEnvelope = async (response: Response): Promise<Reply> => {
  const body = (await response.json()) as { ok: boolean; result?: unknown; error?: string; code?: number }
  if (body.ok) return { result: body.result }
  if (body.code !== response.status) throw new Error(`code ${body.code} under status ${response.status}`)
  return { status: response.status, error: String(body.error) }
}

/** Reads v3's plain body. */
const fromBare = async (response: Response): Promise<Reply> => {
  const body = (await response.json()) as { error?: string; code?: number }
  if (response.status === 200) return { result: body }
  if (body.code !== response.status) throw new Error(`code ${body.code} under status ${response.status}`)
  return { status: response.status, error: String(body.error) }
}

/** Reads a strict JSON-RPC answer. The HTTP status of the error kind is looked up, so that answers can be compared with REST. */
const fromStrict = (body: unknown, statusOf: (kind: string) => number): Reply => {
  const answer = body as { jsonrpc: string; result?: unknown; error?: { code: number; message: string; data?: { kind: string } } }
  if (answer.jsonrpc !== '2.0') throw new Error(`not JSON-RPC 2.0: ${JSON.stringify(body)}`)
  if (answer.error) return { status: statusOf(answer.error.data?.kind ?? ''), error: answer.error.message }
  return { result: answer.result }
}

/** The transports. Every read must give the same answer through each of them. */
export const createWaysToCall = (url: string, statusOf: (kind: string) => number): Record<string, WayToCall> => {
  const post = (path: string, body: unknown) =>
    fetch(`${url}${path}`, { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(body) })
  const fromRest = (method: string) => (['v3', 'v4', 'emulate'].includes(resolve(method)?.section ?? '') ? fromBare : fromEnvelope)
  return {
    'REST GET': async (method, params) => {
      const query = new URLSearchParams()
      const { path, others } = restPath(method, params)
      for (const [name, value] of Object.entries(others))
        for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
      return fromRest(method)(await fetch(`${url}${path}?${query}`))
    },
    'REST POST': async (method, params) => fromRest(method)(await post(restPath(method, {}).path, params)),
    dialect: async (method, params) => fromEnvelope(await post('/api/v2/jsonRPC', { id: '1', jsonrpc: '2.0', method, params })),
    strict: async (method, params) =>
      fromStrict(await (await post('/jsonRPC', { id: 1, jsonrpc: '2.0', method, params })).json(), statusOf),
    batch: async (method, params) => {
      const replies = (await (
        await post('/jsonRPC', [
          { id: 'other', jsonrpc: '2.0', method: 'detectHash', params: { hash: 'not a hash' } },
          { id: 'mine', jsonrpc: '2.0', method, params },
        ])
      ).json()) as { id: string }[]
      return fromStrict(
        replies.find((reply) => reply.id === 'mine'),
        statusOf,
      )
    },
    ws: async (method, params) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/jsonRPC`)
      try {
        return await new Promise<Reply>((resolve, reject) => {
          socket.once('error', reject)
          socket.once('open', () => socket.send(JSON.stringify({ id: 1, jsonrpc: '2.0', method, params })))
          socket.once('message', (data) => {
            try {
              resolve(fromStrict(JSON.parse(String(data)), statusOf))
            } catch (error) {
              reject(error)
            }
          })
        })
      } finally {
        socket.close()
      }
    },
  }
}
