/** Messages to one account that are emulated in ten seconds: those that it accepts, and those that it refuses, which anybody can send. */
const FLOOD = { taken: 20, refused: 200, ms: 10_000 } as const
/** Accounts that are remembered. */
const MAX_ACCOUNTS = 10_000

/** Counts the messages that accounts were sent lately. */
interface FloodGuard {
  /** Returns false if an account got too many. Otherwise the message counts as accepted. */
  enter(key: string): boolean
  /** The account refused a message that was counted as accepted: count it as refused instead. */
  refuse(key: string): void
}

export const createFloodGuard = (): FloodGuard => {
  const lately = new Map<string, { readonly taken: number[]; readonly refused: number[] }>()
  const since = (times: readonly number[]): number[] => times.filter((at) => at > performance.now() - FLOOD.ms)
  const of = (key: string) => {
    const times = lately.get(key)
    return { taken: since(times?.taken ?? []), refused: since(times?.refused ?? []) }
  }
  /** Forgets the accounts at the front, which had no message for the longest time, if theirs do not count any more or there are too many accounts. */
  const forget = (): void => {
    for (const [key, { taken, refused }] of lately) {
      if (lately.size <= MAX_ACCOUNTS && since([...taken, ...refused]).length > 0) return
      lately.delete(key)
    }
  }
  const put = (key: string, taken: number[], refused: number[]): void => {
    lately.delete(key)
    lately.set(key, { taken, refused })
    forget()
  }
  return {
    enter(key) {
      const { taken, refused } = of(key)
      if (taken.length >= FLOOD.taken || refused.length >= FLOOD.refused) return false
      put(key, [...taken, performance.now()], refused)
      return true
    },
    refuse(key) {
      const { taken, refused } = of(key)
      put(key, taken.slice(0, -1), [...refused, performance.now()])
    },
  }
}
