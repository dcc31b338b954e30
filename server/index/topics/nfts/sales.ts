import { formatRaw } from '../../../../shared/fields/address.ts'
import { inParallel } from '../../../base/in-parallel.ts'
import { attempt } from '../../../cell/error.ts'
import { SALE_AUCTION, SALE_FIXED, SALE_TELEMINT } from '../../../store/codes.ts'
import { accountOfKey } from '../../../store/row-keys.ts'
import type { nftSales } from '../../../store/schema/nfts.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { readSnake, utf8 } from '../../../tlb/message/snake.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { hasMethods, idsOf } from '../contracts/detect.ts'
import { address, cellOrSlice, int, stackOf } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'
import type { SaleOfItem } from './items.ts'

/* Contracts that sell NFTs: fixed-price sales and auctions of Getgems in four versions, and Telegram names, which are their own sale contracts. */

const LEGACY = idsOf('get_sale_data')
const FIXED_V4 = idsOf('get_fix_price_data_v4')
const AUCTION_V4 = idsOf('get_auction_data_v4')
const TELEMINT = idsOf('get_telemint_token_name', 'get_telemint_auction_state', 'get_telemint_auction_config')

export type Sale = WriteRow<typeof nftSales> & SaleOfItem

interface Said extends Omit<SaleOfItem, 'account'> {
  readonly marketplace: Buffer | null
  readonly createdAt: number | undefined
  readonly details: Readonly<Record<string, unknown>>
}

/** The first value of get_sale_data: 'FIXP' or 'AUC' in ASCII. */
const MAGIC = { fixed: 0x46495850n, auction: 0x415543n }
/** Denominator of the fees and royalties in v4, which are fractions of the price. */
const PERCENT_BASE = 100_000n

const raw = (key: Buffer | null): string | undefined => (key ? formatRaw(accountOfKey(key), 'upper') : undefined)

/** Reads stack values in order. `failed` returns true after a value had the wrong type. */
const createReader = (stack: readonly VmStackValue[], from: number) => {
  let at = from
  let failed = false
  const need = <T>(value: T | undefined): T | undefined => {
    if (value === undefined) failed = true
    return value
  }
  return {
    failed: () => failed,
    skip: (count: number) => {
      at += count
    },
    flag: () => need(int(stack[at++])) !== 0n,
    coins: () => need(int(stack[at++])) ?? 0n,
    /** Reads an integer that a JSON number represents exactly. */
    number: () => {
      const value = int(stack[at++])
      const fits = value !== undefined && value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
      return need(fits ? Number(value) : undefined) ?? 0
    },
    address: () => need(address(stack[at++])) ?? null,
  }
}

const fixed = (stack: readonly VmStackValue[], from: number, inParts: boolean): Said | undefined => {
  const read = createReader(stack, from)
  const complete = read.flag()
  const createdAt = read.number()
  const marketplace = read.address()
  const item = read.address()
  const seller = read.address()
  const price = read.coins()
  const [feeAddress, fee, royaltyAddress, royalty] = [read.address(), read.coins(), read.address(), read.coins()]
  if (read.failed()) return undefined
  const amount = (part: bigint): string => String(inParts ? (price * part) / PERCENT_BASE : part)
  return {
    kind: SALE_FIXED,
    item,
    seller,
    marketplace,
    createdAt,
    open: !complete,
    details: {
      is_complete: complete,
      full_price: String(price),
      marketplace_fee_address: raw(feeAddress),
      marketplace_fee: amount(fee),
      royalty_address: raw(royaltyAddress),
      royalty_amount: amount(royalty),
    },
  }
}

