import { formatRaw } from '../../../shared/fields/address.ts'
import type { Result } from '../../../shared/registry.ts'
import { createPauses, runSteps } from '../../base/yield.ts'
import type { EmulationError } from '../../emulate/error.ts'
import type { BundleResult, EmulatedBundle, EmulatedNode } from '../../emulate/trace.ts'
import { nameOf } from '../../store/row-keys.ts'
import { actionCodeText, exitCodeText } from '../../tvm/exit-codes.ts'
import { amountsIn, changesInTrace, mayMove, moveOf, type Wallet, type WithMessages } from '../shapes/balance-changes.ts'
import { showEmulated } from '../shapes/emulated.ts'
import { treeOf } from '../shapes/trace.ts'
import type { WireTransaction } from '../shapes/transaction.ts'
import { completeEmulated, type EmulatedOptions } from './emulated.ts'
import { MAX_TIME } from './recognize-trace.ts'

type Answer = Result<'emulate.bundle'>
type Failure = NonNullable<Answer['results'][number]['failure']>

const REASONS = { refused: 'not_accepted', message: 'undeliverable', time: 'limit', limit: 'limit' } as const
const SKIPPED = {
  no_state: 'the account has no code',
  bad_state: 'the StateInit of the message does not fit the address',
  no_gas: 'the message brought too little to pay for gas',
  suspended: 'the account is suspended',
} as const

const withText = (what: string, text: string | undefined): string => (text === undefined ? what : `${what}: ${text}`)

const refusal = (exitCode: number): string =>
  exitCode === 0 || exitCode === 1
    ? 'the account did not accept the message: it has no code, or its code ended without accepting'
    : withText(`the account did not accept the message, exit code ${exitCode}`, exitCodeText(exitCode))

const failureOfError = ({ kind, message, exitCode }: EmulationError): Failure => {
  const text = kind === 'refused' ? refusal(exitCode!) : message
  return { reason: REASONS[kind], message: text, exit_code: exitCode ?? null, tx_hash: null }
}

/**
 * Returns whether a transaction only credited coins to an account without a contract. TON marks it as aborted, and if the coins are few gives `no_gas` as the
 * reason. A StateInit with few coins was to make a contract, so that fails. client/outcome.ts has the same rule.
 */
const isCreditOnly = ({ description: { compute_ph: compute, bounce }, in_msg: received, end_status: status }: WireTransaction): boolean => {
  if (compute?.skipped !== true || bounce !== undefined || received?.bounce === true) return false
  const isFew = compute.reason === 'no_gas' && status === 'uninit' && received?.value !== '0' && !received?.init_state
  return compute.reason === 'no_state' || isFew
}

/** Why a transaction failed; undefined if it succeeded. Coins that arrive at an account without a contract are not a failure. */
const failureOf = (transaction: WireTransaction): Failure | undefined => {
  const { hash: tx_hash, description } = transaction
  const { compute_ph: compute, action, aborted } = description
  if (compute?.skipped === false && !compute.success) {
    const message = withText(`exit code ${compute.exit_code}`, exitCodeText(compute.exit_code))
    return { reason: 'compute', message, exit_code: compute.exit_code, tx_hash }
  }
  if (action && !action.success) {
    const message = withText(`result code ${action.result_code} of the actions`, actionCodeText(action.result_code))
    return { reason: 'action', message, exit_code: action.result_code, tx_hash }
  }
  if (!aborted || isCreditOnly(transaction)) return undefined
  return {
    reason: 'not_run',
    message: compute?.skipped ? SKIPPED[compute.reason] : 'the transaction was aborted',
    exit_code: null,
    tx_hash,
  }
}

/**
 * Why a message failed although it has transactions. With some send modes a wallet skips messages that it cannot pay for: its transaction succeeds, but
 * nobody receives anything. That counts as a failure.
 */
const failureIn = (transactions: readonly WireTransaction[]): Failure | null => {
  const failed = transactions.map(failureOf).find((each) => each !== undefined)
  const [first] = transactions
  const skipped = first?.description.action?.skipped_actions ?? 0
  if (failed || skipped === 0) return failed ?? null
  const message = `${skipped} of ${first!.description.action!.tot_actions} actions of the first transaction could not be carried out, and its mode leaves them out`
  return { reason: 'action', message, exit_code: null, tx_hash: first!.hash }
}

