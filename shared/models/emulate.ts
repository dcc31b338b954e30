import * as z from 'zod'
import { v3Action } from './v3/actions.ts'
import { requestedBooks } from './v3/book.ts'
import { byHash, traceNode } from './v3/traces.ts'
import { base64, flag, hash44, int, int32, jettonUnits, many, model, nanotons, rawUpper, text, words } from './value-formats.ts'

const cells = (what: string) =>
  z.record(hash44('Hash of the cell.'), base64('The cell, as a BoC.')).meta({ description: what, examples: [{}] })

/** Members of all emulations, after what would follow. */
const state = {
  code_cells: cells('Codes of the accounts, before and after each transaction, by their hashes.'),
  data_cells: cells('Data of the accounts, before and after each transaction, by their hashes.'),
  ...requestedBooks,
  rand_seed: hash44('The random seed that was used.'),
}

export const emulated = model('EmulatedTrace', {
  mc_block_seqno: int('Number of the masterchain block whose state was used.', 1000),
  trace: traceNode.describe('The tree of the transactions.'),
  transactions: byHash('The transactions by their hashes.'),
  actions: many('What the trace means; empty where that was not asked for.', v3Action),
  ...state,
  is_incomplete: flag('Whether a limit cut the trace off, or a message of it could not be delivered.'),
})

const account = rawUpper('The account.')
const amounts = (what: string) => z.record(account, nanotons('Nanograms; `-` before a loss.')).meta({ description: what, examples: [{}] })

/** The members of v3.balanceChanges, but with amounts as decimal texts. */
const balanceChanges = model('BundleBalanceChanges', {
  changes: amounts('Nanograms that each account gained (lost: below 0), with its fees.'),
  fees: amounts('Nanograms of fees that each account paid, which are in `changes` already.'),
  jettons: z
    .record(account, z.record(rawUpper('The jetton master.'), jettonUnits('Units that the owner gained; `-` before a loss.')))
    .meta({
      description:
        'Units of jettons that each owner gained (lost: below 0), by jetton master; null if the jetton wallets were not recognized in time.',
      examples: [{}],
    })
    .nullable(),
})

const failure = model('BundleFailure', {
  reason: words(
    'What failed: the account did not accept the message, the message cannot be delivered, the limits of a bundle were reached, or, in a transaction, the code, its actions, or the code did not run.',
    ['not_accepted', 'undeliverable', 'limit', 'compute', 'action', 'not_run'],
  ),
  message: text('The same in words.', 'exit code 37: not enough nanograms for an action'),
  exit_code: int32('Exit code of the code, or result code of its actions; null if there is none.', 37).nullable(),
  tx_hash: hash44('The first transaction that failed; null if there is no transaction.').nullable(),
})

const bundleResult = model('BundleResult', {
  trace: traceNode.describe('The tree of the transactions; null if there are none.').nullable(),
  transactions_order: many('Hashes of the transactions, in the order in which they would be made.', hash44('Hash of a transaction.')),
  transactions: byHash('The transactions by their hashes.'),
  actions: many('What the trace means; empty where that was not asked for.', v3Action),
  balance_changes: balanceChanges.describe('What the accounts gain and lose by it.'),
  failure: failure.describe('Why it failed; null if it did not.').nullable(),
  is_incomplete: flag('Whether a limit cut the trace off, or a message of it could not be delivered.'),
})

export const emulatedBundle = model('EmulatedBundle', {
  mc_block_seqno: int('Number of the masterchain block whose state was used.', 1000),
  results: many('What follows from each message, in the order of the messages.', bundleResult),
  ...state,
})