const auction = (stack: readonly VmStackValue[]): Said | undefined => {
  const read = createReader(stack, 1)
  const end = read.flag()
  const endTime = read.number()
  const marketplace = read.address()
  const item = read.address()
  const seller = read.address()
  const lastBid = read.coins()
  const lastMember = read.address()
  const minStep = read.number()
  const [feeAddress, feeFactor, feeBase] = [read.address(), read.number(), read.number()]
  const [royaltyAddress, royaltyFactor, royaltyBase] = [read.address(), read.number(), read.number()]
  const [maxBid, minBid] = [read.coins(), read.coins()]
  const [createdAt, lastBidAt] = [read.number(), read.number()]
  const canceled = read.flag()
  if (read.failed()) return undefined
  return {
    kind: SALE_AUCTION,
    item,
    seller,
    marketplace,
    createdAt,
    open: !end && !canceled,
    details: {
      end_flag: end,
      end_time: endTime,
      last_bid: String(lastBid),
      last_member: raw(lastMember),
      min_step: minStep,
      mp_fee_address: raw(feeAddress),
      mp_fee_factor: feeFactor,
      mp_fee_base: feeBase,
      royalty_fee_address: raw(royaltyAddress),
      royalty_fee_factor: royaltyFactor,
      royalty_fee_base: royaltyBase,
      max_bid: String(maxBid),
      min_bid: String(minBid),
      last_bid_at: lastBidAt,
      is_canceled: canceled,
    },
  }
}

const legacy = async (account: AccountView, context: TopicContext): Promise<Said | undefined> => {
  const stack = stackOf(await context.run(account, 'get_sale_data'), 11)
  if (stack?.length === 11 && int(stack[0]) === MAGIC.fixed) return fixed(stack, 1, false)
  return stack?.length === 20 && int(stack[0]) === MAGIC.auction ? auction(stack) : undefined
}

const telemint = async (account: AccountView, context: TopicContext): Promise<Said | undefined> => {
  // The get-methods run one after the other, because running them in parallel would gain little.
  const name = cellOrSlice(stackOf(await context.run(account, 'get_telemint_token_name'), 1)?.[0])
  const settings = stackOf(await context.run(account, 'get_telemint_auction_config'), 6)
  if (!name || !settings) return undefined
  const bytesOfName = attempt(() => readSnake(name.slice(), 255))
  const tokenName = bytesOfName && utf8(bytesOfName)
  // This get-method fails if no auction is open.
  const state = stackOf(await context.run(account, 'get_telemint_auction_state'), 5)
  const royalty = stackOf(await context.run(account, 'royalty_params'), 3)
  if (tokenName === undefined) return undefined
  const read = createReader(settings, 0)
  const beneficiary = read.address()
  const [initial, most, step] = [read.coins(), read.coins(), read.coins()]
  const [extend, duration] = [read.coins(), read.coins()]
  const now = state && createReader(state, 0)
  const bidder = now?.address() ?? null
  const [bid, bidAt, least, end] = now
    ? [now.coins(), now.coins(), now.coins(), now.number()]
    : [undefined, undefined, undefined, undefined]
  const share = royalty && createReader(royalty, 0)
  const [numerator, denominator, destination] = share ? [share.number(), share.number(), share.address()] : [undefined, undefined, null]
  if (read.failed() || now?.failed() || share?.failed()) return undefined
  return {
    kind: SALE_TELEMINT,
    item: account.key,
    seller: null,
    marketplace: null,
    createdAt: undefined,
    open: state !== undefined,
    details: {
      token_name: tokenName,
      bidder_address: raw(bidder),
      bid: bid?.toString(),
      bid_ts: bidAt?.toString(),
      min_bid: least?.toString(),
      end_time: end,
      beneficiary_address: raw(beneficiary),
      initial_min_bid: String(initial),
      max_bid: String(most),
      min_bid_step: String(step),
      min_extend_time: String(extend),
      duration: String(duration),
      royalty_numerator: numerator,
      royalty_denominator: denominator,
      royalty_destination: raw(destination),
    },
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
    return (account: AccountView, context: TopicContext) =>
      v4(account, context, 'get_fix_price_data_v4', 13, (stack) => fixed(stack, 0, true))
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
  const sellers = accounts.flatMap((account) => {
    const ask = askerOf(methodsOf(account))
    return ask ? [{ account, ask }] : []
  })
  const sales = await inParallel(sellers, async ({ account, ask }): Promise<Sale | undefined> => {
    const said = await ask(account, context)
    if (said === undefined) return undefined
    const { kind, item, seller, marketplace, createdAt, open, details } = said
    return {
      account: account.key,
      mc_seqno: account.mcSeqno,
      kind,
      item,
      seller,
      marketplace,
      created_at: createdAt,
      open,
      details: JSON.stringify(details),
    }
  })
  return sales.filter((sale) => sale !== undefined)
}
