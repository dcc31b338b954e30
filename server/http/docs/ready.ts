import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type Context, sendBytes } from '../koa.ts'
import { chargeUnread } from '../unread.ts'

const compress = promisify(gzip)

/** A document as it is sent: its bytes, and the same compressed as well as it can be. */
interface Ready {
  readonly plain: Buffer
  readonly gzip: Buffer
}

/** Documents at most: of each network a few, as they are asked for under its prefix or without. */
const MOST = 64

/** What a document is made of when it is first asked for. */
export interface Source {
  /** Tells it from all others. */
  readonly name: string
  readonly type: string
  readonly text: () => string | Promise<string>
  /** Headers of its own, in place of those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends documents that are the same for everybody: made and compressed once, and counted like a call. */
export type SendDocument = (ctx: Context, source: Source) => Promise<void>

export const createDocumentSender = (): SendDocument => {
  const made = new LRUCache<string, Promise<Ready>>({ max: MOST })

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
    await chargeUnread(ctx.state.call)
    const { plain, gzip: small } = await find(source)
    ctx.state.headers.push('Vary', 'Accept-Encoding')
    const isSmall = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
    if (isSmall) ctx.state.headers.push('Content-Encoding', 'gzip')
    sendBytes(ctx, 200, isSmall ? small : plain, source.type, source.headers)
  }
}
