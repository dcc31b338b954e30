import * as z from 'zod'
import { rule } from '../fields/field.ts'
import { addresses, addressOrNone, hashes, v3Address, v3Hash } from '../fields/v3/keys.ts'
import { opcode, utime, v3Int, v3Lt, v3Shard } from '../fields/v3/numbers.ts'
import { overrides, patience } from '../fields/v3/overrides.ts'
import { paged, sorted } from '../fields/v3/page.ts'
import { direction, looseDirection, v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3Blocks, v3MasterchainInfo } from '../models/v3/block.ts'
import { v3Messages } from '../models/v3/message.ts'
import { v3Transactions } from '../models/v3/transaction.ts'

export const read = { api: 'v3', effect: 'read', needs: 'index', rest: 'GET', weight: 1, cache: 'never' } as const

/** A window of time and of logical time, both ends included. */
export const window = {
  start_utime: utime('Only what happened at this time or later.').optional(),
  end_utime: utime('Only what happened at this time or before.').optional(),
  start_lt: v3Lt('Only what has this logical time or a later one.').optional(),
  end_lt: v3Lt('Only what has this logical time or an earlier one.').optional(),
}

/** Transactions by a message that they received or sent. */
const byMessage = {
  msg_hash: hashes(
    'Only transactions that received or sent a message with one of these hashes; of external ones the normalized hash is taken too.',
  ).optional(),
  body_hash: v3Hash('Only transactions with a message whose body has this hash.').optional(),
  opcode: opcode('Only transactions with a message of this opcode, the first 32 bits of its body.').optional(),
  direction: direction('Which message is meant: the one received (in) or those sent (out).').optional(),
  source: v3Address('Only transactions with a message from this account.').optional(),
  destination: v3Address('Only transactions with a message to this account.').optional(),
}

/** The place of a block. */
const inBlock = {
  workchain: v3Int('Only blocks of this workchain: -1 is the masterchain, 0 the basechain.').optional(),
  shard: v3Shard('Only blocks of this shard.').optional(),
  seqno: v3Int('Only the blocks of this number in their shards.').optional(),
}
const committed = v3Int('Only blocks that the masterchain block of this number commits.').optional()
const masterchainSeqno = v3Int('The number of the masterchain block.')

const uncut = (p: { readonly cursor?: string | undefined; readonly offset: number }): boolean => p.cursor === undefined || p.offset === 0
/** A cursor says where a page begins; so does an offset. */
export const notBoth = [uncut, rule('cursor cannot be used with offset', ['cursor'])] as const

/** Blocks, transactions and messages. */
export const blockchain = {
  'v3.masterchainInfo': method({
    ...read,
    summary: 'First and last masterchain block of the index.',
    params: z.object({ ...patience }),
    result: v3MasterchainInfo,
  }),
  'v3.blocks': method({
    ...read,
    page: { rows: 'blocks', max: 1000 },
    summary: 'Blocks by their place, hash, masterchain block or time.',
    params: z
      .object({
        ...inBlock,
        root_hash: v3Hash('Only the block with this root hash.').optional(),
        file_hash: v3Hash('Only the block with this file hash.').optional(),
        mc_seqno: committed,
        ...window,
        ...sorted(),
        ...patience,
      })
      .refine(...notBoth),
    result: v3Blocks,
  }),
  'v3.masterchainBlockShardState': method({
    ...read,
    summary: 'Newest block of every shard at a masterchain block, that block itself included.',
    params: z.object({ seqno: masterchainSeqno, ...patience }),
    result: v3Blocks,
    errors: ['NOT_FOUND'],
  }),
  'v3.masterchainBlockShards': method({
    ...read,
    page: { rows: 'blocks', max: 1000 },
    summary: 'Blocks that a masterchain block commits, that block itself included.',
    params: z.object({ seqno: masterchainSeqno, ...paged(1000), ...patience }),
    result: v3Blocks,
    errors: ['NOT_FOUND'],
  }),
  'v3.transactions': method({
    ...read,
    page: { rows: 'transactions', max: 1000 },
    summary: 'Transactions by block, account, hash, message, logical time or time, newest first.',
    params: z
      .object({
        ...inBlock,
        mc_seqno: committed,
        account: addresses('Only transactions of these accounts.').optional(),
        exclude_account: addresses('No transactions of these accounts.').optional(),
        hash: hashes('Only the transactions with these hashes.').optional(),
        lt: v3Lt('Only transactions of this logical time.').optional(),
        ...byMessage,
        ...window,
        ...sorted(),
        ...overrides,
      })
      .refine(
        (p) => p.direction === undefined || p.msg_hash !== undefined || p.opcode !== undefined,
        rule('direction can be specified only with msg_hash or opcode', ['direction']),
      )
      .refine(...notBoth),
    result: v3Transactions,
    errors: ['NOT_FOUND'],
  }),
  'v3.transactionsByMasterchainBlock': method({
    ...read,
    page: { rows: 'transactions', max: 1000 },
    summary: 'Transactions of all blocks that a masterchain block commits.',
    params: z.object({ seqno: masterchainSeqno, ...sorted(), ...overrides }).refine(...notBoth),
    result: v3Transactions,
    errors: ['NOT_FOUND'],
  }),
  'v3.transactionsByMessage': method({
    ...read,
    page: { rows: 'transactions', max: 1000 },
    summary: 'Transactions that sent or received a message, by its hash, body or opcode.',
    params: z
      .object({
        ...byMessage,
        ...sorted(),
        ...overrides,
      })
      .refine(...notBoth)
      .refine(
        (p) => p.msg_hash !== undefined || p.body_hash !== undefined || p.opcode !== undefined,
        rule('at least one of msg_hash, body_hash, opcode should be specified'),
      ),
    result: v3Transactions,
  }),
  'v3.adjacentTransactions': method({
    ...read,
    summary: 'The transaction that sent what this one received, and those that received what it sent.',
    params: z.object({
      hash: v3Hash('The transaction whose neighbours are wanted.'),
      direction: looseDirection('Which neighbours: the one before it (in) or those after it (out).').optional(),
      ...overrides,
    }),
    result: v3Transactions,
    errors: ['NOT_FOUND'],
  }),
  'v3.messages': method({
    ...read,
    page: { rows: 'messages', max: 1000 },
    summary: 'Messages by hash, body, parties, opcode or time, newest first.',
    params: z
      .object({
        msg_hash: hashes('Only messages with these hashes; of external ones the normalized hash is taken too.').optional(),
        hash: v3Hash('The old name of `msg_hash`; one hash.').optional(),
        body_hash: v3Hash('Only messages whose body has this hash.').optional(),
        source: addressOrNone('Only messages from this account; `null` for those from outside.').optional(),
        destination: addressOrNone('Only messages to this account; `null` for those to the outside.').optional(),
        opcode: opcode('Only messages of this opcode, the first 32 bits of their bodies.').optional(),
        ...window,
        direction: direction('Only messages that a transaction received (in) or sent (out).').optional(),
        exclude_externals: v3Bool('Leaves messages from outside and to the outside out.').optional(),
        only_externals: v3Bool('Only messages from outside or to the outside.').optional(),
        ...sorted(),
        ...overrides,
      })
      .refine((p) => p.msg_hash === undefined || p.hash === undefined, rule('cannot use both legacy and new message hashes', ['hash']))
      .refine(...notBoth),
    result: v3Messages,
  }),
}
