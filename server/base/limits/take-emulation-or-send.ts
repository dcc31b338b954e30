import { TonError } from '../../../shared/errors.ts'
import type { Caller } from '../call.ts'

const TEXTS = {
  emulations: { name: 'emulation', each: 'in a second' },
  sends: { name: 'message', each: 'to one account in a second' },
} as const

/**
 * Takes an emulation, or a message to the account `of`, from a caller's plan. Throws or rejects with RATE_LIMITED if the limit of this second is used up.
 * Callers without a key have no such limit. Returns a promise if another process counts.
 */
export const takeOneOf = (caller: Caller | undefined, what: keyof typeof TEXTS, of?: string): void | Promise<void> => {
  const check = (isTaken: boolean | undefined): void => {
    if (isTaken !== false) return
    const { name, each } = TEXTS[what]
    throw new TonError('RATE_LIMITED', `${name} limit reached: max ${caller?.limits?.[what]} ${each}`, { retryAfter: 1 })
  }
  const taken = caller?.takeOne?.(what, of)
  return taken instanceof Promise ? taken.then(check) : check(taken)
}
