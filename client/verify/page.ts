import { MAX_PAGE } from './boc.ts'
import { must, VerifyError, within } from './error.ts'
import {
  type BlockId,
  blockText,
  itemsOf,
  masterBlock,
  masterBlockId,
  membersOf,
  rawOf,
  sameBlock,
  type TrustedBlock,
  trustedBlock,
} from './ids.ts'
import type { LightClient } from './light-client.ts'
import { createProvenBlocks } from './proven-blocks.ts'
import { type Completeness, type List, MAX_ROWS, readRequest } from './request.ts'
import {
  accountsOf,
  type Page,
  type PageEnd,
  type ProvenAccounts,
  verifyAccounts,
  verifyBlock,
  verifyEach,
  verifyOneAccount,
} from './verify-rows.ts'

export interface VerifyOptions {
  /** The trusted masterchain block at which the proof must begin, or a light client that decides whether the proof's block is trusted. */
  readonly head: TrustedBlock | Pick<LightClient, 'trust'>
  /** `next` of the page before, for a page with a cursor or an offset. */
  readonly after?: PageEnd | undefined
  /** Accepts a page without a proof that no row was omitted, even if its request allows such a proof. */
  readonly allowOmissions?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

type RowsOf<A> = [keyof A & List] extends [never] ? unknown[] : A[keyof A & List]

export interface VerifiedPage<A> {
  /** The rows of the answer. All members are proven but those in `uncovered`. */
  readonly rows: RowsOf<A>
  readonly complete: Completeness
  /** The masterchain block at which all proofs begin. The page shows the chain as of this block. */
  readonly head: TrustedBlock
  /** Members that no cell says anything about, at least in one row: `transactions[].trace_id`, `address_book`. */
  readonly uncovered: readonly string[]
  /** Where the page ends; undefined if nothing is known to follow. A server can end a page early, but it cannot hide that there is more. */
  readonly next: PageEnd | undefined
}

const trust = async (id: BlockId, { head, signal }: VerifyOptions): Promise<void> => {
  if ('trust' in head) return head.trust(trustedBlock(id), signal)
  const trusted = within('', () => masterBlock(head))
  must(sameBlock(id, trusted), () => `the proof ends at ${blockText(id)}, not at the trusted block ${blockText(trusted)}`)
}

/** Returns what the page proves: what its request allows, or `none` if the account no longer exists or the caller accepts omissions. */
const settle = ({ request, proof }: Page, accounts: ProvenAccounts, allowOmissions: boolean): Completeness => {
  const due = request.complete
  const said = proof['complete']
  // The last transaction of an account that no longer exists cannot be proven.
  const account = due === 'from_newest' ? accounts.get(rawOf(request.accounts[0]!)) : undefined
  const isGone = account !== undefined && account.cell === undefined
  if (said === due) return isGone ? 'none' : due
  must(said === 'none' && due !== 'accounts', `the page says that it is complete as "${String(said)}", the request allows "${due}"`)
  if (isGone || allowOmissions) return 'none'
  throw new VerifyError('', 'no proof that no row was left out, where one is possible (allowOmissions accepts it)', 'NO_PROOF')
}

const verify = (page: Page, accounts: ProvenAccounts, complete: Completeness): PageEnd | undefined => {
  switch (complete) {
    case 'from_newest':
    case 'continues':
      return verifyOneAccount(page, complete === 'from_newest' ? accounts : undefined)
    case 'block':
      return verifyBlock(page)
    case 'accounts':
      return verifyAccounts(page, accounts)
    case 'none':
      return verifyEach(page)
  }
}

const openPage = (method: string, params: object, answer: object, after: PageEnd | undefined): Page => {
  const request = readRequest(method, params as Page['proof'])
  const members = membersOf(answer)
  const { [request.list]: list, proof, proof_missing, ...others } = members
  if (proof === null || proof === undefined)
    throw new VerifyError('proof', `none: ${String(proof_missing ?? 'ask with proofs: true')}`, 'NO_PROOF')
  const rows = within(request.list, () => itemsOf(list).map(membersOf))
  must(rows.length <= Math.min(request.limit, MAX_ROWS), `${rows.length} rows, ${request.limit} were asked for`)
  const { masterchain, blocks } = membersOf(proof)
  const head = within('proof.masterchain', () => masterBlockId(masterchain))
  const uncovered = new Set(Object.keys(others))
  const budget = { hashes: MAX_PAGE }
  return { request, proof: membersOf(proof), head, rows, after, uncovered, budget, blockAt: createProvenBlocks(blocks, head, budget) }
}

/**
 * Checks an answer to a request with these parameters and `proofs: true`. Rejects with VerifyError, which names the row and the field, if the answer does not prove
 * what it says. If `head` is a light client that cannot reach its server, it rejects with that error.
 */
export const verifyPage = async <A extends object>(
  method: string,
  params: object,
  answer: A,
  options: VerifyOptions,
): Promise<VerifiedPage<A>> => {
  const page = within('', () => openPage(method, params, answer, options.after))
  await trust(page.head, options)
  return within('', () => {
    const accounts = accountsOf(page)
    const complete = settle(page, accounts, options.allowOmissions === true)
    const next = verify(page, accounts, complete)
    const rows = page.rows as unknown as RowsOf<A>
    return { rows, complete, head: trustedBlock(page.head), uncovered: [...page.uncovered].sort(), next }
  })
}
