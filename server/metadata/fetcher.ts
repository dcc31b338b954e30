import type { ClientConfig } from 'pg'
import { joinAbort } from '../base/abort.ts'
import type { Log } from '../base/log.ts'
import { createPermits } from '../base/permits.ts'
import { inOwnTurn } from '../base/yield.ts'
import { linkOf } from '../book/token-metadata.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { MAX_CONTENT } from '../index/topics/contracts/content.ts'
import { conflictOf } from '../index/write/statements.ts'
import { createFetch, type Fetch, FetchRefusal } from '../net/fetch.ts'
import type { Connection } from '../store/postgres/connection.ts'
import { keepWriting } from '../store/postgres/keep-connected.ts'
import { nameOf } from '../store/row-keys.ts'
import { jettonMasters } from '../store/schema/jettons.ts'
import { nftCollections, nftItems } from '../store/schema/nfts.ts'
import { type Select, select } from '../store/schema/select.ts'
import { columnList, columnNames, type ReadRow, type WriteRow } from '../store/schema/table.ts'
import { tokenMetadata } from '../store/schema/tokens.ts'

/* Fetches off-chain data of tokens in the background: when an answer needs it, after a failure, and when it has expired. */

export interface FetcherDeps {
  readonly fetch: Fetch
  readonly connection: () => ClientConfig | undefined
  readonly log: Log
  /** Unix seconds. */
  readonly now: () => number
  /** Milliseconds between checks for due tokens. */
  readonly pause?: number
  /** Seconds before the second attempt, doubled for each further attempt. */
  readonly retry?: number
}

/** Maximum number of waiting tokens. Further tokens are dropped; later answers request them again. */
const MAX_WAITING = 10_000
/** Maximum number of requested tokens that are read from the database at a time, and of concurrent fetches. */
const BATCH = 64
const AT_ONCE = 8
/** Maximum number of tokens that wait for a permit, and for how long. The site with the most tokens loses one first. */
const MAX_STARTED = 2_000
const PATIENCE_MS = 600_000
const TRIES = 5
const FIRST_PAUSE = 5
const MAX_PAUSE = 300
/** Seconds until a result, successful or not, expires. */
const RETENTION_S = 7 * 86_400
/** Seconds for which one process claims a token. */
const CLAIM = 60

/** Maximum characters of a document. */
const MAX_DOCUMENT = 64 << 10
/** Maximum nesting of objects and arrays. Low, because JSON writers recurse once per level. */
const MAX_DEPTH = 32

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))

const isStructure = new Uint8Array(256)
for (const byte of Buffer.from('[]{},:')) isStructure[byte] = 1

/** Returns whether a document is too large when it is written again, because its structure alone is. A megabyte of it would take half a second to parse. */
const hasTooMuchStructure = (bytes: Uint8Array): boolean => {
  let left = MAX_DOCUMENT
  for (let i = 0; i < bytes.length && left >= 0; i++) left -= isStructure[bytes[i]!]!
  return left < 0
}

/** @internal Parses a JSON object and serializes it again. Returns undefined for anything else, and for an object that is too large or too deep. */
export const readDocument = (bytes: Uint8Array): string | undefined => {
  if (hasTooMuchStructure(bytes)) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value !== 'object' || value === null || Array.isArray(value) || isDeeper(value, MAX_DEPTH)) return undefined
    const written = JSON.stringify(value)
    return written.length > MAX_DOCUMENT ? undefined : written
  } catch {
    return undefined
  }
}

type Fetched = ReadRow<typeof tokenMetadata>

/** A token with its on-chain content and the state of its fetch. That state is null before the first fetch. */
type Task = Pick<ReadRow<typeof jettonMasters>, 'account' | 'content'> & {
  readonly [K in 'uri' | 'tries' | 'next_try']: Fetched[K] | null
}

/** A token whose link is to be fetched, after `before` failures. */
interface DueFetch {
  readonly account: Buffer
  readonly uri: string
  readonly before: number
}

/** Undefined if nothing is to be fetched: the token was requested again while it was fetched, so that its next fetch is after `claimed`. */
const dueFetchOf = ({ account, content, uri: last, tries, next_try }: Task, claimed: number): DueFetch | undefined => {
  const uri = linkOf(JSON.parse(content) as Record<string, unknown>)
  if (uri === undefined) return undefined
  if (uri !== last) return { account, uri, before: 0 }
  if (next_try !== null && Number(next_try) > claimed) return undefined
  return { account, uri, before: (tries ?? 0) < TRIES ? (tries ?? 0) : 0 }
}

/**
 * Tokens of one site share its permits, so that a slow one does not delay the others. A site is the last two labels of a host, because its owner can make
 * any number of names below them.
 */
const siteOf = (uri: string): string => {
  try {
    const { protocol, hostname } = new URL(uri)
    return protocol === 'ipfs:' ? protocol : hostname.split('.').slice(-2).join('.')
  } catch {
    return ''
  }
}

