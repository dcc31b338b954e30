import * as z from 'zod'
import { anyOf, rule } from '../fields/field.ts'
import { addresses, hashes, v3Address, v3Hash } from '../fields/v3/addresses-and-hashes.ts'
import { opcode, v3Lt } from '../fields/v3/numbers.ts'
import { proofs } from '../fields/v3/proofs.ts'
import { overrides } from '../fields/v3/request-settings.ts'
import { direction, looseDirection } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3Transactions } from '../models/v3/transactions.ts'
import { FRIENDLY, HASH, HASH_HEX, RAW } from '../samples.ts'
import { committed, inBlock, masterchainSeqno, provenListParams, reads, sortedPage, window } from './common.ts'

const read = { ...reads('Blockchain data'), weightOfProof: 1 } as const

/** Filters by a message that the transaction received or sent. */
const byMessage = {
  msg_hash: hashes(
    'Only transactions that received or sent a message with one of these hashes; of external ones the normalized hash is accepted too.',
  ).optional(),
  body_hash: v3Hash('Only transactions with a message whose body has this hash.').optional(),
  opcode: opcode('Only transactions with a message of this opcode, the first 32 bits of its body.').optional(),
  direction: direction('Which message is meant: the one received (in) or those sent (out).').optional(),
  source: v3Address('Only transactions with a message from this account.').optional(),
  destination: v3Address('Only transactions with a message to this account.').optional(),
}

export const transactions = {
  'v3.transactions': method({
    ...read,
    page: { rows: 'transactions', max: 1000 },
    summary: 'Transactions by block, account, hash, message, logical time or time, newest first.',
    examples: [
      { title: 'the newest', params: { limit: 3 } },
      { title: 'of accounts', params: { account: [FRIENDLY, RAW], sort: 'asc' } },
      { title: 'by hash', params: { hash: [HASH] } },
      { title: 'by cursor', params: { limit: 2, cursor: '' } },
    ],
    params: provenListParams(
      {
        ...inBlock,
        mc_seqno: committed,
        account: addresses('Only transactions of these accounts.').optional(),
        exclude_account: addresses('No transactions of these accounts.').optional(),
        hash: hashes('Only the transactions with these hashes.').optional(),
        lt: v3Lt('Only transactions of this logical time.').optional(),
        ...byMessage,
        ...window,
        ...sortedPage,
      },
      [
        (p) => p.direction === undefined || p.msg_hash !== undefined || p.opcode !== undefined,
        rule('direction can be specified only with msg_hash or opcode', ['direction']),
      ],
    ),
    result: v3Transactions,
    errors: ['NOT_FOUND'],
  }),
  'v3.transactionsByMasterchainBlock': method({
    ...read,
    page: { rows: 'transactions', max: 1000 },
    summary: 'Transactions of all blocks that a masterchain block commits.',
    examples: [{ title: 'of a masterchain block', params: { seqno: 1 } }],
    params: provenListParams({ seqno: masterchainSeqno, ...sortedPage }),
    result: v3Transactions,
    errors: ['NOT_FOUND'],
  }),
  'v3.transactionsByMessage': method({
    ...read,
    page: { rows: 'transactions', max: 1000 },
    summary: 'Transactions that sent or received a message, by its hash, body or opcode.',
    examples: [
      { title: 'by hash', params: { msg_hash: [HASH_HEX] } },
      { title: 'by opcode', params: { opcode: '0x00000000', limit: 5 } },
    ],
    params: provenListParams({
      ...byMessage,
      ...sortedPage,
    }).refine(...anyOf(['msg_hash', 'body_hash', 'opcode'], 'at least one of msg_hash, body_hash, opcode should be specified')),
    result: v3Transactions,
  }),
  'v3.adjacentTransactions': method({
    ...read,
    summary: 'The transaction that sent what this one received, and those that received what it sent.',
    examples: [{ title: 'of none', params: { hash: HASH, direction: 'out' }, fails: 'NOT_FOUND' }],
    params: z.object({
      hash: v3Hash('The transaction whose neighbours are wanted.'),
      direction: looseDirection('Which neighbours: the one before it (in) or those after it (out).').optional(),
      ...overrides,
      ...proofs,
    }),
    result: v3Transactions,
    errors: ['NOT_FOUND'],
  }),
}
