/* What the service knows of itself at one moment: read by /ready, /status and /metrics, made where the networks are. */

/** Of one cache of answers. */
export interface CacheFigures {
  readonly entries: number
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

/** One lite-server as the pool sees it. */
export interface LiteServerFigures {
  readonly server: string
  readonly state: string
  readonly seqno: number | null
  /** Milliseconds of a recent query. */
  readonly latency: number
  readonly in_flight: number
  readonly queries: number
  readonly faults: number
  /** Answers whose proof was wrong. */
  readonly lies?: number
  /** Asked first where it is least. */
  readonly score?: number
  readonly trouble: string | null
}

/** One network at one moment. */
export interface NetworkFigures {
  readonly network: string
  readonly phase: 'starting' | 'ready' | 'failed'
  /** Why it is not served, where it failed to start. */
  readonly fault?: string | undefined
  /** Version of the v2 interface. */
  readonly api_version: string
  /** Newest masterchain block, undefined while there is none. */
  readonly head: { readonly seqno: number; readonly utime: number; readonly root_hash: string; readonly epoch: number } | undefined
  /** Seconds since a new head was seen. */
  readonly head_age: number
  /** Why answers are not of the present, for people; empty where they are. */
  readonly troubles: readonly string[]
  /** What people should know of its chain, a sentence each; nothing is wrong. */
  readonly notes: readonly string[]
  readonly cache: { readonly head: CacheFigures; readonly final: CacheFigures }
  readonly tvm?:
    | {
        readonly workers: number
        readonly busy: number
        readonly queued: number
        readonly replaced: number
        /** Get-methods that ended in the thread that answers. */
        readonly inline: number
        /** The newest global version whose rules are known, and the one that the network's configuration says; undefined until it was read. */
        readonly version: number
        readonly network_version: number | undefined
      }
    | undefined
  readonly index?:
    | {
        readonly phase: string
        readonly seqno: number
        readonly head: number
        /** Masterchain blocks. */
        readonly lag: number
        readonly transactions: number
        readonly blocksPerSecond: number
        readonly transactionsPerSecond: number
        readonly secondsLeft: number
        readonly failedTraces: number
        readonly error: string
        /** Of an error that is one of the database: what that is short of; for everybody. */
        readonly cause: string
        readonly database: string
      }
    | undefined
  readonly liteservers?: { readonly key_block: number; readonly servers: readonly LiteServerFigures[] } | undefined
}

/** Keys and limits at one moment. */
export interface AccessFigures {
  /** `none`: no key is looked at, or there is no place where one could be; `away`: their database does not answer. */
  readonly keys: 'none' | 'ready' | 'away'
  /** Keys in memory. */
  readonly known_keys: number
  /** Where limits are counted; `redis away`: in Redis, but for the moment as TONWAY_LIMITS_FAIL says. */
  readonly limits: LimitsPlace
}
export type LimitsPlace = 'memory' | 'primary' | 'redis' | 'redis away'
