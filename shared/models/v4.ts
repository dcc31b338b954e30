import * as z from 'zod'
import {
  base64,
  decimal,
  flag,
  friendly,
  friendlyOrNone,
  hash44,
  hex64,
  int,
  int32,
  lt,
  many,
  model,
  nanotons,
  text,
  utime,
  words,
} from './value-formats.ts'

/* Answers of v4. Names and types are those that TonClient4 of `@ton/ton` validates. */

const part = <S extends z.ZodRawShape>(what: string, fields: S) => z.strictObject(fields).describe(what)
const orNull = (what: string) => base64(`${what}, as a BoC; null if there is none.`).nullable()

const blockFields = {
  workchain: int32('The workchain of the block: -1 is the masterchain, 0 the basechain.', -1),
  seqno: int('The number of the block in its shard.', 1000),
  shard: decimal('The shard of the block: its prefix with the terminating bit, as a signed 64-bit number.', '-9223372036854775808'),
  rootHash: hash44('Hash of the root cell of the block.'),
  fileHash: hash44("SHA-256 of the block's BoC."),
}
const blockId = model('V4BlockId', blockFields)

export const v4LastBlock = model('V4LastBlock', {
  last: blockId.describe('The newest masterchain block.'),
  init: part('The zerostate, which is the first state of the chain.', {
    rootHash: hash44('Root hash of the zerostate.'),
    fileHash: hash44("SHA-256 of the zerostate's BoC."),
  }),
  stateRootHash: hash44('Root hash of the masterchain state after the newest block.'),
  now: utime('When the newest block was made.'),
})

const transactionRef = model('V4TransactionRef', {
  account: friendly('The account of the transaction.'),
  hash: hash44('Hash of the transaction.'),
  lt: lt('Logical time of the transaction.'),
})
const listedBlock = model('V4BlockTransactions', {
  ...blockFields,
  transactions: many('The transactions of the block, by account and logical time.', transactionRef),
})
const exist = 'Whether there is such a block yet.'
const shards = many('The masterchain block, then the shard blocks that it is the first to commit, older ones first.', listedBlock)
const withShards = model('V4BlockShards', { shards })
export const v4Block = z
  .discriminatedUnion('exist', [
    z.strictObject({ exist: z.literal(false).describe(exist) }),
    z.strictObject({ exist: z.literal(true).describe(exist), block: withShards.describe('The block with its shard blocks.') }),
  ])
  .meta({ id: 'V4Block' })

const type = 'Whether the account is deployed (active), frozen, or neither of them (uninit).'
/** Builds the model of an account. `active`: the members for code and data in the state of a deployed account. */
const accountWith = <S extends z.ZodRawShape>(id: string, active: S) =>
  part('The account.', {
    state: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('uninit').describe(type) }),
        z.strictObject({ type: z.literal('active').describe(type), ...active }),
        z.strictObject({ type: z.literal('frozen').describe(type), stateHash: hash44('Hash of the state that the account had.') }),
      ])
      .meta({ id, description: 'State of the account.' }),
    balance: part('What the account holds.', {
      coins: nanotons('Balance of the account.'),
      currencies: z.record(z.string(), decimal('An amount.')).meta({ description: 'Its extra currencies, by id.', examples: [{}] }),
    }),
    last: z
      .strictObject({ lt: lt('Logical time of the last transaction.'), hash: hash44('Hash of the last transaction.') })
      .nullable()
      .describe('The last transaction of the account; null if it has none.'),
    storageStat: z
      .strictObject({
        lastPaid: utime('When storage was last paid; 0 if it costs nothing.'),
        duePayment: nanotons('What the account owes for storage; null if nothing.').nullable(),
        used: part('What the account stores.', { bits: int('Bits of its cells.', 1300), cells: int('Number of its cells.', 3) }),
      })
      .nullable()
      .describe('Storage of the account; null if it does not exist.'),
  })

const block = blockId.describe('The masterchain block at which the account was read.')
const code = { code: orNull('Code of the contract'), data: orNull('Its data') }
const codeHashes = {
  codeHash: base64('Hash of the code; empty if there is none.'),
  dataHash: base64('Hash of the data; empty if there is none.'),
}
export const v4Account = model('V4Account', { account: accountWith('V4State', code), block })
export const v4AccountLite = model('V4AccountLite', { account: accountWith('V4StateLite', codeHashes), block })
export const v4Changed = model('V4Changed', {
  changed: flag('Whether the account has a transaction after that time, or none at all.'),
  block,
})

export const v4RunResult = model('V4RunResult', {
  exitCode: int32('Exit code of the TVM: 0 and 1 are success, 11 means that there is no such method, -13 that there is no code.', 0),
  resultRaw: orNull('What the get-method returned: a VmStack'),
  block,
  shardBlock: blockId.describe('The newest block of the account’s shard then.'),
})

export const v4Config = model('V4Config', {
  exist: z.literal(true).describe('Always true.'),
  config: part('The configuration.', {
    cell: base64('The dictionary of parameters (Hashmap 32 ^Cell), as a BoC.'),
    address: friendly('The contract that holds the configuration.'),
    globalBalance: part('What all accounts hold together.', { coins: nanotons('The coins of all accounts together.') }),
  }),
})

export const v4Sent = model('V4Sent', { status: z.literal(1).describe('1: the message was accepted.') })

const blocks = many('The block of each transaction.', blockId)
export const v4Transactions = model('V4Transactions', {
  blocks,
  boc: base64('The transactions, newest first: the roots of one BoC.'),
})

