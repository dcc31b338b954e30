import { createHash } from 'node:crypto'
import { accountKey } from '../../store/row-keys.ts'
import type { AccountId } from '../../tlb/ids.ts'

/* Accounts that are indexed, with their transactions, messages, states and traces. */

export interface Selection {
  has(workchain: number, hash: Uint8Array): boolean
  /** Returns whether shard blocks of a workchain have to be read. */
  wants(workchain: number): boolean
  /** Identifies the selection; empty if everything is selected. */
  readonly name: string
}

export const EVERYTHING: Selection = { has: () => true, wants: () => true, name: '' }

/** Selects single accounts and whole workchains. Everything is selected if both are empty. */
export const createSelection = (accounts: readonly AccountId[], workchains: readonly number[]): Selection => {
  if (accounts.length === 0 && workchains.length === 0) return EVERYTHING
  const whole = new Set(workchains)
  const keys = new Set(accounts.map(({ workchain, hash }) => accountKey(workchain, hash).toString('latin1')))
  const touched = new Set([...workchains, ...accounts.map(({ workchain }) => workchain)])
  const text = [...[...whole].map(String), ...[...keys].map((key) => Buffer.from(key, 'latin1').toString('hex'))].sort().join()
  return {
    has: (workchain, hash) => whole.has(workchain) || keys.has(accountKey(workchain, hash).toString('latin1')),
    wants: (workchain) => touched.has(workchain),
    name: createHash('sha256').update(text).digest('hex'),
  }
}
