import { TonError } from '../../shared/errors.ts'

/** Limits how much of some work runs at a time. */
export interface Permits {
  /**
   * Waits for a permit, in order of arrival, and resolves with a function that returns it (calling that twice is harmless). Rejects with the signal's
   * reason, or with UNAVAILABLE when too many wait already or the wait takes too long.
   */
  take(signal: AbortSignal): Promise<() => void>
}

export interface PermitOptions {
  readonly atOnce: number
  readonly waiting: number
  /** Longest wait for a permit, milliseconds. */
  readonly patience: number
  /** The error text for a caller who gets no permit. */
  readonly text: string
}

export const createPermits = ({ atOnce, waiting: most, patience, text }: PermitOptions): Permits => {
  const waiting: (() => void)[] = []
  let free = atOnce
  const refusal = (): TonError => new TonError('UNAVAILABLE', text, { retryAfter: Math.ceil(patience / 4_000) })

  const permit = (): (() => void) => {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }

  return {
    take(signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (free > 0) {
        free--
        return Promise.resolve(permit())
      }
      if (waiting.length >= most) return Promise.reject(refusal())
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', leave)
          const at = waiting.indexOf(go)
          if (at >= 0) waiting.splice(at, 1)
        }
        const go = (): void => {
          settle()
          resolve(permit())
        }
        const leave = (): void => {
          settle()
          reject(signal.reason)
        }
        const timer = setTimeout(() => {
          settle()
          reject(refusal())
        }, patience)
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(go)
      })
    },
  }
}
