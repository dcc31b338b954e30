import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Lru } from '../../base/memory/lru.ts'
import type { Context } from '../context.ts'
import { sendBody } from '../encode.ts'
import { chargeUndispatched } from '../undispatched.ts'

const compress = promisify(gzip)

/** A document ready to be sent: its bytes, plain and gzipped at the highest level. */
interface Ready {
  readonly plain: Buffer
  readonly gzip: Buffer
}

/** Largest number of cached documents. Each network has a few, with and without its prefix. */
const MAX_ENCODED = 64

/** A document that is made on first use. */
export interface Source {
  /** Key in the cache; unique. */
  readonly name: string
  readonly type: string
  readonly text: () => string | Promise<string>
  /** Headers that replace or extend the common ones. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it is not counted as a call. So files of the page: a browser loads them before it can send a key. */
  readonly free?: boolean
}

/** Sends a document that is the same for everybody. It is made and compressed once. Sending it costs one call unless it is free. */
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
    // A client that takes no gzip gets plain bytes: to compress a document for each request would cost 10 ms, and the files of the page are free.
    ctx.compress = false
    ctx.set({ ...source.headers, ...(isSmall && { 'Content-Encoding': 'gzip' }) })
    sendBody(ctx, 200, source.type, isSmall ? small : plain)
  }
}
