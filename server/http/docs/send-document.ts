import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createPauses } from '../../base/yield.ts'
import { sendBody } from '../answer-forms.ts'
import type { Context } from '../context.ts'

const compress = promisify(gzip)

export interface Document {
  /** Extension of a file's name, for which Koa has the content type. */
  readonly type: string
  readonly text: string
  /** Headers that add to the common headers or replace them. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a document that is the same for all callers. */
export type SendDocument = (ctx: Context, document: Document) => Promise<void>

/**
 * Each document is encoded and compressed once. There are few: files of the page, and some for each network, with and without its URL prefix. All answers
 * share its bytes: a text would be encoded again for each client that does not read, a megabyte each.
 */
export const createDocumentSender = (): SendDocument => {
  const encoded = new Map<string, { readonly plain: Buffer; gzip?: Promise<Buffer> }>()
  return async (ctx, { type, text, headers }) => {
    // A client that does not accept gzip gets plain text. Compressing the document for each request would cost 10 ms, and files of the page are not
    // rate-limited.
    ctx.compress = false
    ctx.set({ ...headers })
    ctx.type = type
    ctx.vary('Accept-Encoding')
    const bodies = encoded.get(text) ?? { plain: Buffer.from(text) }
    encoded.set(text, bodies)
    // Requests of many connections arrive in one event-loop turn, and the kernel copies a megabyte for each.
    await createPauses()()
    const fullType = ctx.response.get('Content-Type')
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return sendBody(ctx, 200, fullType, bodies.plain)
    bodies.gzip ??= compress(bodies.plain, { level: 9 })
    const body = await bodies.gzip
    ctx.set('Content-Encoding', 'gzip')
    sendBody(ctx, 200, fullType, body)
  }
}
