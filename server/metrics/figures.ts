/* Figures of the service at one moment, for /ready, /status and /metrics. */

export interface CacheFigures {
  readonly entries: number
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

export interface LiteServerFigures {
  readonly server: string
  readonly state: string
  readonly seqno: number | null
  /** Moving average of the duration of queries, in milliseconds. */
  readonly latency: number
  readonly in_flight: number
  readonly queries: number
  readonly faults: number
  /** Number of answers with an invalid proof. */
  readonly lies?: number
  /** The pool prefers the lite-server with the lowest score. */
  readonly score?: number
  readonly trouble: string | null
}

export interface ReplicaFigures {
  readonly server: string
  readonly state: string
  /** Last masterchain block that queries on the replica see; null if unknown. */
  readonly seqno: number | null
  /** Milliseconds behind the primary; null if unknown. */
  readonly lag_ms: number | null
  readonly trouble: string | null
}

export interface PoolFigures {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

/** File system of a network's data directory, or of temporary files if the network has no data directory. */
export interface DiskFigures {
  readonly network: string
  /** `free`: bytes that this user can still write. `size`: total bytes. */
  readonly free: number
  readonly size: number
}

/** Messages that were sent but are in no block yet. */
export interface PendingFigures {
  readonly traces: number
  /** Memory (bytes) of these traces, which are stored compressed. */
  readonly bytes: number
  /** Whose messages are included. Without Redis a service has only messages that were sent through it. */
  readonly of: 'this service' | 'all with this Redis' | 'Redis is away'
  /** Shard blocks that are signed, but not in a masterchain block yet. */
  readonly confirmed: {
    readonly note: string
    /** Number of lite-servers that must report a block. */
    readonly needs: number
    readonly blocks: number
    /** `asked`: true if the lite-server is polled for signed blocks. `reason`: why it is not polled. */
    readonly servers: readonly { readonly server: string; readonly asked: boolean; readonly reason: string | null }[]
  }
}

/** Webhooks of a network. One process sends all of them; in every other process the figures are zero. */
export interface HookFigures {
  readonly is_sender: boolean
  readonly active: number
  /** `failing`: webhooks whose last delivery failed. `paused`: webhooks to which nothing is sent any more. */
  readonly failing: number
  readonly paused: number
  readonly delivered: number
  readonly failed: number
}

export interface IndexStatus {
  /** `refused`: indexing cannot continue until a person has changed something. */
  readonly phase: 'starting' | 'waiting' | 'backfill' | 'following' | 'failing' | 'refused' | 'stopped'
  /** Last masterchain seqno that readers see; -1 before the first block. */
  readonly seqno: number
  /** Masterchain seqno of the chain's head; 0 until it was read. */
  readonly head: number
  /** Seqno of the first masterchain block whose history is stored. */
  readonly first: number
  readonly lag: number
  readonly transactions: number
  /** Masterchain blocks. Both speeds are averages over the last ten seconds. */
  readonly blocksPerSecond: number
  readonly transactionsPerSecond: number
  /** Seconds until the head is reached at the current speed; 0 when following, and before a speed was measured. */
  readonly secondsLeft: number
  /** Traces whose actions could not be derived in full, since the process started. */
  readonly failedTraces: number
  /** Number of parts that are missing because of their size: extra currencies of transactions, whitelists, and stakes of past elections. */
  readonly leftOut: number
  /** Complete traces of another release whose actions are not derived yet. */
  readonly tracesLeft: number
  /** The last failure as readable text, or empty. */
  readonly error: string
  /** For a failure of the database: what is wrong, without names of hosts and files. Any caller may see this text. */
  readonly cause: string
}

export interface NetworkFigures {
  readonly network: string
  readonly phase: 'starting' | 'ready' | 'failed'
  /** Why the network failed to start; undefined if it did not fail. */
  readonly fault?: string | undefined
  readonly api_version: string
  /** Newest masterchain block; undefined while there is none. */
  readonly head: { readonly seqno: number; readonly utime: number; readonly root_hash: string; readonly epoch: number } | undefined
  readonly head_age: number
  /** Reasons why answers are not current, for people. Empty if answers are current. */
  readonly troubles: readonly string[]
  /** Those of `troubles` that are about the chain. They affect v2 too. */
  readonly v2_troubles: readonly string[]
  /** Notes on the chain for people, one sentence each. Notes are not faults. */
  readonly notes: readonly string[]
  readonly cache: Readonly<Record<'head' | 'index' | 'final', CacheFigures>>
  readonly tvm?:
    | {
        readonly workers: number
        readonly busy: number
        readonly queued: number
        readonly replaced: number
        /** Number of get-methods that finished in the thread that answers calls. */
        readonly inline: number
        /** Newest global version that this TVM supports. */
        readonly version: number
        /** Global version of the network's configuration; undefined until the configuration is read. */
        readonly network_version: number | undefined
      }
    | undefined
  readonly index?: (IndexStatus & { readonly database: string }) | undefined
  /** undefined if there are no replicas. */
  readonly replicas?: readonly ReplicaFigures[] | undefined
  /** undefined without an index, and while the database is not reachable. */
  readonly pool?: PoolFigures | undefined
  /** undefined without an index, because pending messages are then not tracked. */
  readonly pending?: PendingFigures | undefined
  /** undefined without an index. */
  readonly hooks?: HookFigures | undefined
  readonly liteservers?:
    | {
        readonly key_block: number
        readonly servers: readonly LiteServerFigures[]
        /** In a process that reads lite-servers through another process: where their figures are, for people. */
        readonly note?: string
      }
    | undefined
}

/** Bytes of answers and of incomplete requests in this process's memory. */
export interface AnswerFigures {
  /** Bytes of answers and events that clients have not read yet. An event that several clients wait for counts once. */
  readonly unread_bytes: { readonly http: number; readonly websocket: number; readonly events: number }
  readonly batch_bytes: number
  readonly unfinished_bytes: number
}

export interface AccessFigures {
  /** `none`: keys are not checked, or none can exist. `away`: the key database does not answer. */
  readonly keys: 'none' | 'ready' | 'away'
  /** While the key database does not answer: what that means for calls, for people. */
  readonly keys_trouble?: string | undefined
  readonly known_keys: number
  /** Where units are counted. `redis away`: Redis is not reachable, so TONWAY_LIMITS_FAIL applies. */
  readonly limits: LimitsBackend
  /** While Redis is away: what that means for calls, for people, and why it is away. */
  readonly limits_trouble?: LimitsTrouble | undefined
}
export interface LimitsTrouble {
  readonly effect: string
  /** It can contain host names. */
  readonly reason: string
}
export type LimitsBackend = 'memory' | 'redis' | 'redis away'
