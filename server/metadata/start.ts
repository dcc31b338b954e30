import type { ClientConfig } from 'pg'
import type { Clock } from '../clock.ts'
import type { Log } from '../dispatch-types.ts'
import { createFetch } from '../net/fetch.ts'
import type { NetworkConfig } from '../network-config.ts'
import type { Reader } from '../store/pool.ts'
import { createFetcher, type Fetcher } from './fetcher.ts'

/** Fetches what tokens keep off the chain, as answers of a reader ask for it; undefined where that is off. */
export const startMetadata = (
  index: { readonly reader: Reader; connection(): ClientConfig | undefined } | undefined,
  { metadata, ipfsGateway }: Pick<NetworkConfig, 'metadata' | 'ipfsGateway'>,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Fetcher | undefined => {
  if (index === undefined || !metadata) return undefined
  const fetcher = createFetcher({ fetch: createFetch({ ipfsGateway }), connection: index.connection, log, now: clock.now })
  index.reader.want = fetcher.want
  return fetcher
}
