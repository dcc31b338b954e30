import { hold } from './hold.ts'
import type { Host } from './host.ts'

/**
 * A `fetch` for the client of a tonway in this process, and for nothing else: it passes the text of a call to `ask`. Its response has only the members that
 * the client reads, because a real Request and Response cost more than most calls. Throws once `isClosed` returns true.
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
