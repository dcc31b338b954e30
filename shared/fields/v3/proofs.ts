import { rule } from '../field.ts'
import { v3Bool } from './words.ts'

/* `proofs`: the answer of a list carries proofs of its rows. */

/** Largest number of rows of an answer with proofs. */
export const MAX_PROVEN_ROWS = 100

export const proofs = {
  proofs: v3Bool('Adds `proof`, by which a light client checks the rows. At most 100 rows then.').optional(),
}

const OFF = new Set([undefined, null, false, '', '0', 'f', 'F', 'FALSE', 'false', 'False'] as unknown[])

/** Whether a call wants proofs; its parameters may not be parsed yet. */
export const asksForProofs = (params: unknown): boolean =>
  typeof params === 'object' && params !== null && !OFF.has((params as { readonly proofs?: unknown }).proofs)

interface Proven {
  readonly proofs?: boolean | undefined
}

const text = (given: string): string => `proofs are for at most ${MAX_PROVEN_ROWS} ${given}`

/** An answer with proofs has few rows. */
export const fewRows = [
  (p: Proven & { readonly limit: number }): boolean => !p.proofs || p.limit <= MAX_PROVEN_ROWS,
  rule(text('rows: take a smaller limit'), ['limit']),
] as const

/** States are proven of accounts that are named. */
export const fewAccounts = [
  (p: Proven & { readonly address?: readonly unknown[] | undefined }): boolean =>
    !p.proofs || (p.address !== undefined && p.address.length <= MAX_PROVEN_ROWS),
  rule(text('accounts that `address` names'), ['address']),
] as const
