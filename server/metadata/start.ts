import type { ClientConfig } from 'pg'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { createFetch } from '../net/fetch.ts'
import { createFetcher, type Fetcher } from './fetcher.ts'

/** Starts the fetcher of off-chain token data; undefined if the index or metadata is off. */
export const startMetadata = (
  index: { connection(): ClientConfig | undefined } | undefined,
  { metadata, ipfsGateway }: Pick<NetworkConfig, 'metadata' | 'ipfsGateway'>,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Fetcher | undefined => {
  if (index === undefined || !metadata) return undefined
  return createFetcher({ fetch: createFetch({ ipfsGateway }), connection: index.connection, log, now: clock.now })
}
