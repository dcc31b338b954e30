import type { ClientConfig } from 'pg'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { createFetch } from '../net/fetch.ts'
import type { Reader } from '../store/postgres/pool.ts'
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
