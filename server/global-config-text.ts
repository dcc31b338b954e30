import { readFile } from 'node:fs/promises'

/** Where TON publishes the configs of its networks. */
const PUBLISHED: Readonly<Record<string, string>> = {
  mainnet: 'https://ton.org/global.config.json',
  testnet: 'https://ton.org/testnet-global.config.json',
}
const FETCH_MS = 15_000
const MAX_BYTES = 4 << 20

/** The networks whose global config need not be told. */
export const publishedNetworks = Object.keys(PUBLISHED)

const fetchText = async (url: string): Promise<string> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) })
  if (!response.ok || !response.body) throw new Error(`HTTP status ${response.status}`)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Text of the global config of a network, from a path or URL, or from where TON publishes it. */
export const readGlobalConfigText = async (network: string, place: string | undefined): Promise<string> => {
  const from = place ?? PUBLISHED[network]
  if (from === undefined) throw new Error(`network ${network} needs a global config: --global-config, a path or URL`)
  try {
    return /^https?:\/\//i.test(from) ? await fetchText(from) : await readFile(from, 'utf8')
  } catch (error) {
    const { message, cause } = error as Error
    throw new Error(`cannot read the global config ${from}: ${cause instanceof Error ? cause.message : message}`, { cause: error })
  }
}
