import type { ClientConfig } from 'pg'
import type { Config } from '../config/settings.ts'
import type { NetworkFigures } from '../metrics/figures.ts'
import type { BlockId } from '../tlb/ids.ts'

/* What the primary tells its workers. */

/** The first that a worker is told: the settings as the primary has read them. */
export interface Start {
  readonly config: Config
}

/** Where a network of the primary stands. */
export type NetworkState =
  | {
      readonly phase: 'ready'
      /** Counts the openings of the network: another one is another chain in memory. */
      readonly opening: number
      /** The primary's lite-servers on loopback, one for each group of the network's own; the first is the common one. */
      readonly peers: readonly WorkerPeer[]
      readonly head: WorkerHead
    }
  | { readonly phase: 'failed'; readonly fault: string }

export interface WorkerPeer {
  readonly group: string
  readonly host: string
  readonly port: number
  readonly key: Uint8Array
}

export interface WorkerHead {
  readonly id: BlockId
  readonly utime: number
  readonly epoch: number
}

export interface StateNews {
  readonly network: string
  readonly state: NetworkState
}

/** A new head; `ticket` is given back when it is the worker's own. */
export interface HeadNews {
  readonly network: string
  readonly head: WorkerHead
  readonly ticket: number
}

/** What the primary alone knows of a network, for /status, and where its index is read. */
export interface FiguresNews {
  readonly network: string
  readonly index: NetworkFigures['index']
  readonly liteservers: NetworkFigures['liteservers']
  readonly notes: NetworkFigures['notes']
  /** Why its chain makes no blocks; empty where it makes them. */
  readonly trouble: string
  readonly connection: ClientConfig | undefined
}

/** A `local.*` call on its way to the embedded chain. */
export interface LocalCall {
  readonly network: string
  readonly method: string
  readonly params: unknown
  readonly requestId: string
}

/** Units to be taken from a bucket, or charged to it. */
export interface TakeUnits {
  readonly bucket: string
  readonly limit: number
  readonly weight: number
}
