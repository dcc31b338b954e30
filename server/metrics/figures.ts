/* State of the service at one moment, for /ready, /status and /metrics. */

/** Figures of one cache of answers. */
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
  /** The lite-server with the lowest score is asked first. */
  readonly score?: number
  readonly trouble: string | null
}

/** One read replica of the database. */
export interface ReplicaFigures {
  readonly server: string
  readonly state: string
  /** Last masterchain block that readers of it see; null while it is unknown. */
  readonly seqno: number | null
  /** Milliseconds behind the primary; null while it is unknown. */
  readonly lag_ms: number | null
  /** Why it is not read; null while it is. */
  readonly trouble: string | null
}

/** The connections of a process by which the index is read. */
export interface PoolFigures {
  readonly used: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

/** The file system of a network's data directory; of temporary files, if it has none. */
export interface DiskFigures {
  readonly network: string
  /** Bytes that this user may still write, and all bytes. */
  readonly free: number
  readonly size: number
}

/** Messages that were sent and are in no block yet. */
export interface PendingFigures {
  readonly traces: number
  /** Memory of the events about them. */
  readonly bytes: number
  /** Whose messages they are: without Redis a service knows only the messages that went through it. */
  readonly of: 'this service' | 'all with this Redis' | 'Redis is away'
  /** Shard blocks that are signed and that no masterchain block names yet. */
  readonly confirmed: {
    /** Whose word it is. */
    readonly note: string
    /** Number of lite-servers that must list a block. */
    readonly needs: number
    readonly blocks: number
    /** `reason`: why a lite-server is not asked for them at present. */
    readonly servers: readonly { readonly server: string; readonly asked: boolean; readonly reason: string | null }[]
  }
}

/** Webhooks of a network. One process sends them all; in the others there are none. */
export interface HookFigures {
  readonly is_sender: boolean
  readonly active: number
  /** Hooks whose last delivery failed, and those to which nothing is sent any more. */
  readonly failing: number
  readonly paused: number
  /** Deliveries of this process. */
  readonly delivered: number
  readonly failed: number
}

/** One network at one moment. */
export interface NetworkFigures {
  readonly network: string
  readonly phase: 'starting' | 'ready' | 'failed'
  /** Why the network is not served; undefined unless it failed to start. */
  readonly fault?: string | undefined
  /** Version of the v2 interface. */
  readonly api_version: string
  /** Newest masterchain block, undefined while there is none. */
  readonly head: { readonly seqno: number; readonly utime: number; readonly root_hash: string; readonly epoch: number } | undefined
  /** Seconds since a new head was seen. */
  readonly head_age: number
  /** Why answers are not current, for people; empty if they are. */
  readonly troubles: readonly string[]
  /** Those of them that are about the chain, so that answers of v2 are not current either. */
  readonly v2_troubles: readonly string[]
  /** Notes on its chain for people, one sentence each. They are not faults. */
  readonly notes: readonly string[]
  readonly cache: { readonly head: CacheFigures; readonly final: CacheFigures }
  readonly tvm?:
    | {
        readonly workers: number
        readonly busy: number
        readonly queued: number
        readonly replaced: number
        /** Get-methods that finished in the thread that answers calls. */
        readonly inline: number
        /** Newest global version whose rules this TVM knows. */
        readonly version: number
        /** Global version of the network's configuration; undefined until it is read. */
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
        readonly leftOut: number
        readonly error: string
        /** For an error of the database: what the database lacks. Any caller may see it. */
        readonly cause: string
        readonly database: string
      }
    | undefined
  /** Undefined if there are none. */
  readonly replicas?: readonly ReplicaFigures[] | undefined
  /** Undefined without an index, and while its database is away. */
  readonly pool?: PoolFigures | undefined
  /** Undefined without an index, where nothing is followed. */
  readonly pending?: PendingFigures | undefined
  /** Undefined without an index. */
  readonly hooks?: HookFigures | undefined
  readonly liteservers?: { readonly key_block: number; readonly servers: readonly LiteServerFigures[] } | undefined
}

/** Bytes of answers and of unfinished requests that are in this process's memory. */
export interface AnswerFigures {
  /** Bytes that readers have not taken yet: of answers, and of events (those that several readers wait for count once). */
  readonly unread: { readonly http: number; readonly websocket: number; readonly events: number }
  /** Bytes of the answers of batches that are still being made. */
  readonly batches: number
  /** Bytes of requests and WebSocket messages that have not arrived completely. */
  readonly unfinished: number
}

/** Keys and limits at one moment. */
export interface AccessFigures {
  /** `none`: keys are not checked, or none can exist; `away`: their database does not answer. */
  readonly keys: 'none' | 'ready' | 'away'
  /** Keys in memory. */
  readonly known_keys: number
  /** Where limits are counted. `redis away`: in Redis, which is away, so TONWAY_LIMITS_FAIL applies. */
  readonly limits: LimitsPlace
}
export type LimitsPlace = 'memory' | 'redis' | 'redis away'
