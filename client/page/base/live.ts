import { TonClientError, watch } from '../../index.ts'
import { eventClient, serviceUrl, ton } from './service.ts'
import { createStore } from './store.ts'

/* State that the page follows all the time: the newest blocks (by subscription, otherwise by polling), /status, and whether the service responds. */

export interface LiveBlock {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  /** Unix seconds. */
  readonly utime: number
  readonly transactions: number
}

export interface Live {
  /** `lost`: the last request got no response. */
  readonly state: 'connecting' | 'live' | 'polling' | 'lost'
  /** Newest masterchain block; 0 until it is loaded. */
  readonly seqno: number
  /** Unix seconds of the newest masterchain block. */
  readonly utime: number
  /** Newest first; at most MAX_BLOCKS. */
  readonly blocks: readonly LiveBlock[]
  /** Increases with each new block or revert. Views reload when it changes. */
  readonly version: number
  /** Increases when the service responds again. All views reload then. */
  readonly returns: number
}

/** Maximum number of blocks in the list. High, because empty blocks share one row. */
const MAX_BLOCKS = 60
const POLL = 2_000
const STATUS = 5_000
/** Maximum lag of events behind /status, in masterchain blocks. */
const MAX_BEHIND = 4

export const live = createStore<Live>({ state: 'connecting', seqno: 0, utime: 0, blocks: [], version: 0, returns: 0 })

export interface Status {
  readonly network: string
  readonly version: string
  readonly phase: string
  readonly troubles: readonly string[]
  readonly head: { readonly seqno: number; readonly utime: number } | null
  /** Seconds since the service received the head. */
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

/** Hidden tabs do not reload. They reload when they become visible. */
const nextVersion = (version: number): number => (document.hidden ? version : version + 1)

const addBlocks = (added: readonly LiveBlock[]): void => {
  const { blocks, seqno, utime, version } = live.get()
  const fresh = added.filter((block) => !blocks.some((each) => isSame(each, block)))
  if (fresh.length === 0) return
  // After a revert, only the seqno of the head is sent. The time of the head is read from its block.
  const head = fresh.filter((block) => block.workchain === -1 && block.seqno >= seqno).sort((a, b) => b.seqno - a.seqno)[0]
  const all = [...fresh, ...blocks].sort((a, b) => b.utime - a.utime || b.seqno - a.seqno || a.workchain - b.workchain)
  update({ blocks: all.slice(0, MAX_BLOCKS), seqno: head?.seqno ?? seqno, utime: head?.utime ?? utime, version: nextVersion(version) })
}

/** Marks the service as lost after a request without a response, whatever the last event said. */
export const setLost = (): void => update({ state: 'lost' })

const loadHead = async (): Promise<void> => {
  const { last } = await ton.getMasterchainInfo()
  const { seqno, utime, version } = live.get()
  if (last.seqno !== seqno) update({ seqno: last.seqno, utime: status.get()?.head?.utime ?? utime, version: version + 1 })
}

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

/** Loads /status and the newest blocks in parallel, so that the first view appears sooner. */
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

/** Removes everything above a block after the chain was reverted to that block. */
const revertTo = (seqno: number): void => update({ seqno, blocks: [], version: live.get().version + 1 })

/** Loads the blocks from before the subscription. If that fails, the next /status shows that blocks are missing. */
const onSubscribed = (): void => {
  update({ state: 'live' })
  loadBlocks().catch(() => {})
}

/** Updates `live` with the events of new blocks. Rejects when the service refuses the subscription. */
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

const readStatus = (): Promise<void> => {
  reading ??= fetchStatus().finally(() => {
    reading = undefined
  })
  return reading
}

const fetchStatus = async (): Promise<void> => {
  const answer = await fetch(`${serviceUrl}/status`, { headers: { Accept: 'application/json' } })
  const received = (await answer.json()) as Status | null
  // A proxy may respond in place of the service, with JSON of its own.
  if (!answer.ok || !Array.isArray(received?.networks)) throw new Error(`/status answered ${answer.status}`)
  status.set(received as Status)
}

/** Loads /status again and again, and corrects `live` with it. The state becomes `lost` if /status gets no response. */
const keepStatus = async (): Promise<never> => {
  for (;;) {
    try {
      if (document.hidden) {
        await pause(STATUS)
        continue
      }
      await readStatus()
      const { head, index } = status.get()!
      // A dead socket is not always closed, so the events are compared with /status: first with the index, because events come from the index.
      if (live.get().state === 'live' && (index ?? head ?? live.get()).seqno > live.get().seqno + MAX_BEHIND) update({ state: 'polling' })
      // Without events, a revert is visible only as a lower head.
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

export const startLive = (): void => {
  void keepStatus()
  void keepBlocks()
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) update({ version: live.get().version + 1 })
  })
  // The `online` event reports a restored connection earlier than the next request would. Views whose load got no response retry immediately.
  addEventListener('online', () => update({ returns: live.get().returns + 1 }))
}
