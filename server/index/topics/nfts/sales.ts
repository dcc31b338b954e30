import { formatRaw } from '../../../../shared/fields/address.ts'
import { attempt } from '../../../cell/error.ts'
import { SALE_AUCTION, SALE_FIXED, SALE_TELEMINT } from '../../../store/codes.ts'
import { accountOfKey } from '../../../store/row-keys.ts'
import type { nftSales } from '../../../store/schema/nfts.ts'
import type { ReadRow, WriteRow } from '../../../store/schema/table.ts'
import { readSnake, utf8 } from '../../../tlb/message/snake.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { evaluateEach, hasMethods, idsOf } from '../contracts/detect.ts'
import { address, cellOrSlice, int, readAnswer, readFields, stackOf, type ValueReader } from '../contracts/stack-values.ts'
import type { AccountView, MethodAnswer, TopicContext } from '../topic.ts'

/* Contracts that sell NFTs: fixed-price sales and auctions of Getgems in four versions, and Telegram names, which are their own sale contracts. */

const LEGACY = idsOf('get_sale_data')
const FIXED_V4 = idsOf('get_fix_price_data_v4')
const AUCTION_V4 = idsOf('get_auction_data_v4')
const TELEMINT = idsOf('get_telemint_token_name', 'get_telemint_auction_state', 'get_telemint_auction_config')

export type SaleOfItem = Pick<ReadRow<typeof nftSales>, 'account' | 'kind' | 'item' | 'seller' | 'open'>

export type Sale = WriteRow<typeof nftSales> & SaleOfItem

/** What the get-methods of a sale say of it. */
type Said = Omit<Sale, 'account' | 'mc_seqno'>

/** The first value of get_sale_data: 'FIXP' or 'AUC' in ASCII. */
const MAGIC = { fixed: 0x46495850n, auction: 0x415543n }
/** Denominator of the fees and royalties in v4, which are fractions of the price. */
const PERCENT_BASE = 100_000n

const flag = (value: VmStackValue | undefined): boolean | undefined => {
  const number = int(value)
  return number === undefined ? undefined : number !== 0n
}
/** Reads an integer that a JSON number represents exactly. */
const number = (value: VmStackValue | undefined): number | undefined => {
  const found = int(value)
  return found === undefined || !Number.isSafeInteger(Number(found)) ? undefined : Number(found)
}

/** The values of a fixed-price sale, in the order of the stack. */
const FIXED = {
  is_complete: flag,
  created_at: number,
  marketplace: address,
  item: address,
  seller: address,
  full_price: int,
  marketplace_fee_address: address,
  marketplace_fee: int,
  royalty_address: address,
  royalty_amount: int,
} as const

const AUCTION = {
  end_flag: flag,
  end_time: number,
  marketplace: address,
  item: address,
  seller: address,
  last_bid: int,
  last_member: address,
  min_step: number,
  mp_fee_address: address,
  mp_fee_factor: number,
  mp_fee_base: number,
  royalty_fee_address: address,
  royalty_fee_factor: number,
  royalty_fee_base: number,
  max_bid: int,
  min_bid: int,
  created_at: number,
  last_bid_at: number,
  is_canceled: flag,
} as const

const TELEMINT_STATE = { bidder_address: address, bid: int, bid_ts: int, min_bid: int, end_time: number } as const
const TELEMINT_CONFIG = {
  beneficiary_address: address,
  initial_min_bid: int,
  max_bid: int,
  min_bid_step: int,
  min_extend_time: int,
  duration: int,
} as const
const ROYALTY = { royalty_numerator: number, royalty_denominator: number, royalty_destination: address } as const

/** Values in the form of v3: amounts as text, addresses in the raw form. Absent addresses are left out. */
const detailsOf = (values: Readonly<Record<string, unknown>>): string => {
  const formatted = (value: unknown): unknown => {
    if (typeof value === 'bigint') return String(value)
    if (Buffer.isBuffer(value)) return formatRaw(accountOfKey(value), 'upper')
    return value ?? undefined
  }
  return JSON.stringify(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, formatted(value)])))
}

