import * as z from 'zod'
import { address } from '../fields/address.ts'
import { bool } from '../fields/bool.ts'
import { bytes } from '../fields/bytes.ts'
import { cellsById } from '../fields/cells-by-id.ts'
import { notBoth, rule } from '../fields/field.ts'
import { coins, int32, nonNegative, positive, upTo, upToOrZero } from '../fields/ints.ts'
import { text } from '../fields/text.ts'
import { method } from '../method.ts'
import { blockIdExt, transactionId } from '../models/block.ts'
import {
  base64,
  flag,
  friendly,
  hash44,
  hex64,
  many,
  model,
  nanotons,
  rawUpper,
  int as resultInt,
  text as resultText,
  utime,
  words,
} from '../models/value-formats.ts'
import { tracedTransaction } from '../models/vm.ts'
import { EMPTY_CELL, FRIENDLY, RAW } from '../samples.ts'
import { runAgain } from '../v2/run.ts'

/** Deadline in milliseconds. It is longer than that of reads, because making blocks can take long. */
const MINUTES = 10 * 60_000

export const control = {
  heading: 'Embedded chain',
  effect: 'write',
  needs: 'local',
  rest: 'none',
  weight: 1,
  cache: 'never',
  errors: ['FORBIDDEN'],
} as const

const faucetWallet = model('FaucetWallet', {
  version: words('Version of the wallet contract.', ['v4R2', 'v5R1']),
  address: friendly('The wallet, non-bounceable, as people are given it.'),
  raw_address: rawUpper('The same in its raw form.'),
  mnemonic: many('The 24 words of its key. Those of the first two wallets are public: this chain only.', z.string()),
  public_key: hex64('Its public key.'),
  balance: nanotons('Its balance now.'),
})

const inBlock = model('InBlock', { block: blockIdExt.describe('The masterchain block that holds it.') })
export const received = {
  block: blockIdExt.describe('The masterchain block that holds it.'),
  transaction_id: transactionId.describe('The transaction that received the message.'),
  trace_id: hash44('Id of the trace that begins with that transaction, for `v3.traces`.'),
}
const delivered = model('Delivered', received)
const sent = model('Sent', {
  ...received,
  transaction_id: transactionId.describe('The transaction of the sender.'),
})
const atTime = model('AtTime', { utime: utime('The time of the block; where none was made, that of the next one.') })

/** Of a message that a control sends. */
const content = {
  body: bytes('The body of the message, as a BoC; by default none.', { empty: 'empty body' }).optional(),
  init: bytes(
    'The StateInit of the message, as a BoC in base64: one cell with code and data, as `storeStateInit` of `@ton/core` writes it. By default none.',
    {
      empty: 'empty init',
      expected: 'the BoC of a StateInit, which is one cell with code and data, as standard padded base64',
    },
  ).optional(),
  bounce: bool('Whether the message bounces if it fails.').default(true),
}

