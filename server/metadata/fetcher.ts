import type { ClientConfig } from 'pg'
import { joinAbort } from '../base/abort.ts'
import type { Log } from '../base/log.ts'
import { createPermits } from '../base/permits.ts'
import { createPauses, inOwnTurn } from '../base/yield.ts'
import { linkOf } from '../book/token-metadata.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { MAX_CONTENT } from '../index/topics/contracts/content.ts'
import { conflictOf } from '../index/write/statements.ts'
import { createFetch, domainOf, type Fetch, FetchRefusal } from '../net/fetch.ts'
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

/** Maximum number of tokens that wait. Further tokens are dropped; later answers request them again. */
const MAX_WAITING = 10_000
/** Maximum number of tokens that are read from the database at a time. */
const BATCH = 64
/** Permits are shared fairly by site (siteOf): one that answers slowly, or never, does not delay the tokens of others. */
const FETCHES = { atOnce: 8, waiting: MAX_WAITING, patience: 600_000, text: 'too many tokens wait' }
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

/** A link with the name of a host. */
const NAMED = /^https?:\/\/([a-z\d.-]*[a-z])(?=[:/?#]|$)/i

/**
 * The site of a link is the domain of its host. All links without a domain are one site: numeric addresses, of which an owner can have any number, IPFS, and
 * all others.
 */
const siteOf = (uri: string): string => domainOf(NAMED.exec(uri)?.[1]?.toLowerCase() ?? 'others')

type Fetched = ReadRow<typeof tokenMetadata>

/** A token with its on-chain content and the state of its fetch. That state is null before the first fetch. */
type Task = Pick<ReadRow<typeof jettonMasters>, 'account' | 'content'> & {
  readonly [K in 'uri' | 'tries' | 'next_try']: Fetched[K] | null
}

const uriOf = ({ content }: Task): string | undefined => linkOf(JSON.parse(content) as Record<string, unknown>)

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
  /** Tokens whose site has to be read. */
  const waiting = new Map<string, Buffer>()
  const permits = createPermits(FETCHES)
  /** Tokens that are fetched, or wait for a permit. Contents are read again then, because each can have 32 KiB. */
  const running = new Map<string, Promise<void>>()

  const look = async (task: Task, db: Connection, signal: AbortSignal): Promise<void> => {
    const uri = uriOf(task)
    if (uri === undefined) return
    const isSame = task.uri === uri
    // The token was requested again while it was being fetched, so its data is already up to date.
    if (isSame && task.next_try !== null && Number(task.next_try) > now() + CLAIM) return
    const before = isSame && (task.tries ?? 0) < TRIES ? (task.tries ?? 0) : 0
    let content: string | undefined
    let again = true
    try {
      const { bytes } = await fetch.get(uri, signal)
      content = await inOwnTurn(() => readDocument(bytes))
      again = false
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof FetchRefusal)) throw error
      again = error.retry
      log.debug('metadata.refused', { uri: uri.slice(0, 200), kind: error.kind })
    }
    const tries = content !== undefined || !again ? TRIES : before + 1
    const wait = tries < TRIES ? Math.min(retry * 2 ** (tries - 1), MAX_PAUSE) : RETENTION_S
    await store(db, { account: task.account, uri, content: content ?? null, fetched_at: now(), tries, next_try: now() + wait })
  }

  const lookInTurn = async (token: Buffer, site: string, db: Connection, signal: AbortSignal): Promise<void> => {
    using _permit = await permits.take(signal, site)
    const task = (await db.query(TASKS, [[token]])).at(-1)
    if (task !== undefined) await look(task, db, signal)
  }

  /** Begins to fetch the tokens that are requested or due. Returns whether there were any. */
  const round = async (db: Connection, signal: AbortSignal): Promise<boolean> => {
    const keys = [...waiting.values()].slice(0, BATCH)
    for (const key of keys) waiting.delete(nameOf(key))
    const due = await db.query(CLAIMED, [now() + CLAIM, now()])
    const all = [...keys, ...due.map(({ account }) => account)]
    if (all.length === 0) return false
    const yieldIfLong = createPauses()
    for (const task of await db.query(TASKS, [all])) {
      await yieldIfLong()
      const key = nameOf(task.account)
      const uri = uriOf(task)
      if (uri === undefined || running.has(key)) continue
      const looked = lookInTurn(task.account, siteOf(uri), db, signal).catch(
        (err: unknown) => signal.aborted || log.debug('metadata.failed', { err }),
      )
      running.set(
        key,
        looked.then(() => void running.delete(key)),
      )
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
      if (row?.is_read_only) await rest(READ_ONLY_MS)
      else await fetchAll(db, isOver)
    },
    lost: (err) => log.debug('metadata.failed', { err }),
  })

  const fetchAll = async (db: Connection, isOver: () => boolean): Promise<void> => {
    const session = joinAbort(signal)
    try {
      while (!isOver()) if (!(await round(db, session.signal))) await rest(pause)
    } finally {
      session.release()
      session.abort(new Error('the connection has ended'))
      await Promise.all(running.values())
    }
  }

  return {
    want(token: Buffer): void {
      if (waiting.size < MAX_WAITING) waiting.set(nameOf(token), token)
      wake()
    },
    close,
  }
}

export const startFetcher = (
  { metadata, ipfsGateway }: Pick<NetworkConfig, 'metadata' | 'ipfsGateway'>,
  deps: Omit<FetcherDeps, 'fetch'>,
) => (metadata ? createFetcher({ ...deps, fetch: createFetch({ ipfsGateway }) }) : undefined)
