import { rule } from '../field.ts'
import { v3Bool } from './words.ts'

/* Parameter `proofs`: the answer of a list contains proofs of its rows. */

/** Maximum number of rows in an answer with proofs. */
export const MAX_PROVEN_ROWS = 100

export const proofs = {
  proofs: v3Bool('Adds `proof`, by which a light client checks the rows. At most 100 rows then.').optional(),
}

const OFF = new Set([undefined, null, false, '', '0', 'f', 'F', 'FALSE', 'false', 'False'] as unknown[])

/** Whether a call requests proofs. `params` may be unparsed. */
export const asksForProofs = (params: unknown): boolean =>
  typeof params === 'object' && params !== null && !OFF.has((params as { readonly proofs?: unknown }).proofs)

interface Proven {
  readonly proofs?: boolean | undefined
}

const text = (given: string): string => `proofs are for at most ${MAX_PROVEN_ROWS} ${given}`

/** Rule: an answer with proofs has a limited number of rows. */
export const fewRows = [
  (p: Proven & { readonly limit: number }): boolean => !p.proofs || p.limit <= MAX_PROVEN_ROWS,
  rule(text('rows: take a smaller limit'), ['limit']),
] as const

/** Rule: proofs of account states need a limited list of addresses. */
export const fewAccounts = [
  (p: Proven & { readonly address?: readonly unknown[] | undefined }): boolean =>
    !p.proofs || (p.address !== undefined && p.address.length <= MAX_PROVEN_ROWS),
  rule(text('accounts that `address` names'), ['address']),
] as const
