import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Lru } from '../../base/memory/lru.ts'
import { sendBody } from '../answer-forms.ts'
import { chargeUndispatched } from '../charge-undispatched.ts'
import type { Context } from '../context.ts'

const compress = promisify(gzip)

interface Ready {
  readonly plain: Buffer
  readonly gzip: Buffer
}

/** Maximum number of cached documents. Each network has a few, with and without its URL prefix. */
const MAX_ENCODED = 64

export interface Source {
  /** Key in the cache; unique. */
  readonly name: string
  readonly type: string
  readonly text: () => string | Promise<string>
  /** Headers that add to the common headers or replace them. */
  readonly headers?: Readonly<Record<string, string>>
  /** True if the request does not count as a call. Files of the page are free, because a browser loads them before it can send a key. */
  readonly free?: boolean
}

/** Sends a document that is the same for all callers. It is generated and compressed once. Each request costs one call, unless `free` is set. */
export type SendDocument = (ctx: Context, source: Source) => Promise<void>

export const createDocumentSender = (): SendDocument => {
  const made = new Lru<string, Promise<Ready>>({ max: MAX_ENCODED })

  const make = async ({ text }: Source): Promise<Ready> => {
    const plain = Buffer.from(await text())
    return { plain, gzip: await compress(plain, { level: 9 }) }
  }
  const find = (source: Source): Promise<Ready> => {
    const present = made.get(source.name)
    if (present) return present
    const making = make(source)
    made.set(source.name, making)
    making.catch(() => made.delete(source.name))
    return making
  }

  return async (ctx, source) => {
    if (!source.free) await chargeUndispatched(ctx.state.call)
    const { plain, gzip: small } = await find(source)
    const isSmall = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
    // A client that does not accept gzip gets plain bytes. Compressing the document for each request would cost 10 ms, and files of the page are not
    // rate-limited.
    ctx.compress = false
    ctx.set({ ...source.headers, ...(isSmall && { 'Content-Encoding': 'gzip' }) })
    sendBody(ctx, 200, source.type, isSmall ? small : plain)
  }
}
