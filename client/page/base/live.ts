import { PASSING } from '../../failure-kinds.ts'
import { TonClientError, type WatchState, watch } from '../../index.ts'
import { createLoads } from './loads.ts'
import { eventClient, serviceUrl, ton } from './service.ts'
import { createStore } from './store.ts'
import type { Block } from './types.ts'

/* State that the page follows all the time: the newest blocks (by subscription, otherwise by polling), /status, and whether the service responds. */

export interface Live {
  /** `lost`: the last request got no response. */
  readonly state: 'connecting' | 'live' | 'polling' | 'lost'
  /** Newest masterchain block; 0 until it is loaded. */
  readonly seqno: number
  /** Unix seconds of the newest masterchain block. */
  readonly utime: number
  /** Newest first; at most MAX_BLOCKS. */
  readonly blocks: readonly Block[]
  /** Increases with each new block or revert. Views reload when it changes. */
  readonly version: number
  /** Increases when the service responds again. All views reload then. */
  readonly returns: number
}

/** Maximum number of blocks in the list. High, because empty blocks share one row. */
const MAX_BLOCKS = 60
/** Milliseconds between two requests of /status: without events of new blocks, and with them. */
const POLL = 2_000
const STATUS = 5_000
/** Minimum milliseconds between two loads of the newest blocks, which share the events in between. */
const LEAST = 250

export const live = createStore<Live>({ state: 'connecting', seqno: 0, utime: 0, blocks: [], version: 0, returns: 0 })

export interface Status {
  readonly network: string
  readonly version: string
  readonly phase: string
  readonly head: { readonly seqno: number; readonly utime: number } | null
  /** Seconds since the service received the head. */
  readonly head_age?: number
  readonly index?: {
    readonly phase: string
    readonly seqno: number
    readonly lag: number
    readonly error: string
  }
  readonly networks: readonly { readonly network: string; readonly phase: string }[]
}
export const status = createStore<Status | undefined>(undefined)

const update = (part: Partial<Live>): void => {
  const before = live.get()
  const isBack = before.state === 'lost' && part.state !== undefined && part.state !== 'lost'
  live.set({ ...before, ...part, returns: (part.returns ?? before.returns) + Number(isBack) })
}

/** True while the service sends events of new blocks. */
let hasEvents = false

/** Marks the service as lost after a request without a response. */
export const setLost = (): void => update({ state: 'lost' })

/** A part of `live` that makes views reload. Hidden tabs do not reload. They reload when they become visible. */
const changed = (part: Partial<Live>): Partial<Live> => ({ ...part, version: live.get().version + Number(!document.hidden) })

let shown = ''

/** Loads the newest blocks. Views reload if these are not the blocks from before, because of new blocks or a revert. */
const loadBlocks = async (): Promise<void> => {
  const { blocks } = await ton.v3.blocks({ limit: MAX_BLOCKS })
  const hashes = blocks.map(({ root_hash }) => root_hash).join()
  const head = blocks.filter(({ workchain }) => workchain === -1).sort((a, b) => b.seqno - a.seqno)[0]
  const state = hasEvents ? 'live' : 'polling'
  if (hashes === shown) return update({ state })
  shown = hashes
  const all = blocks.toSorted((a, b) => Number(b.gen_utime) - Number(a.gen_utime) || b.seqno - a.seqno || a.workchain - b.workchain)
  update(changed({ state, blocks: all, ...(head && { seqno: head.seqno, utime: Number(head.gen_utime) }) }))
}

const blockLoads = createLoads(
  async () => {
    try {
      await loadBlocks()
      return 'answered'
    } catch (error) {
      const kind = error instanceof TonClientError ? error.kind : 'PROTOCOL'
      if (kind === 'NETWORK') setLost()
      return PASSING[kind] ? 'unanswered' : 'answered'
    }
  },
  LEAST,
  () => !document.hidden,
)

/** Loads the newest blocks without waiting for an event. */
export const askBlocks = (): void => blockLoads.ask()

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Loads blocks with each event of one. Resolves or rejects when the service refuses the subscription. */
const followEvents = async (): Promise<void> => {
  const onState = (state: WatchState): void => {
    hasEvents = state === 'live'
    // Blocks from before the subscription have no events.
    if (hasEvents) askBlocks()
    else if (live.get().state === 'live') update({ state: 'polling' })
  }
  for await (const _ of watch(eventClient(), { types: ['blocks'] }, { onState })) if (!document.hidden) askBlocks()
}

const keepEvents = async (): Promise<never> => {
  for (;;) {
    if (status.get()?.index) await followEvents().catch(() => {})
    hasEvents = false
    await pause(POLL)
  }
}

const readStatus = async (): Promise<void> => {
  const answer = await fetch(`${serviceUrl}/status`, { headers: { Accept: 'application/json' } })
  const received = (await answer.json()) as Status | null
  // A proxy may respond in place of the service, with JSON of its own.
  if (!answer.ok || !Array.isArray(received?.networks)) throw new Error(`/status answered ${answer.status}`)
  const { head, index } = received as Status
  status.set(received as Status)
  const { seqno } = live.get()
  if (index) {
    // Without events, and if a dead socket is not closed, /status shows that there are other blocks.
    if (index.seqno !== seqno || live.get().state === 'lost') askBlocks()
  } else if (head && head.seqno !== seqno) update(changed({ state: 'polling', seqno: head.seqno, utime: head.utime }))
  else update({ state: 'polling' })
}

/** Loads /status again and again. The state becomes `lost` if it gets no response. */
export const startLive = async (): Promise<never> => {
  // Before /status says whether there is an index, because most services have one.
  askBlocks()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    update({ version: live.get().version + 1 })
    askBlocks()
  })
  // The `online` event reports a restored connection earlier than the next request would. Views whose load got no response retry immediately.
  addEventListener('online', () => update({ returns: live.get().returns + 1 }))
  await readStatus().catch(setLost)
  void keepEvents()
  for (;;) {
    await pause(hasEvents ? STATUS : POLL)
    if (!document.hidden) await readStatus().catch(setLost)
  }
}
