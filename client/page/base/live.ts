import { TonClientError, watch } from '../../index.ts'
import { eventClient, serviceUrl, ton } from './service.ts'
import { createStore } from './store.ts'

/*
 * What the page follows all the time: the newest blocks (by subscription, or by polling where there is none), /status, and whether the service answers.
 */

/** A block as the overview lists it. */
export interface LiveBlock {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  /** Unix seconds. */
  readonly utime: number
  readonly transactions: number
}

/** What the page knows of the service now. */
export interface Live {
  /** `lost`: the last request had no answer. */
  readonly state: 'connecting' | 'live' | 'polling' | 'lost'
  /** Newest masterchain block; 0 while unknown. */
  readonly seqno: number
  /** Unix seconds of that block. */
  readonly utime: number
  /** Newest first; at most MAX_BLOCKS. */
  readonly blocks: readonly LiveBlock[]
  /** Number of times that something new was received. Views load again when it changes. */
  readonly version: number
  /** Number of times that the service came back. Every view loads again then. */
  readonly returns: number
}

/** Many of them can be empty, and empty ones are one line. */
const MAX_BLOCKS = 60
const POLL = 2_000
const STATUS = 5_000
/** Masterchain blocks that events may be behind /status. */
const MAX_BEHIND = 4

export const live = createStore<Live>({ state: 'connecting', seqno: 0, utime: 0, blocks: [], version: 0, returns: 0 })

/** /status of the network, as far as the page reads it. */
export interface Status {
  readonly network: string
  readonly version: string
  readonly phase: string
  readonly troubles: readonly string[]
  readonly head: { readonly seqno: number; readonly utime: number } | null
  /** Seconds since the service saw that block. */
  readonly head_age?: number
  readonly index?: {
    readonly phase: string
    readonly seqno: number
    readonly lag: number
    readonly error: string
    readonly secondsLeft: number
  }
  readonly networks: readonly { readonly network: string; readonly phase: string }[]
}
export const status = createStore<Status | undefined>(undefined)

const update = (part: Partial<Live>): void => {
  const before = live.get()
  const isBack = before.state === 'lost' && part.state !== undefined && part.state !== 'lost'
  live.set({ ...before, ...part, returns: (part.returns ?? before.returns) + Number(isBack) })
}

const isSame = (a: LiveBlock, b: LiveBlock): boolean => a.workchain === b.workchain && a.shard === b.shard && a.seqno === b.seqno

/** Views in a tab that nobody sees are not loaded again until somebody does. */
const nextVersion = (version: number): number => (document.hidden ? version : version + 1)

/** Puts blocks in front, newest first. */
const addBlocks = (added: readonly LiveBlock[]): void => {
  const { blocks, seqno, utime, version } = live.get()
  const fresh = added.filter((block) => !blocks.some((each) => isSame(each, block)))
  if (fresh.length === 0) return
  // After a revert only the number of the head is sent, so its time is read from the block itself.
  const head = fresh.filter((block) => block.workchain === -1 && block.seqno >= seqno).sort((a, b) => b.seqno - a.seqno)[0]
  const all = [...fresh, ...blocks].sort((a, b) => b.utime - a.utime || b.seqno - a.seqno || a.workchain - b.workchain)
  update({ blocks: all.slice(0, MAX_BLOCKS), seqno: head?.seqno ?? seqno, utime: head?.utime ?? utime, version: nextVersion(version) })
}

/** A request of a view had no answer: the service is away, whatever the last event said. */
export const setLost = (): void => update({ state: 'lost' })

/** The head from v2. */
const loadHead = async (): Promise<void> => {
  const { last } = await ton.getMasterchainInfo()
  const { seqno, utime, version } = live.get()
  if (last.seqno !== seqno) update({ seqno: last.seqno, utime: status.get()?.head?.utime ?? utime, version: version + 1 })
}

