import { hold } from './hold.ts'
import type { Host } from './host.ts'

/**
 * `fetch` for the client of a tonway alone: it posts the text of a call to `ask`. What it resolves with has only the members of a Response that the client reads,
 * because a Request and a Response of node cost more than most calls.
 * It fails when `isClosed` says so.
 */
export const createInProcessFetch =
  (ask: NonNullable<Host['ask']>, isClosed: () => boolean): typeof fetch =>
  async (_, init) => {
    if (isClosed()) throw new Error('this tonway is closed')
    const { body, signal } = init as { readonly body: string; readonly signal: AbortSignal }
    const text = await hold(ask(body, signal))
    const answer: Pick<Response, 'status' | 'text'> & { readonly headers: Pick<Headers, 'get'> } = {
      status: 200,
      headers: { get: () => null },
      text: async () => text ?? '',
    }
    return answer as Response
  }
