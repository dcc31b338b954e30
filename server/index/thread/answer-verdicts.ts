import { fromFailure } from '../../base/threads/failure.ts'
import { INDEX_ERRORS } from './errors.ts'
import type { Verdict } from './protocol.ts'

/** Answers of the source that the thread has not accepted or refused yet. */
export interface Verdicts {
  /** Resolves when the answer is accepted. Rejects with the reason if the answer is refused, and if the job ends before the verdict. */
  of(id: number): Promise<void>
  settle(verdict: Verdict): void
}

export const createVerdicts = (signal: AbortSignal): Verdicts => {
  const open = new Map<number, { readonly resolve: () => void; readonly reject: (error: unknown) => void }>()
  const end = (): void => {
    for (const { reject } of open.values()) reject(signal.reason)
    open.clear()
  }
  signal.addEventListener('abort', end, { once: true })
  return {
    of: (id) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        open.set(id, { resolve, reject })
      }),
    settle({ id, refusal }) {
      const waiting = open.get(id)
      open.delete(id)
      if (refusal === undefined) waiting?.resolve()
      else waiting?.reject(fromFailure(refusal, INDEX_ERRORS))
    },
  }
}