/** Loads the newest blocks of the index; where there is no index, the head alone. */
export const loadBlocks = async (): Promise<void> => {
  if (status.get() !== undefined && !status.get()?.index) return loadHead()
  const { blocks } = await ton.v3.blocks({ limit: MAX_BLOCKS })
  addBlocks(
    blocks.map(({ workchain, shard, seqno, gen_utime, tx_count }) => ({
      workchain,
      shard,
      seqno,
      utime: Number(gen_utime),
      transactions: tx_count,
    })),
  )
}

/** Reads /status and the newest blocks in parallel, because a person waits for both. */
const loadFirst = async (): Promise<void> => {
  const blocks = loadBlocks().then(
    () => true,
    () => false,
  )
  await readStatus()
  if (!status.get()?.index) return loadHead()
  if (!(await blocks)) await loadBlocks()
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Forgets everything above a block, because the chain was reverted to it. */
const revertTo = (seqno: number): void => update({ seqno, blocks: [], version: live.get().version + 1 })

/** Blocks that came before the subscription are loaded. If that fails, /status shows that some are missing. */
const onSubscribed = (): void => {
  update({ state: 'live' })
  loadBlocks().catch(() => {})
}

/** Follows events for as long as the service sends them. Returns when it refuses. */
const followEvents = async (): Promise<void> => {
  for await (const event of watch(eventClient(), { types: ['blocks'] }, { onSubscribed })) {
    if (event.type === 'reset') {
      revertTo(event.seqno)
      await loadBlocks()
    } else if (event.type === 'gap') await loadBlocks()
    else if (event.type === 'block') {
      const { workchain, shard, seqno, gen_utime, tx_count } = event
      addBlocks([{ workchain, shard, seqno, utime: gen_utime, transactions: tx_count }])
    }
    if (live.get().state !== 'live') update({ state: 'live' })
  }
}

let reading: Promise<void> | undefined

/** Reads /status. Those who ask for it meanwhile get the same answer. */
const readStatus = (): Promise<void> => {
  reading ??= fetchStatus().finally(() => {
    reading = undefined
  })
  return reading
}

const fetchStatus = async (): Promise<void> => {
  const answer = await fetch(`${serviceUrl}/status`, { headers: { Accept: 'application/json' } })
  const received = (await answer.json()) as Status | null
  // A proxy may answer in the place of the service, with JSON of its own.
  if (!answer.ok || !Array.isArray(received?.networks)) throw new Error(`/status answered ${answer.status}`)
  status.set(received as Status)
}

/** Reads /status every few seconds. Without an answer the state is `lost`. */
const keepStatus = async (): Promise<never> => {
  for (;;) {
    try {
      if (document.hidden) {
        await pause(STATUS)
        continue
      }
      await readStatus()
      const { head, index } = status.get()!
      // A socket can be dead without being closed. Events come from the index where there is one.
      if (live.get().state === 'live' && (index ?? head ?? live.get()).seqno > live.get().seqno + MAX_BEHIND) update({ state: 'polling' })
      // Without events only the head shows a revert.
      if (head && head.seqno < live.get().seqno && live.get().state === 'polling') revertTo(head.seqno)
      if (live.get().state === 'lost') {
        update({ state: 'polling' })
        await loadBlocks()
      }
      if (head && head.seqno > live.get().seqno && live.get().state === 'polling') await loadBlocks()
    } catch (error) {
      if (!(error instanceof TonClientError)) update({ state: 'lost' })
    }
    await pause(STATUS)
  }
}

const keepBlocks = async (): Promise<never> => {
  for (;;) {
    try {
      await (status.get() === undefined ? loadFirst() : loadBlocks())
      if (live.get().state !== 'live') update({ state: 'polling' })
      if (status.get()?.index) await followEvents()
    } catch (error) {
      if (error instanceof TonClientError && error.kind === 'NETWORK') update({ state: 'lost' })
      else if (live.get().state === 'live') update({ state: 'polling' })
    }
    await pause(POLL)
  }
}

/** Starts to follow the service. Call it once. */
export const startLive = (): void => {
  void keepStatus()
  void keepBlocks()
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) update({ version: live.get().version + 1 })
  })
  // The browser reports it before any request could show it. Views whose load had no answer try again at once.
  addEventListener('online', () => update({ returns: live.get().returns + 1 }))
}
