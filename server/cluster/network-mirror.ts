import type { HeadHub } from '../chain/local/store/head-hub.ts'
import type { PendingNews } from '../live/pending/told-trace.ts'
import type { FiguresNews, HeadNews, NetworkState } from './messages.ts'

/** What a worker knows about one network of the primary. */
export interface NetworkMirror {
  set(state: NetworkState): void
  setFigures(news: FiguresNews): void
  setHead(head: HeadNews['head']): void
  takePending(news: PendingNews): void
  /** Gives news of pending traces to this function from now on. */
  feedPending(take: (news: PendingNews) => void): void
  figures(): FiguresNews | undefined
  /** Sends heads to this hub from now on. */
  feed(hub: HeadHub): void
  /** Waits for the next opening that was not returned before. Rejects with a fault that was not reported before. */
  opening(fail: (fault: string) => Error): Promise<NetworkState & { phase: 'ready' }>
  /** Resolves with the reason when this opening is over. */
  over(opening: number): Promise<string>
}

export const createNetworkMirror = (): NetworkMirror => {
  let state: NetworkState | undefined
  let figures: FiguresNews | undefined
  let hub: HeadHub | undefined
  let take: (news: PendingNews) => void = () => {}
  let given = -1
  let told: string | undefined
  let waiting: (() => void)[] = []
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve)
    })
  return {
    set(next) {
      state = next
      const ready = waiting
      waiting = []
      for (const wake of ready) wake()
    },
    setFigures(news) {
      figures = news
    },
    setHead(head) {
      if (state?.phase === 'ready') state = { ...state, head }
      hub?.set(head)
    },
    takePending: (news) => take(news),
    feedPending(next) {
      take = next
    },
    figures: () => figures,
    feed(next) {
      hub = next
      if (state?.phase === 'ready') hub.set(state.head)
    },
    async opening(fail) {
      for (;;) {
        if (state?.phase === 'ready' && state.opening !== given) {
          given = state.opening
          return state
        }
        if (state?.phase === 'failed' && state.fault !== told) {
          told = state.fault
          throw fail(state.fault)
        }
        await change()
      }
    },
    async over(opening) {
      for (;;) {
        if (state?.phase === 'failed') {
          told = state.fault
          return state.fault
        }
        if (state?.opening !== opening) return 'the first process has opened the chain again'
        await change()
      }
    },
  }
}
