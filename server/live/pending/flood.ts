/** Messages to one account in ten seconds that are followed. */
const FLOOD = { most: 20, ms: 10_000 } as const
/** Accounts that are remembered. */
const MOST_ACCOUNTS = 10_000

/** Tells whether an account has been sent too many messages lately. Counts only those that are followed. */
export const createFloodGuard = (): ((key: string) => boolean) => {
  const lately = new Map<string, number[]>()
  return (key) => {
    const time = performance.now()
    const times = (lately.get(key) ?? []).filter((at) => at > time - FLOOD.ms)
    if (times.length >= FLOOD.most) return true
    lately.delete(key)
    lately.set(key, [...times, time])
    if (lately.size > MOST_ACCOUNTS) lately.delete(lately.keys().next().value!)
    return false
  }
}
