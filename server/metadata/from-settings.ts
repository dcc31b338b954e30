import type { ClientConfig } from 'pg'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { createFetch, type Fetch } from '../net/fetch.ts'
import { createFetcher, type Fetcher } from './fetcher.ts'
import { MAX_PICTURE_BYTES } from './pictures.ts'

type Settings = Pick<NetworkConfig, 'metadata' | 'ipfsGateway'>

export const startMetadata = (
  index: { connection(): ClientConfig | undefined } | undefined,
  { metadata, ipfsGateway }: Settings,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Fetcher | undefined => {
  if (index === undefined || !metadata) return undefined
  return createFetcher({ fetch: createFetch({ ipfsGateway }), connection: index.connection, log, now: clock.now })
}

/** Media types of raster pictures that servers send. The first bytes decide what a picture really is. */
const TYPES = ['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp', 'application/octet-stream', 'binary/octet-stream']

export const createPictureFetch = ({ metadata, ipfsGateway }: Settings): Fetch | undefined =>
  metadata ? createFetch({ ipfsGateway, types: TYPES, maxBytes: MAX_PICTURE_BYTES, timeout: 8_000 }) : undefined
