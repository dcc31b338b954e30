import type { ClientConfig } from 'pg'
import type { Config } from '../config/settings.ts'
import type { PendingNews } from '../live/pending/told-trace.ts'
import type { NetworkFigures } from '../metrics/figures.ts'
import type { BlockId } from '../tlb/ids.ts'

/** The text of an error if the primary, or its chain, cannot be reached. */
export const NO_PRIMARY = 'the process that has the chain cannot be reached'

/* Messages between the primary and its workers. */

/** The first answer to a worker: the settings that the primary has read. */
export interface Start {
  readonly config: Config
}

/** State of a network in the primary. */
export type NetworkState =
  | {
      readonly phase: 'ready'
      /** Number of the opening. Each opening has its own chain in memory. */
      readonly opening: number
      /** The primary's lite-servers on loopback, one for each group of the network's lite-servers; the first is the common one. */
      readonly peers: readonly WorkerPeer[]
      readonly head: WorkerHead
      /** Name of the network that the embedded chain is a fork of; undefined if it is none. */
      readonly fork: string | undefined
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

/** A new head. The worker returns `ticket` once it has set the head. */
export interface HeadNews {
  readonly network: string
  readonly head: WorkerHead
  readonly ticket: number
}

/** What only the primary knows about a network: figures for /status, and the connection to its index. */
export interface FiguresNews {
  readonly network: string
  readonly index: NetworkFigures['index']
  readonly pending: NetworkFigures['pending']
  readonly liteservers: NetworkFigures['liteservers']
  readonly notes: NetworkFigures['notes']
  /** Why its chain makes no blocks; empty if it makes them. */
  readonly trouble: string
  readonly connection: ClientConfig | undefined
}

/** A change of the pending traces of a network. */
export interface PendingNewsOf {
  readonly network: string
  readonly news: PendingNews
}

/** A message that the primary sends to the network for a worker, with the lite-server group of the worker's caller. */
export interface SendMessage {
  readonly network: string
  readonly boc: Uint8Array
  readonly group: string
}

/** A `local.*` call that a worker sends to the primary. */
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
