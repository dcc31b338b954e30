import type { accounts } from '../v3/accounts.ts'
import type { blocks } from '../v3/blocks.ts'
import type { decode } from '../v3/decode.ts'
import type { legacy } from '../v3/legacy.ts'
import type { messages } from '../v3/messages.ts'
import type { pending } from '../v3/pending.ts'
import type { stats } from '../v3/stats.ts'
import type { traces } from '../v3/traces.ts'
import type { transactions } from '../v3/transactions.ts'
import type { Examples } from './example.ts'
import { EMPTY_CELL, FRIENDLY, HASH, HASH_HEX, NON_BOUNCEABLE, RAW } from './values.ts'

type V3 = typeof accounts &
  typeof blocks &
  typeof transactions &
  typeof messages &
  typeof decode &
  typeof legacy &
  typeof pending &
  typeof stats &
  typeof traces

/** An external message to an account that has no code, which no chain accepts. */
const REFUSED = 'te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AAAAAABLPan6A='

/** A text comment, `hi`. */
const COMMENT = 'te6cckEBAQEACAAADAAAAABoaeh7Muk='

export const v3Examples = {
  'v3.decode': [
    { title: 'an opcode and a comment', params: { opcodes: ['0x0f8a7ea5', '1'], bodies: [COMMENT, 'zz'] } },
    { title: 'nothing', params: {} },
  ],
  'v3.masterchainInfo': [{ title: 'first and last', params: {} }],
  'v3.blocks': [
    { title: 'the newest', params: { limit: 2 } },
    { title: 'of a shard', params: { workchain: 0, shard: '8000000000000000', sort: 'asc' } },
  ],
  'v3.masterchainBlockShardState': [{ title: 'at a masterchain block', params: { seqno: 1 } }],
  'v3.masterchainBlockShards': [{ title: 'of a masterchain block', params: { seqno: 1, limit: 10 } }],
  'v3.transactions': [
    { title: 'the newest', params: { limit: 3 } },
    { title: 'of accounts', params: { account: [FRIENDLY, RAW], sort: 'asc' } },
    { title: 'by hash', params: { hash: [HASH] } },
    { title: 'by cursor', params: { limit: 2, cursor: '' } },
  ],
  'v3.transactionsByMasterchainBlock': [{ title: 'of a masterchain block', params: { seqno: 1 } }],
  'v3.transactionsByMessage': [
    { title: 'by hash', params: { msg_hash: [HASH_HEX] } },
    { title: 'by opcode', params: { opcode: '0x00000000', limit: 5 } },
  ],
  'v3.adjacentTransactions': [{ title: 'of none', params: { hash: HASH, direction: 'out' }, fails: 'NOT_FOUND' }],
  'v3.messages': [
    { title: 'the newest', params: { limit: 3 } },
    { title: 'from outside', params: { source: 'null', limit: 3 } },
  ],
  'v3.accountStates': [{ title: 'two spellings', params: { address: [FRIENDLY, NON_BOUNCEABLE], include_boc: false } }],
  'v3.walletStates': [{ title: 'now', params: { address: [RAW] } }],
  'v3.addressBook': [{ title: 'as asked', params: { address: [RAW, NON_BOUNCEABLE] } }],
  'v3.metadata': [{ title: 'of no token', params: { address: [RAW] } }],
  'v3.topAccountsByBalance': [{ title: 'the richest', params: { limit: 5 } }],
  'v3.traces': [
    { title: 'the newest', params: { limit: 2 } },
    { title: 'of an account, with actions', params: { account: FRIENDLY, include_actions: true } },
  ],
  'v3.pendingTransactions': [{ title: 'of an account', params: { account: [FRIENDLY] }, fails: 'NOT_FOUND' }],
  'v3.pendingTraces': [{ title: 'of an account', params: { account: FRIENDLY } }],
  'v3.pendingActions': [{ title: 'of a message', params: { ext_msg_hash: [HASH] } }],
  'v3.addressInformation': [
    { title: 'now', params: { address: FRIENDLY } },
    { title: "in v2's words", params: { address: RAW, use_v2: true } },
  ],
  'v3.walletInformation': [{ title: 'now', params: { address: FRIENDLY } }],
  'v3.message': [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'CHAIN' }],
  'v3.estimateFee': [{ title: 'an empty body', params: { address: FRIENDLY, body: EMPTY_CELL } }],
  'v3.runGetMethod': [{ title: 'an account without code', params: { address: FRIENDLY, method: 'seqno', stack: [] } }],
} satisfies Examples<keyof V3>
