import type { ClientConfig } from 'pg'
import type { Log } from '../base/log.ts'
import { linkOf } from '../book/token-metadata.ts'
import { inParallel } from '../index/topics/contracts/in-parallel.ts'
import { type Fetch, FetchRefusal } from '../net/fetch.ts'
import { type Connection, connect } from '../store/postgres/connection.ts'
import { readDocument } from './document.ts'

/* Fetches off-chain data of tokens (v3.md 6.4) in the background: when an answer lacks it, again after a failure, and again when it is old. */

export interface FetcherDeps {
  readonly fetch: Fetch
  /** Connection to the current database; undefined while there is none. */
  readonly connection: () => ClientConfig | undefined
  readonly log: Log
  /** Unix seconds. */
  readonly now: () => number
  /** Milliseconds between checks for due tokens. */
  readonly pause?: number
  /** Seconds before the second try; doubled for each further one. */
  readonly retry?: number
}

export interface Fetcher {
  /** Asks for the data of a token. Returns at once. */
  want(token: Buffer): void
  close(): Promise<void>
}

/** Largest number of tokens that wait. Further ones are dropped; later answers ask for them again. */
const MOST_WANTED = 10_000
/** Tokens per round, and concurrent fetches. */
const BATCH = 64
const AT_ONCE = 8
const TRIES = 5
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 300
/** Seconds for which a result, found or not, is kept. */
const KEPT = 7 * 86_400
/** Seconds for which one process claims a token. */
const CLAIM = 60

interface Task {
  account: Buffer
  content: string
  uri: string | null
  tries: number | null
  next_try: string | null
}

/** Tokens with their on-chain content and the state of their fetches. */
const TASKS = `select found.account, found.content, t.uri, t.tries, t.next_try from (
    select account, content from jetton_masters where account = any($1::bytea[])
    union all select account, content from nft_items where account = any($1::bytea[])
    union all select account, content from nft_collections where account = any($1::bytea[])) as found
  left join token_metadata t on t.account = found.account`

const CLAIMED = `update token_metadata set next_try = $1 where account in (
    select account from token_metadata where next_try <= $2 order by next_try limit ${BATCH}) and next_try <= $2 returning account`

const STORE = `insert into token_metadata (account, uri, content, fetched_at, tries, next_try) values ($1, $2, $3, $4, $5, $6)
  on conflict (account) do update set uri = excluded.uri, content = excluded.content, fetched_at = excluded.fetched_at, tries = excluded.tries,
    next_try = excluded.next_try`

export const createFetcher = ({ fetch, connection, log, now, pause = 1_000, retry = FIRST_PAUSE }: FetcherDeps): Fetcher => {
  const stopping = new AbortController()
  const { signal } = stopping
  const wanted = new Map<string, Buffer>()
  let wake = (): void => {}

  const look = async (task: Task, db: Connection): Promise<void> => {
    const uri = linkOf(JSON.parse(task.content) as Record<string, unknown>)
    if (uri === undefined) return
    const isSame = task.uri === uri
    // Another answer asked for it while it was being fetched.
    if (isSame && task.next_try !== null && Number(task.next_try) > now() + CLAIM) return
    const before = isSame && (task.tries ?? 0) < TRIES ? (task.tries ?? 0) : 0
    let content: string | undefined
    let again = true
    try {
      content = readDocument((await fetch.get(uri, signal)).bytes)
      again = false
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof FetchRefusal)) throw error
      again = error.retry
      log.debug('metadata.refused', { uri: uri.slice(0, 200), kind: error.kind })
    }
    const tries = content !== undefined || !again ? TRIES : before + 1
    const wait = tries < TRIES ? Math.min(retry * 2 ** (tries - 1), LONGEST_PAUSE) : KEPT
    await db.query(STORE, [task.account, uri, content ?? null, now(), tries, now() + wait])
  }

  const round = async (db: Connection): Promise<boolean> => {
    const keys = [...wanted.values()].slice(0, BATCH)
    for (const key of keys) wanted.delete(key.toString('latin1'))
    const due = await db.query<{ account: Buffer }>(CLAIMED, [now() + CLAIM, now()])
    const all = [...keys, ...due.map(({ account }) => account)]
    if (all.length === 0) return false
    const tasks = new Map<string, Task>()
    for (const task of await db.query<Task>(TASKS, [all])) tasks.set(task.account.toString('latin1'), task)
    await inParallel([...tasks.values()], (task) => look(task, db), AT_ONCE)
    return true
  }

  const rest = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const config = connection()
      let db: Connection | undefined
      try {
        if (config !== undefined) {
          db = await connect(config, 'tonway-metadata')
          let lost = false
          db.ended.then(() => {
            lost = true
          })
          while (!signal.aborted && !lost) if (!(await round(db))) await rest(pause)
        }
      } catch (error) {
        if (!signal.aborted) log.debug('metadata.failed', { err: error })
      } finally {
        await db?.close().catch(() => {})
      }
      if (!signal.aborted) await rest(pause)
    }
  }
  const running = run()

  return {
    want(token) {
      if (wanted.size >= MOST_WANTED) return
      wanted.set(token.toString('latin1'), token)
      wake()
    },
    async close() {
      stopping.abort(new Error('the service is stopped'))
      wake()
      await running
    },
  }
}
