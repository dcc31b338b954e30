export const createWaiting = () => {
  const waiting = new Set<() => void>()
  return {
    /** Resolves when woken, after `ms` milliseconds, or when the signal is aborted. The caller has to check which of these happened. */
    join: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const end = (): void => {
          waiting.delete(end)
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(end, ms)
        waiting.add(end)
        signal.addEventListener('abort', end)
        if (signal.aborted) end()
      }),
    wake(count = waiting.size): void {
      const woken: (() => void)[] = []
      for (const end of waiting) {
        if (woken.length >= count) break
        woken.push(end)
      }
      for (const end of woken) end()
    },
  }
}
