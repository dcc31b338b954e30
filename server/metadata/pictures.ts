import { LRUCache } from 'lru-cache'
import { TonError } from '../../shared/errors.ts'
import type { Result } from '../../shared/registry.ts'
import { untilAborted } from '../base/abort.ts'
import type { Call, Handlers } from '../base/call.ts'
import { createPermits } from '../base/permits.ts'
import { type Metadata, metadata as metadataOf } from '../book/token-metadata.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { createFetch, type Fetch, FetchRefusal } from '../net/fetch.ts'
import type { Reader } from '../store/postgres/reader.ts'
import { readIndex } from '../store/queries/view.ts'
import { accountKey, rawOfKey } from '../store/row-keys.ts'
import { readRaster } from './raster.ts'

/* Pictures of tokens. Only URLs from the index or the fetcher are loaded, through the safe fetch. Only raster pictures are returned. */

type Picture = Result<'token.picture'>

export interface PictureDeps {
  readonly reader: Reader
  /** Requests off-chain data that was not fetched yet; undefined if off-chain data is not fetched. */
  readonly want: ((token: Buffer) => void) | undefined
  readonly fetch: Fetch | undefined
}

type Loaded = { readonly picture: Picture } | { readonly fault: string }

const MAX_PICTURE_BYTES = 1 << 20
/** Maximum characters of base64 in memory. */
const MAX_CHARACTERS = 32 << 20
/** @internal Maximum number of cached pictures and failures. */
export const MAX_PICTURES = 2_000
/** Milliseconds until a cached entry expires: a picture, a temporary failure (SHORT), a permanent failure (LONG). */
const PICTURE_AGE = 3_600_000
const SHORT = 30_000
const LONG = 600_000

/** Media types of raster pictures that servers send. The first bytes decide what a picture really is. */
const TYPES = ['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp', 'application/octet-stream', 'binary/octet-stream']

export const createPictureFetch = ({ metadata, ipfsGateway }: Pick<NetworkConfig, 'metadata' | 'ipfsGateway'>): Fetch | undefined =>
  metadata ? createFetch({ ipfsGateway, types: TYPES, maxBytes: MAX_PICTURE_BYTES, timeout: 8_000 }) : undefined

const NO_RASTER = 'it is not a PNG, JPEG, GIF or WebP of an ordinary size'

const pictureOf = (bytes: Uint8Array): Loaded => {
  if (bytes.length > MAX_PICTURE_BYTES) return { fault: 'it is larger than 1 MiB' }
  const found = readRaster(bytes)
  return found ? { picture: { ...found, data: Buffer.from(bytes).toString('base64') } } : { fault: NO_RASTER }
}

/** Decodes base64, with or without `data:<type>;base64,` before it; undefined for any other text. */
const inlineBytes = (text: string): Buffer | undefined => {
  const [, base64 = text] = /^data:[^,]{0,100};base64,([\s\S]*)$/.exec(text) ?? []
  return base64.length <= 2 * MAX_PICTURE_BYTES && /^[A-Za-z0-9+/_=\s-]+$/.test(base64) ? Buffer.from(base64, 'base64') : undefined
}

const URL_SCHEME = /^(https?|ipfs):\/\//i

/** Sources of a token's picture: bytes in the content first, then a URL. */
const sourcesOf = (found: Metadata, raw: string): readonly string[] => {
  const infos = found[raw]?.token_info ?? []
  // A jetton wallet has the picture of its jetton. Entries of jetton wallets are skipped, because a contract can name itself as its jetton.
  const jetton = infos[0]?.type === 'jetton_wallets' ? infos[0].extra?.['jetton'] : undefined
  const info = (typeof jetton === 'string' ? (found[jetton]?.token_info ?? []) : infos).find(({ type }) => type !== 'jetton_wallets')
  if (info === undefined) return []
  const { image, extra } = info
  return [extra?.['image_data'], image].filter((source): source is string => typeof source === 'string' && source !== '')
}

/** Text for callers. It does not contain the host or its response, because the creator of the token chose both. */
const faultOf = ({ kind }: FetchRefusal): string => (kind === 'size' ? 'it is larger than 1 MiB' : `its address was refused (${kind})`)

/** @internal */
export const createLoader = (fetch: Fetch) => {
  const permits = createPermits({ atOnce: 8, waiting: 256, patience: 8_000, text: 'too many pictures are being loaded' })
  return new LRUCache<string, Loaded, Pick<Call, 'client'>>({
    max: MAX_PICTURES,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (loaded, url) => 500 + url.length + ('picture' in loaded ? loaded.picture.data.length : 0),
    ttl: PICTURE_AGE,
    async fetchMethod(url, _, { signal, options, context }) {
      using _permit = await permits.take(signal as AbortSignal, context.client)
      try {
        const loaded = pictureOf((await fetch.get(url, signal as AbortSignal)).bytes)
        if ('fault' in loaded) options.ttl = LONG
        return loaded
      } catch (error) {
        if (!(error instanceof FetchRefusal)) throw error
        options.ttl = error.retry ? SHORT : LONG
        return { fault: faultOf(error) }
      }
    },
  })
}

export const pictureHandlers = ({ reader, want, fetch }: PictureDeps): Pick<Handlers, 'token.picture'> => {
  const loader = fetch && createLoader(fetch)

  const load = async (source: string, call: Call): Promise<Loaded> => {
    const inline = inlineBytes(source)
    if (inline) return pictureOf(inline)
    if (!URL_SCHEME.test(source)) return { fault: 'its address is not an http, https or ipfs URL' }
    if (!loader) return { fault: 'nothing off the chain is fetched here' }
    // If the caller disconnects, the load continues under its own time limit, because other callers may wait for it.
    return untilAborted(loader.forceFetch(source, { context: { client: call.client } }), call.signal)
  }

  return {
    async 'token.picture'({ address }, call) {
      const key = accountKey(address.workchain, address.hash)
      const found = await readIndex(reader, call.signal, (view) => metadataOf(view, [key], { want }))
      const raw = rawOfKey(key)
      const sources = sourcesOf(found, raw)
      if (sources.length === 0) throw new TonError('NOT_FOUND', 'the index has no picture of this account')
      let fault = ''
      for (const source of sources) {
        const loaded = await load(source, call)
        if ('picture' in loaded) return loaded.picture
        fault = loaded.fault
      }
      throw new TonError('NOT_FOUND', `this token names a picture that is not shown: ${fault}`)
    },
  }
}
