import * as z from 'zod'
import { v3Action } from './v3/actions.ts'
import { withBookAndMetadata } from './v3/book.ts'
import { traceNode } from './v3/traces.ts'
import { v3Transaction } from './v3/transactions.ts'
import { base64, flag, hash44, int, many } from './wire.ts'

const cells = (what: string) =>
  z.record(hash44('Hash of the cell.'), base64('The cell, as a BoC.')).meta({ description: what, examples: [{}] })

/** A trace that would be. */
export const emulated = z
  .strictObject({
    mc_block_seqno: int('Number of the masterchain block whose state was used.', 1000),
    trace: traceNode.describe('The tree of the transactions.'),
    transactions: z
      .record(hash44('Hash of a transaction.'), v3Transaction)
      .meta({ description: 'The transactions by their hashes.', examples: [{}] }),
    actions: many('What the trace means; empty where that was not asked for.', v3Action),
    code_cells: cells('Codes of the accounts, before and after each transaction, by their hashes.'),
    data_cells: cells('Data of the accounts, before and after each transaction, by their hashes.'),
    address_book: withBookAndMetadata.address_book.optional(),
    metadata: withBookAndMetadata.metadata.optional(),
    rand_seed: hash44('The random seed that was used.'),
    is_incomplete: flag('Whether a limit cut the trace off, or a message of it could not be delivered.'),
  })
  .meta({ id: 'EmulatedTrace' })