export const local = {
  'local.wallets': method({
    ...control,
    effect: 'read',
    summary: 'The funded wallets with their mnemonics.',
    examples: [{ title: 'all', params: {} }],
    params: z.object({}),
    result: z.strictObject({ wallets: many('The funded wallets.', faucetWallet) }),
  }),
  'local.fund': method({
    ...control,
    summary: 'Gives coins to an account.',
    examples: [{ title: 'one Gram', params: { address: FRIENDLY, amount: '1000000000' } }],
    params: z.object({ address: address('The account that receives the coins.'), amount: coins('How much it receives.') }),
    result: delivered,
  }),
  'local.mine': method({
    ...control,
    deadline: MINUTES,
    summary: 'Makes masterchain blocks now.',
    examples: [{ title: 'two blocks', params: { count: 2 } }],
    params: z.object({ count: int32('How many masterchain blocks are made.', upTo(100_000n)).default(1) }),
    result: inBlock,
  }),
  'local.setAutomine': method({
    ...control,
    summary:
      'Whether blocks are made for messages and by the clock. While they are not, messages and a new time wait for `local.mine`; the other controls make a block of their own.',
    examples: [
      { title: 'as at the start', params: { automine: true } },
      { title: 'as it is', params: {} },
    ],
    params: z.object({
      automine: bool('Whether messages are put into a block at once, and idle blocks are made. Left out: it stays as it is.').optional(),
    }),
    result: z.strictObject({ automine: flag('Whether they are.') }),
  }),
  'local.holdShardBlocks': method({
    ...control,
    summary:
      'Whether new shard blocks are held back from the masterchain, as signed blocks are on a network until a masterchain block names them. Their transactions are `confirmed` meanwhile. Messages make blocks (at most 20), the clock makes none. Turned off, all come into the chain in their order; `local.revert` drops them.',
    examples: [
      { title: 'as at the start', params: { hold: false } },
      { title: 'as it is', params: {} },
    ],
    params: z.object({ hold: bool('Whether they are held back. Left out: it stays as it is.').optional() }),
    result: z.strictObject({ hold: flag('Whether they are.'), blocks: resultInt('How many are held back now.', 0) }),
  }),
  'local.setTime': method({
    ...control,
    summary:
      'Sets the time of the chain and makes a block at it, so that get-methods run at it. While automine is off or shard blocks are held back, it makes none: the next block has the time, get-methods after it (`local.mine`).',
    examples: [{ title: 'the year 2036', params: { utime: 2_082_758_400 } }],
    params: z.object({
      utime: int32('The new time, in unix seconds; not before that of the last block.', nonNegative, 2_082_758_400),
      still: bool('Whether time stands still then: all further blocks have it, until it is set again.').default(false),
    }),
    result: atTime,
  }),
  'local.increaseTime': method({
    ...control,
    summary: 'Moves the time of the chain forward and makes a block at it, or none in the cases of `local.setTime`.',
    examples: [{ title: 'an hour', params: { seconds: 3600 } }],
    params: z.object({ seconds: int32('By how many seconds the time is moved forward.', positive, 3600) }),
    result: atTime,
  }),
  'local.snapshot': method({
    ...control,
    summary: 'Marks the present, so that it can be returned to. Without a change since the last snapshot it answers that one again.',
    examples: [{ title: 'now', params: {} }],
    params: z.object({}),
    result: z.strictObject({ snapshot: resultText('Name of the snapshot, for `local.revert`.', '1') }),
  }),
  'local.revert': method({
    ...control,
    deadline: MINUTES,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    summary: 'Undoes every block after a snapshot.',
    examples: [{ title: 'a snapshot that never was', params: { snapshot: 'none' }, fails: 'NOT_FOUND' }],
    params: z.object({ snapshot: text('The name that `local.snapshot` answered.', 100, '1') }),
    result: inBlock,
  }),
  'local.exportState': method({
    ...control,
    effect: 'read',
    deadline: MINUTES,
    errors: ['FORBIDDEN', 'TOO_LARGE'],
    summary:
      'The state of the chain as JSON, which is a genesis for another chain: accounts, configuration, libraries and time, without history. It is refused while messages wait for a block. Mnemonics of wallets in a `genesis` are left out.',
    examples: [{ title: 'now', params: {} }],
    params: z.object({}),
    result: model('ExportedState', {
      format: resultText('`tonway state`.', 'tonway state'),
      version: resultInt('Version of this form.', 1),
      global_id: resultInt('Global id of the chain.', -3),
      utime: utime('Time of the last block.'),
      offset: resultInt('How many seconds the chain is ahead of the machine.', 0),
      boc: base64('Accounts of both chains, configuration and public libraries, as a BoC.'),
    }),
  }),
  'local.setAccount': method({
    ...control,
    summary:
      'Replaces balance, code, data or library (the root of its Hashmap 256 SimpleLib) of an account, or says whether it is run with every block; what is not given stays.',
    examples: [{ title: 'a balance', params: { address: RAW, balance: '5000000000' } }],
    params: z
      .object({
        address: address('The account that is changed.'),
        balance: coins('Its new balance.').optional(),
        code: bytes('Its new code, as a BoC.', { empty: 'empty code' }).optional(),
        data: bytes('Its new data, as a BoC.', { empty: 'empty data' }).optional(),
        library: bytes('Its new libraries: the root of a `Hashmap 256 SimpleLib`, as a BoC.', { empty: 'empty library' }).optional(),
        tick: bool('Whether it runs at the beginning of every block; for the contracts in configuration parameter 31 alone.').optional(),
        tock: bool('Whether it runs at the end of every block; for the contracts in configuration parameter 31 alone.').optional(),
      })
      .refine(
        ({ address: _, ...given }) => Object.values(given).some((value) => value !== undefined),
        rule('at least one of balance, code, data, library, tick, tock should be specified'),
      ),
    result: inBlock,
  }),
  'local.setBalance': method({
    ...control,
    summary: 'Sets the balance of an account, without a transaction. Code and data stay; an account that does not exist begins to.',
    examples: [{ title: 'five Gram', params: { address: RAW, balance: '5000000000' } }],
    params: z.object({ address: address('The account that is changed.'), balance: coins('Its new balance.') }),
    result: inBlock,
  }),
  'local.sendInternal': method({
    ...control,
    summary: 'Delivers an internal message from any address, without a transaction of the sender.',
    examples: [{ title: 'an empty message', params: { from: RAW, to: FRIENDLY, amount: '1000000', body: EMPTY_CELL, bounce: false } }],
    params: z
      .object({
        from: address('The account that the message says it comes from; nothing is taken from its balance.', {
          missing: 'empty from address',
        }),
        to: address('The account that receives the message.', { missing: 'empty to address' }),
        amount: coins('The coins that the message carries.').optional(),
        value: coins('The old name of `amount`.').optional(),
        ...content,
      })
      .refine(
        (p) => (p.amount === undefined) !== (p.value === undefined),
        rule('exactly one of amount and value should be specified', ['amount']),
      ),
    result: delivered,
  }),
  'local.signTransfer': method({
    ...control,
    effect: 'read',
    summary: 'Signs a transfer with the key of a funded wallet, as its app would. `sendBoc` sends it.',
    examples: [
      { title: 'of an account that is no funded wallet', params: { from: RAW, to: FRIENDLY, amount: '1000000' }, fails: 'INVALID_PARAMS' },
    ],
    params: z
      .object({
        from: address('The wallet that pays: one of `local.wallets`.', { missing: 'empty from address' }),
        to: address('The account that receives the coins.', { missing: 'empty to address' }),
        amount: coins('The coins that the message carries.'),
        comment: text('A comment for the receiver; by default none.', 1_000, 'hello').optional(),
        body: bytes('The body of the message in place of a comment, as a BoC.', { empty: 'empty body' }).optional(),
        bounce: bool('Whether the message bounces if it fails; by default as the form of `to` says: a raw address bounces.').optional(),
      })
      .refine(...notBoth('body', 'comment', 'only one of comment and body should be specified')),
    result: model('SignedTransfer', {
      boc: base64('The signed external message, as a BoC.'),
      hash: hash44('Its hash.'),
      hash_norm: hash44('Its normalized hash, by which `v3.traces` finds what follows from it.'),
    }),
  }),
  'local.impersonate': method({
    ...control,
    summary: 'Lets a contract send a message without its key, in a transaction of its own, which it pays for.',
    examples: [
      { title: 'of an account without a contract', params: { from: RAW, to: FRIENDLY, amount: '1000000' }, fails: 'INVALID_PARAMS' },
    ],
    params: z.object({
      from: address('The account that sends; it must have a contract.', { missing: 'empty from address' }),
      to: address('The account that receives the message.', { missing: 'empty to address' }),
      amount: coins('The coins that the message carries.'),
      ...content,
      mode: int32('The send mode; 1: the sender pays the fees besides the amount; 128: all coins.', upToOrZero(255n)).default(1),
    }),
    result: sent,
  }),
  'local.traceTransaction': method({
    ...control,
    effect: 'read',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    summary: 'The old name of `trace.transaction`, for the embedded chain alone.',
    examples: [{ title: 'of a transaction that never was', params: { address: RAW, lt: '1' }, fails: 'NOT_FOUND' }],
    params: runAgain,
    result: tracedTransaction,
  }),
  'local.setConfig': method({
    ...control,
    summary: 'Replaces configuration parameters; null removes one. The next masterchain block is a key block.',
    examples: [{ title: 'a parameter of our own', params: { params: { '-999': EMPTY_CELL } } }],
    params: z.object({ params: cellsById('The configuration parameters that are replaced, by their numbers.') }),
    result: inBlock,
  }),
}
