import { readFile } from 'node:fs/promises'
import { TonError } from '../../shared/errors.ts'
import { withoutSecrets } from '../base/secrets.ts'

/** TON publishes the global configs of its networks here. */
const PUBLISHED: Readonly<Record<string, string>> = {
  mainnet: 'https://ton.org/global.config.json',
  testnet: 'https://ton.org/testnet-global.config.json',
}
const FETCH_MS = 15_000
const MAX_BYTES = 4 << 20

export const publishedNetworks = Object.keys(PUBLISHED)

/** Name of a forked network as callers see it. A path or URL is not shown, because it may be private. */
export const outwardNetwork = (network: string): string => (publishedNetworks.includes(network) ? network : 'another network')

/** Path or URL of a network's global config: the value of the setting, otherwise the URL at which TON publishes it. */
export const globalConfigLocation = (network: string, given: string | undefined): string => {
  const place = given ?? PUBLISHED[network]
  if (place === undefined) throw new Error(`network ${network} needs a global config: --global-config, a path or URL`)
  return place
}

export const isUrl = (place: string): boolean => /^https?:\/\//i.test(place)

const bodyOf = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const unreadable = (place: string, error: unknown): string => {
  const { message, cause } = error as Error
  return withoutSecrets(
    `cannot read the global config ${place}: ${cause instanceof Error && cause.message !== '' ? cause.message : message}`,
  )
}

const fetchText = async (url: string, signal: AbortSignal | undefined): Promise<string> => {
  const timeoutSignal = AbortSignal.timeout(FETCH_MS)
  let status: number | undefined
  try {
    const response = await fetch(url, { signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal })
    status = response.status
    if (!response.ok) throw new Error(`HTTP status ${status}`)
    return await bodyOf(response)
  } catch (cause) {
    const text = unreadable(url, cause)
    // A server that is unreachable or failing may answer later. A 4xx status means that the URL is wrong.
    if (status === undefined || status < 400 || status >= 500) throw new TonError('UNAVAILABLE', text, { cause, retryAfter: 1 })
    throw new Error(text, { cause })
  }
}

/** Reads the text of the global config at a path or URL. Rejects with UNAVAILABLE if a later attempt may succeed. */
export const readGlobalConfigText = async (place: string, signal: AbortSignal | undefined): Promise<string> => {
  if (isUrl(place)) return fetchText(place, signal)
  return readFile(place, 'utf8').catch((cause: unknown) => {
    throw new Error(unreadable(place, cause), { cause })
  })
}
