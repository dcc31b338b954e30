import type { AccountFacts, Facts } from '../../server/actions/facts.ts'
import type { AccountStatusName, Trace, TraceMessage, TraceTransaction } from '../../server/actions/trace.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { poolFacts, stakeWalletFacts } from '../../server/protocols/jvault/actions.ts'
import { readJson } from '../kit/data.ts'

/* Recorded mainnet traces with what was known of their accounts: test/data/actions/README.md says where they come from. */

interface RecordedMessage {
  readonly hash: string
  readonly source?: string
  readonly destination?: string
  readonly value?: string
  readonly extra?: Readonly<Record<string, string>>
  readonly lt?: string
  readonly at?: number
  readonly bounce?: boolean
  readonly bounced?: boolean
  readonly body: string
  readonly init?: string
}

interface RecordedTransaction {
  readonly hash: string
  readonly account: string
  readonly lt: string
  readonly now: number
  readonly mc: number
  readonly descr?: string
  readonly aborted?: boolean
  readonly exit: number | null
  readonly before: AccountStatusName
  readonly after: AccountStatusName
  readonly in?: RecordedMessage
  readonly out: readonly RecordedMessage[]
}

interface RecordedFacts {
  readonly JettonWallet?: { readonly owner: string; readonly jetton: string }
  readonly NftItem?: {
    readonly index: string | { readonly float: string } | null
    readonly collection_address: string | null
    readonly owner_address: string | null
    readonly uri: string | null
  }
  readonly NftSale?: Readonly<Record<'marketplace_address' | 'nft_address' | 'nft_owner_address' | 'full_price', string | null>>
  readonly NftAuction?: Readonly<Record<'nft_addr' | 'nft_owner' | 'mp_addr' | 'last_bid', string | null>>
  readonly DedustPool?: { readonly assets: readonly [string | null, string | null] }
  readonly data_boc?: string
}

export interface Recorded {
  readonly transactions: readonly RecordedTransaction[]
  readonly facts: Readonly<Record<string, RecordedFacts>>
}

const hash = (text: string): string => Buffer.from(text, 'base64').toString('latin1')
const boc = (text: string): Cell => (text === '' ? beginCell().end() : parseBocRoot(Buffer.from(text, 'base64')))
const big = (text: string | null | undefined): bigint | null => (text === null || text === undefined ? null : BigInt(text))

const messageOf = (message: RecordedMessage): TraceMessage => {
  const body = boc(message.body)
  return {
    hash: hash(message.hash),
    source: message.source ?? null,
    destination: message.destination ?? null,
    value: big(message.value),
    extraCurrencies: message.extra && new Map(Object.entries(message.extra).map(([id, amount]) => [Number(id), BigInt(amount)])),
    createdLt: big(message.lt),
    createdAt: message.at ?? null,
    bounce: message.bounce ?? false,
    bounced: message.bounced ?? false,
    opcode: body.bits < 32 ? null : body.slice().loadUint(32),
    body,
    init: message.init === undefined ? undefined : boc(message.init),
  }
}

const transactionOf = (tx: RecordedTransaction): TraceTransaction => ({
  hash: hash(tx.hash),
  account: tx.account,
  lt: BigInt(tx.lt),
  now: tx.now,
  mcSeqno: tx.mc,
  tickTock: tx.descr === 'tick_tock',
  aborted: tx.aborted ?? false,
  noGas: false,
  exitCode: tx.exit,
  before: tx.before,
  after: tx.after,
  inMessage: tx.in && messageOf(tx.in),
  outMessages: tx.out.map(messageOf),
})

export const traceOf = (id: string, { transactions }: Pick<Recorded, 'transactions'>): Trace => ({
  id: hash(id.replaceAll('-', '+').replaceAll('_', '/')),
  transactions: transactions.map(transactionOf),
})

const accountFacts = ({ JettonWallet, NftItem, NftSale, NftAuction, DedustPool, data_boc }: RecordedFacts): AccountFacts => ({
  jettonWallet: JettonWallet,
  nftItem: NftItem && {
    // Recorded as a float where it is large.
    index: typeof NftItem.index === 'string' ? BigInt(NftItem.index) : null,
    collection: NftItem.collection_address,
    owner: NftItem.owner_address,
    uri: NftItem.uri,
    codeHash: null,
  },
  nftSale: NftSale && {
    marketplace: NftSale.marketplace_address,
    item: NftSale.nft_address,
    seller: NftSale.nft_owner_address,
    price: big(NftSale.full_price),
  },
  nftAuction: NftAuction && {
    marketplace: NftAuction.mp_addr,
    item: NftAuction.nft_addr,
    seller: NftAuction.nft_owner,
    lastBid: big(NftAuction.last_bid),
  },
  dedustPool: DedustPool?.assets,
  jvaultStakeWallet: data_boc === undefined ? undefined : stakeWalletFacts(boc(data_boc)),
  jvaultPool: data_boc === undefined ? undefined : poolFacts(boc(data_boc)),
})

export const factsOf = ({ facts }: Pick<Recorded, 'facts'>): Facts =>
  new Map(Object.entries(facts).map(([address, known]) => [address, accountFacts(known)]))

let read: Readonly<Record<string, Recorded>> | undefined
/** All recorded traces by the name of their file. */
export const recordedTraces = (): Readonly<Record<string, Recorded>> => {
  read ??= readJson<Readonly<Record<string, Recorded>>>('actions/traces.json')
  return read
}