const texts = (sums: ReadonlyMap<string, bigint>): Record<string, string> =>
  Object.fromEntries([...sums].map(([name, amount]) => [name, amount.toString()]))

type Changes = Answer['results'][number]['balance_changes']

/** Balance changes of accounts. `wallets`: jetton wallets by raw address; undefined if they were not recognized. */
const changesOf = async (
  rows: readonly WithMessages[],
  nodes: readonly EmulatedNode[],
  bodies: ReadonlyMap<string, Buffer>,
  wallets: ReadonlyMap<string, Wallet> | undefined,
  signal: AbortSignal,
): Promise<Changes> => {
  const byKey = new Map(nodes.map(({ account }, i) => [nameOf(rows[i]!.row.account), wallets?.get(formatRaw(account, 'upper'))]))
  const walletOf = (account: Buffer): Wallet | undefined => byKey.get(nameOf(account))
  const moving = rows.filter((of) => mayMove(of) && walletOf(of.row.account) !== undefined)
  const read = new Set(moving.map(({ received }) => received!.body_hash.toString('base64')))
  const amounts = await runSteps(amountsIn([...bodies].filter(([hash]) => read.has(hash))), signal)
  const { changes, fees, jettons } = changesInTrace(rows, rows, walletOf, (of) => moveOf(of, walletOf(of.row.account), amounts))
  const owned = wallets !== undefined || nodes.length === 0 ? [...jettons].map(([owner, sums]) => [owner, texts(sums)]) : undefined
  return { changes: texts(changes), fees: texts(fees), jettons: owned ? Object.fromEntries(owned) : null }
}

/** Formats the answer of emulate.bundle. `hashes`: hashes of the messages, base64. */
export const answerOfBundle = async (
  options: EmulatedOptions,
  { results, ...of }: EmulatedBundle,
  hashes: readonly string[],
  signal: AbortSignal,
): Promise<Answer> => {
  const { wants } = options
  const nodes = results.flatMap((result) => result.nodes)
  const beginnings = new Map(results.flatMap((result, i) => result.nodes.map((node) => [node, hashes[i]!] as const)))
  const shown = await showEmulated({ ...of, nodes }, { externalOf: (node) => beginnings.get(node) }, signal)
  const recognizedUntil = performance.now() + MAX_TIME
  let [done, address_book, metadata]: [number, Answer['address_book'], Answer['metadata']] = [0, undefined, undefined]
  const answerOf = async (result: BundleResult, externalHash: string): Promise<Answer['results'][number]> => {
    const [from, to] = [done, done + result.nodes.length]
    done = to
    const transactions = shown.transactions.slice(from, to)
    const maxTime = Math.max(1, recognizedUntil - performance.now())
    const isEmpty = transactions.length === 0
    const parts = isEmpty
      ? { actions: [], wallets: undefined }
      : await completeEmulated(options, { ...of, ...result }, externalHash, maxTime, signal)
    if ('address_book' in parts) address_book = { ...address_book, ...parts.address_book }
    if ('metadata' in parts) metadata = { ...metadata, ...parts.metadata }
    const tree = isEmpty ? null : treeOf(transactions[0]!.hash, transactions)
    if (typeof tree === 'string') throw new Error(`an emulated trace has no tree: ${tree}`)
    return {
      trace: tree,
      transactions_order: transactions.map(({ hash }) => hash),
      transactions: Object.fromEntries(transactions.map((transaction) => [transaction.hash, transaction])),
      actions: parts.actions,
      balance_changes: await changesOf(shown.rows.slice(from, to), result.nodes, shown.bodies, parts.wallets, signal),
      failure: result.error ? failureOfError(result.error) : failureIn(transactions),
      is_incomplete: result.isIncomplete,
    }
  }
  const answers: Answer['results'] = []
  const pause = createPauses(undefined, signal)
  for (const [i, result] of results.entries()) {
    const paused = pause()
    if (paused !== undefined) await paused
    answers.push(await answerOf(result, hashes[i]!))
  }
  return {
    mc_block_seqno: of.at.seqno,
    results: answers,
    code_cells: await shown.codeCells(),
    data_cells: await shown.dataCells(),
    ...((wants.book || address_book) && { address_book: address_book ?? {} }),
    ...((wants.metadata || metadata) && { metadata: metadata ?? {} }),
    rand_seed: Buffer.from(of.randSeed).toString('base64'),
  }
}
