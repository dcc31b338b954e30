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
  start_utime: utime().optional(),
  end_utime: utime().optional(),
  start_lt: v3Lt().optional(),
  end_lt: v3Lt().optional(),
}

/** Transactions by a message that they received or sent. */
const byMessage = {
  msg_hash: hashes().optional(),
  body_hash: v3Hash().optional(),
  opcode: opcode().optional(),
  direction: direction().optional(),
  source: v3Address().optional(),
  destination: v3Address().optional(),
}

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
        workchain: v3Int().optional(),
        shard: v3Shard().optional(),
        seqno: v3Int().optional(),
        root_hash: v3Hash().optional(),
        file_hash: v3Hash().optional(),
        mc_seqno: v3Int().optional(),
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
    params: z.object({ seqno: v3Int(), ...patience }),
    result: v3Blocks,
    errors: ['NOT_FOUND'],
  }),
  'v3.masterchainBlockShards': method({
    ...read,
    page: { rows: 'blocks', max: 1000 },
    summary: 'Blocks that a masterchain block commits, that block itself included.',
    params: z.object({ seqno: v3Int(), ...paged(1000), ...patience }),
    result: v3Blocks,
    errors: ['NOT_FOUND'],
  }),
  'v3.transactions': method({
    ...read,
    page: { rows: 'transactions', max: 1000 },
    summary: 'Transactions by block, account, hash, message, logical time or time, newest first.',
    params: z
      .object({
        workchain: v3Int().optional(),
        shard: v3Shard().optional(),
        seqno: v3Int().optional(),
        mc_seqno: v3Int().optional(),
        account: addresses().optional(),
        exclude_account: addresses().optional(),
        hash: hashes().optional(),
        lt: v3Lt().optional(),
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
    params: z.object({ seqno: v3Int(), ...sorted(), ...overrides }).refine(...notBoth),
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
    params: z.object({ hash: v3Hash(), direction: looseDirection().optional(), ...overrides }),
    result: v3Transactions,
    errors: ['NOT_FOUND'],
  }),
  'v3.messages': method({
    ...read,
    page: { rows: 'messages', max: 1000 },
    summary: 'Messages by hash, body, parties, opcode or time, newest first.',
    params: z
      .object({
        msg_hash: hashes().optional(),
        // The name before msg_hash.
        hash: v3Hash().optional(),
        body_hash: v3Hash().optional(),
        source: addressOrNone().optional(),
        destination: addressOrNone().optional(),
        opcode: opcode().optional(),
        ...window,
        direction: direction().optional(),
        exclude_externals: v3Bool().optional(),
        only_externals: v3Bool().optional(),
        ...sorted(),
        ...overrides,
      })
      .refine((p) => p.msg_hash === undefined || p.hash === undefined, rule('cannot use both legacy and new message hashes', ['hash']))
      .refine(...notBoth),
    result: v3Messages,
  }),
}
