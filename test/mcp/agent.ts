import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/* An agent: the official client, of 2026-07-28 or of 2025. */

export type Era = '2026-07-28' | 'legacy'

export interface Agent extends AsyncDisposable {
  readonly client: Client
  /** Calls a tool and reads the JSON between the marks of its answer. */
  ask(name: string, args?: Record<string, unknown>): Promise<{ readonly isError: boolean; readonly value: unknown; readonly text: string }>
}

/** What an answer says between its marks, or all of it if it has none. */
const dataOf = (text: string): unknown => {
  const [, , marked] = /^<(data-[0-9a-f]{12})>\n(.*)\n<\/\1>$/ms.exec(text) ?? []
  return JSON.parse(marked ?? text)
}

export const connectAgent = async (url: string, era: Era = '2026-07-28', headers: Record<string, string> = {}): Promise<Agent> => {
  const client = new Client(
    { name: 'agent', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  return {
    client,
    async ask(name, args = {}) {
      const { content, isError } = await client.callTool({ name, arguments: args })
      const [first] = content as readonly { readonly text: string }[]
      return { isError: isError === true, value: dataOf(first!.text), text: first!.text }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** A POST as an agent of 2025 sends it. */
export const postMessage = async (url: string, body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body,
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export const toolCall = (name: string, args: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