const externalAddress = model('V4ExternalAddress', {
  bits: int('Its length in bits.', 8),
  data: text('Its bits as a number in hex.', 'a1'),
})
const external = externalAddress.nullable().describe('An address outside of TON; null if there is none.')
const infoType = 'Kind of the message.'
const messageInfo = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('internal').describe(infoType),
      value: nanotons('Coins that the message carries.'),
      dest: friendlyOrNone('Who receives it.'),
      src: friendlyOrNone('Who sent it.'),
      bounced: flag('Whether it came back from its receiver.'),
      bounce: flag('Whether it comes back if its receiver fails.'),
      ihrDisabled: flag('Always true on today’s networks.'),
      createdAt: utime('When it was sent.'),
      createdLt: lt('Logical time at which it was sent.'),
      fwdFee: nanotons('Fee of its delivery.'),
      ihrFee: nanotons('Always 0: the field has flags in newer blocks.', '0'),
    }),
    z.strictObject({
      type: z.literal('external-in').describe(infoType),
      dest: friendlyOrNone('Who receives it.'),
      src: external,
      importFee: nanotons('Fee of its import.', '0'),
    }),
    z.strictObject({ type: z.literal('external-out').describe(infoType), dest: external }),
  ])
  .meta({ id: 'V4MessageInfo', description: 'Head of the message.' })

const ticks = { tick: flag('Whether it runs at the begin of each block.'), tock: flag('Whether it runs at the end of each block.') }
const init = {
  splitDepth: int('Depth of the account’s shard; null if it is not fixed.', 0).nullable(),
  code: orNull('Code'),
  data: orNull('Data'),
  special: z.strictObject(ticks).nullable().describe('Ticks of the account; null if it has none.'),
}
const message = model('V4Message', {
  body: base64('Body of the message, as a BoC.'),
  info: messageInfo,
  init: z.strictObject(init).nullable().describe('State with which the message deploys its receiver; null if it has none.'),
})

const bodyType = 'Whether the body is a text or anything else.'
const body = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('comment').describe(bodyType), comment: text('The text.', 'hello') }),
    z.strictObject({ type: z.literal('payload').describe(bodyType), cell: base64('The body, as a BoC.') }),
  ])
  .nullable()
  .meta({ description: 'Body of the message that the transaction is about; null if it has none.' })

/** Names of operations. TonClient4 rejects all other names. */
const JETTON_OPERATIONS = ['jetton::excesses', 'jetton::transfer', 'jetton::transfer_notification'] as const
const POOL_OPERATIONS = ['deposit', 'withdraw', 'withdraw::all', 'withdraw::delayed', 'withdraw::ok'] as const

const item = model('V4OperationItem', {
  kind: words('Whether the amount is of coins (ton) or of a jetton (token).', ['ton', 'token']),
  amount: decimal('The amount in smallest units, below zero for what leaves.'),
})
const op = {
  type: words('What the body is.', [...JETTON_OPERATIONS, ...POOL_OPERATIONS]),
  options: z
    .record(z.string(), z.string())
    .meta({ description: 'More of it: `coins` of a withdrawal.', examples: [{}] })
    .optional(),
}
const operation = model('V4Operation', {
  address: friendly('The other side: who sends or receives jettons, or else the account itself.'),
  comment: text('The text that goes with it.', 'hello').optional(),
  items: many('What changes hands, jettons first.', item),
  op: part('What the body asks for, where TonClient4 has a word for it.', op).optional(),
})

const STATUSES = ['uninitialized', 'frozen', 'active', 'non-existing'] as const
const parsedTransaction = model('V4ParsedTransaction', {
  address: friendly('The account.'),
  lt: lt('Logical time of the transaction.'),
  hash: hash44('Hash of the transaction.'),
  prevTransaction: part('The transaction of the account before this one.', {
    lt: lt('Its logical time; 0 if there is none.'),
    hash: hex64('Its hash, in hex; zeros if there is none.'),
  }),
  time: utime('When it happened.'),
  outMessagesCount: int('How many messages it sent.', 1),
  oldStatus: words('Status of the account before it.', STATUSES),
  newStatus: words('Status of the account after it.', STATUSES),
  fees: nanotons('Fees of the transaction.'),
  update: part('How it changed the account.', {
    oldHash: hash44('Hash of the account before it.'),
    newHash: hash44('Hash of the account after it.'),
  }),
  inMessage: message.nullable().describe('The message that began it; null if none did.'),
  outMessages: many('The messages that it sent.', message),
  parsed: part('What can be said of it in short.', {
    seqno: int('Number of the order, if it is one to a wallet; else null.', 1).nullable(),
    body,
    status: words('`failed`: an external message that sent nothing.', ['success', 'failed']),
    dest: friendly('Receiver of the first message that a wallet was ordered to send; else null.').nullable(),
    kind: words('`in`: an internal message began it.', ['out', 'in']),
    amount: decimal('Coins that came in less those that went out.'),
    resolvedAddress: friendlyOrNone('`dest`, else who sent the message, else the account.'),
    bounced: flag('Whether the message came back from its receiver.'),
    mentioned: many('The other accounts that sent or receive its messages.', friendly('An account.')),
  }),
  operation: operation.describe('What it means.'),
})

export const v4ParsedTransactions = model('V4ParsedTransactions', {
  blocks,
  transactions: many('The transactions, newest first.', parsedTransaction),
})