/** Tables whose content may link to off-chain data. An index of an earlier release has contents that are longer than any that is stored now. */
const WITH_CONTENT = [jettonMasters, nftItems, nftCollections] as const
const SHORT = `where account = any($1::bytea[]) and octet_length(content) <= ${MAX_CONTENT}`
const CONTENTS = WITH_CONTENT.map((of) => select(of, ['account', 'content'], SHORT))
const TASKS = `select found.account, found.content, t.uri, t.tries, t.next_try from (${CONTENTS.join(' union all ')}) as found
  left join ${tokenMetadata.name} t on t.account = found.account` as Select<Task>

const DUE = select(tokenMetadata, ['account'], `where next_try <= $2 order by next_try limit ${BATCH}`)
const CLAIMED = `update ${tokenMetadata.name} set next_try = $1 where account in (${DUE}) and next_try <= $2 returning account` as Select<
  Pick<Fetched, 'account'>
>

const READ_ONLY = `select current_setting('transaction_read_only')::boolean as is_read_only`
/** Milliseconds before the next check whether the database is writable. */
const READ_ONLY_MS = 30_000

const COLUMNS = columnNames(tokenMetadata)
const STORE = `insert into ${tokenMetadata.name} (${columnList(tokenMetadata)}) values (${COLUMNS.map((_, i) => `$${i + 1}`).join(', ')})
  ${conflictOf(tokenMetadata)}`

const store = (db: Connection, row: WriteRow<typeof tokenMetadata>): Promise<unknown> =>
  db.query(
    STORE,
    COLUMNS.map((name) => row[name as keyof typeof row]),
  )

/** @internal */
export type Fetcher = ReturnType<typeof createFetcher>

/** @internal Tests give it a fetch of their own. */
export const createFetcher = ({ fetch, connection, log, now, pause = 1_000, retry = FIRST_PAUSE }: FetcherDeps) => {
  const waiting = new Map<string, Buffer>()
  /** Tokens (`nameOf`) that are fetched, or wait for a permit. */
  const started = new Set<string>()
  const permits = createPermits({ atOnce: AT_ONCE, waiting: MAX_STARTED, patience: PATIENCE_MS, text: 'too many tokens are fetched' })

  const look = async ({ account, uri, before }: DueFetch, db: Connection, over: AbortSignal): Promise<void> => {
    let content: string | undefined
    let again = true
    try {
      const { bytes } = await fetch.get(uri, over)
      content = await inOwnTurn(() => readDocument(bytes))
      again = false
    } catch (error) {
      over.throwIfAborted()
      if (!(error instanceof FetchRefusal)) throw error
      again = error.retry
      log.debug('metadata.refused', { uri: uri.slice(0, 200), kind: error.kind })
    }
    const tries = content !== undefined || !again ? TRIES : before + 1
    const wait = tries < TRIES ? Math.min(retry * 2 ** (tries - 1), MAX_PAUSE) : RETENTION_S
    await store(db, { account, uri, content: content ?? null, fetched_at: now(), tries, next_try: now() + wait })
  }

  /** Looks for a token once its site has a permit. If that fails, other tokens are fetched all the same. */
  const start = async (due: DueFetch, db: Connection, over: AbortSignal): Promise<void> => {
    const name = nameOf(due.account)
    if (started.has(name)) return
    started.add(name)
    try {
      const release = await permits.take(over, siteOf(due.uri))
      await look(due, db, over).finally(release)
    } catch (err) {
      if (!over.aborted) log.debug('metadata.failed', { err })
    } finally {
      started.delete(name)
    }
  }

  const round = async (db: Connection, over: AbortSignal): Promise<boolean> => {
    const keys = [...waiting.values()].slice(0, BATCH)
    for (const key of keys) waiting.delete(nameOf(key))
    const due = await db.query(CLAIMED, [now() + CLAIM, now()])
    const all = [...keys, ...due.map(({ account }) => account)]
    if (all.length === 0) return false
    for (const task of await db.query(TASKS, [all])) {
      const fetchDue = dueFetchOf(task, now() + CLAIM)
      if (fetchDue) void start(fetchDue, db, over)
    }
    return true
  }

  const { signal, rest, wake, close } = keepWriting({
    config: connection,
    name: 'tonway-metadata',
    retry: pause,
    async work(db, isOver) {
      const [row] = await db.query<{ is_read_only: boolean }>(READ_ONLY)
      // A read-only standby cannot store fetched data. The service that writes to the standby's primary fetches instead.
      if (row?.is_read_only) return await rest(READ_ONLY_MS)
      const { signal: over, abort, release } = joinAbort(signal)
      try {
        while (!isOver()) if (!(await round(db, over))) await rest(pause)
      } finally {
        abort()
        release()
      }
    },
    lost: (err) => log.debug('metadata.failed', { err }),
  })

  return {
    want(token: Buffer): void {
      const name = nameOf(token)
      if (waiting.size >= MAX_WAITING || started.has(name)) return
      waiting.set(name, token)
      wake()
    },
    close,
  }
}

export const startFetcher = (
  { metadata, ipfsGateway }: Pick<NetworkConfig, 'metadata' | 'ipfsGateway'>,
  deps: Omit<FetcherDeps, 'fetch'>,
) => (metadata ? createFetcher({ ...deps, fetch: createFetch({ ipfsGateway }) }) : undefined)