const fixed = (stack: readonly VmStackValue[], inParts: boolean): Said | undefined => {
  const read = readFields(stack, FIXED)
  if (read === undefined) return undefined
  const { created_at, marketplace, item, seller, ...sale } = read
  const amount = (part: bigint): bigint => (inParts ? (sale.full_price * part) / PERCENT_BASE : part)
  const details = detailsOf({ ...sale, marketplace_fee: amount(sale.marketplace_fee), royalty_amount: amount(sale.royalty_amount) })
  return { kind: SALE_FIXED, item, seller, marketplace, created_at, open: !sale.is_complete, details }
}

/** `stack`: begins with a value that says what kind of sale it is. */
const auction = ([, ...stack]: readonly VmStackValue[]): Said | undefined => {
  const read = readFields(stack, AUCTION)
  if (read === undefined) return undefined
  const { created_at, marketplace, item, seller, ...sale } = read
  const open = !sale.end_flag && !sale.is_canceled
  return { kind: SALE_AUCTION, item, seller, marketplace, created_at, open, details: detailsOf(sale) }
}

const legacy = async (account: AccountView, context: TopicContext): Promise<Said | undefined> => {
  const stack = stackOf(await context.run(account, 'get_sale_data'), 11)
  if (stack?.length === 11 && int(stack[0]) === MAGIC.fixed) return fixed(stack.slice(1), false)
  return stack?.length === 20 && int(stack[0]) === MAGIC.auction ? auction(stack) : undefined
}

/** Reads the answer of a get-method that can fail: no values if it failed, undefined if a value has the wrong type. */
const readIfGiven = <const F extends Readonly<Record<string, ValueReader>>>(answer: MethodAnswer, fields: F) => {
  const stack = stackOf(answer, Object.keys(fields).length)
  return stack === undefined ? {} : readFields(stack, fields)
}

const telemint = async (account: AccountView, context: TopicContext): Promise<Said | undefined> => {
  // The get-methods run one after the other, because running them in parallel would gain little.
  const name = readAnswer(await context.run(account, 'get_telemint_token_name'), cellOrSlice)?.[0]
  const settings = stackOf(await context.run(account, 'get_telemint_auction_config'), Object.keys(TELEMINT_CONFIG).length)
  if (!name || !settings) return undefined
  const bytesOfName = attempt(() => readSnake(name.slice(), 255))
  const token_name = bytesOfName && utf8(bytesOfName)
  // This get-method fails if no auction is open.
  const state = readIfGiven(await context.run(account, 'get_telemint_auction_state'), TELEMINT_STATE)
  const royalty = readIfGiven(await context.run(account, 'royalty_params'), ROYALTY)
  const config = readFields(settings, TELEMINT_CONFIG)
  if (token_name === undefined || state === undefined || royalty === undefined || config === undefined) return undefined
  return {
    kind: SALE_TELEMINT,
    item: account.key,
    seller: null,
    marketplace: null,
    created_at: null,
    open: 'end_time' in state,
    details: detailsOf({ token_name, ...state, ...config, ...royalty }),
  }
}

const v4 = async (
  account: AccountView,
  context: TopicContext,
  method: string,
  values: number,
  read: (stack: readonly VmStackValue[]) => Said | undefined,
) => {
  const stack = stackOf(await context.run(account, method), values)
  return stack?.length === values ? read(stack) : undefined
}

/** Returns the function that reads a contract with these get-methods; undefined if the contract is not a sale. */
const askerOf = (methods: ReadonlySet<number> | undefined) => {
  if (hasMethods(methods, FIXED_V4))
    return (account: AccountView, context: TopicContext) => v4(account, context, 'get_fix_price_data_v4', 13, (stack) => fixed(stack, true))
  if (hasMethods(methods, AUCTION_V4))
    return (account: AccountView, context: TopicContext) => v4(account, context, 'get_auction_data_v4', 26, auction)
  if (hasMethods(methods, LEGACY)) return legacy
  return hasMethods(methods, TELEMINT) ? telemint : undefined
}

export const isSale = (methods: ReadonlySet<number> | undefined): boolean => askerOf(methods) !== undefined

export const evaluateSales = async (
  accounts: readonly AccountView[],
  methodsOf: (account: AccountView) => ReadonlySet<number> | undefined,
  context: TopicContext,
): Promise<readonly Sale[]> => {
  const sellers = accounts.filter((account) => isSale(methodsOf(account)))
  return await evaluateEach(sellers, context, async (account): Promise<Sale | undefined> => {
    const said = await askerOf(methodsOf(account))?.(account, context)
    return said && { account: account.key, mc_seqno: account.mcSeqno, ...said }
  })
}
