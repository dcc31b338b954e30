import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { sendBody } from '../answer-forms.ts'
import type { Context } from '../context.ts'

const compress = promisify(gzip)

export interface Document {
  readonly type: string
  readonly text: string
  /** Headers that add to the common headers or replace them. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a document that is the same for all callers. */
export type SendDocument = (ctx: Context, document: Document) => Promise<void>

/** Each document is compressed once. There are few: files of the page, and some for each network, with and without its URL prefix. */
export const createDocumentSender = (): SendDocument => {
  const compressed = new Map<string, Promise<Buffer>>()
  return async (ctx, { type, text, headers }) => {
    // A client that does not accept gzip gets plain text. Compressing the document for each request would cost 10 ms, and files of the page are not
    // rate-limited.
    ctx.compress = false
    ctx.set({ ...headers })
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return sendBody(ctx, 200, type, text)
    const small = compressed.get(text) ?? compress(text, { level: 9 })
    compressed.set(text, small)
    const body = await small
    ctx.set('Content-Encoding', 'gzip')
    sendBody(ctx, 200, type, body)
  }
}
