import { bytesOf, hexOf } from '../bytes.ts'
import { fail, must, within } from './error.ts'
import { type AccountId, accountOf, type BlockId, base64OfHex, type Members, membersOf, rawOf, shardOf, shardText } from './ids.ts'

/* What the parameters of a request say of its page. */

/**
 * What a page proves about rows that are not in it. from_newest: the newest transactions of one account, none omitted. continues: the transactions of that
 * account after the previous page, none omitted. block: transactions of one block, none omitted. accounts: states of accounts, none omitted. none: each row
 * is proven, but rows may be omitted.
 */
export type Completeness = 'from_newest' | 'continues' | 'block' | 'accounts' | 'none'

/** Lists of requests that jetton wallets and NFT items received. */
export type TokenList = 'jetton_transfers' | 'jetton_burns' | 'nft_transfers'
export type List = 'transactions' | 'messages' | 'accounts' | TokenList

/** Name of the list of rows, by method. */
const LISTS: Readonly<Record<string, List>> = {
  'v3.transactions': 'transactions',
  'v3.transactionsByMasterchainBlock': 'transactions',
  'v3.transactionsByMessage': 'transactions',
  'v3.adjacentTransactions': 'transactions',
  'v3.messages': 'messages',
  'v3.jetton.transfers': 'jetton_transfers',
  'v3.jetton.burns': 'jetton_burns',
  'v3.nft.transfers': 'nft_transfers',
  'v3.accountStates': 'accounts',
}

/** Rows of a page with proofs. */
export const MAX_ROWS = 100

/** Methods without `limit`. */
const UNLIMITED = ['v3.accountStates', 'v3.adjacentTransactions']

/** Parameters that do not filter rows. */
const OF_PAGES = ['limit', 'offset', 'cursor', 'sort', 'proofs', 'x_timeout', 'x_no_address_book', 'x_no_metadata', 'include_boc']

export interface PageRequest {
  readonly list: List
  readonly complete: Completeness
  readonly params: Members
  readonly accounts: readonly AccountId[]
  /** Meaningful only if `complete` is `block`. */
  readonly block: Pick<BlockId, 'workchain' | 'shard' | 'seqno'>
  readonly limit: number
  readonly offset: number
  readonly isAscending: boolean
  /** False if the parameters neither filter nor order the rows, as for the neighbours of a transaction. */
  readonly isFiltered: boolean
  /** Whether the page is not the first one. */
  readonly isLater: boolean
}

const given = (value: unknown): boolean => value !== undefined && value !== null

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : given(value) ? [value] : [])

const dueOf = (
  method: string,
  filters: readonly string[],
  accounts: number,
  request: Pick<PageRequest, 'isAscending' | 'isLater'>,
): Completeness => {
  if (method === 'v3.accountStates') return 'accounts'
  if (method !== 'v3.transactions') return 'none'
  if (String([...filters].sort()) === 'seqno,shard,workchain') return 'block'
  if (String(filters) !== 'account' || accounts !== 1 || request.isAscending) return 'none'
  return request.isLater ? 'continues' : 'from_newest'
}

export const readRequest = (method: string, params: Members): PageRequest =>
  within('params', () => {
    const list = LISTS[method] ?? fail(`pages of ${method} are not verified`)
    const accounts = within('account', () => listOf(params[list === 'accounts' ? 'address' : 'account']).map(accountOf))
    const limit = UNLIMITED.includes(method) ? MAX_ROWS : Math.max(1, Number(params['limit'] ?? 10))
    const isAscending = /^a/i.test(String(params['sort'] ?? ''))
    const offset = Math.max(0, Number(params['offset'] ?? 0))
    const isLater = offset > 0 || String(params['cursor'] ?? '') !== ''
    const filters = Object.keys(params).filter((name) => given(params[name]) && !OF_PAGES.includes(name))
    const complete = dueOf(method, filters, accounts.length, { isAscending, isLater })
    const [workchain, seqno] = [params['workchain'], params['seqno']].map(Number) as [number, number]
    const block = { workchain, seqno, shard: complete === 'block' ? shardOf(params['shard']) : 0n }
    const isFiltered = method !== 'v3.adjacentTransactions'
    // Its `seqno` is that of the masterchain block. v3.transactions calls this parameter `mc_seqno`.
    const named = method === 'v3.transactionsByMasterchainBlock' ? { ...params, seqno: undefined, mc_seqno: params['seqno'] } : params
    return { list, complete, params: named, accounts, block, limit, offset, isAscending, isFiltered, isLater }
  })

const hash64 = (value: unknown): string =>
  /^(0x)?[0-9a-f]{64}$/i.test(String(value)) ? base64OfHex(String(value).slice(-64)) : base64OfHex(hexOf(bytesOf(String(value))))

const number = (value: unknown): bigint => BigInt(String(value))

/** Returns whether a row fits the value of a parameter. */
type Fits = (row: Members, value: unknown) => boolean
/** Returns whether a row fits the value of a parameter whose meaning depends on the parameters in `params`. */
type Filter = (row: Members, value: unknown, params: Members) => boolean

const among =
  (name: string, read: (value: unknown) => string): Fits =>
  (row, value) =>
    listOf(value).some((each) => read(each) === row[name])

const inBlock = (row: Members, name: string): unknown => membersOf(row['block_ref'])[name]

/** Fits if the row's member is at least (`sign` 1) or at most (`sign` -1) the parameter's value. Null never fits. */
const bound =
  (name: string, sign: 1n | -1n): Filter =>
  (row, value) =>
    row[name] !== null && (number(row[name]) - number(value)) * sign >= 0n

const rangesBy = (lt: string, time: string): Readonly<Record<string, Filter>> => ({
  start_lt: bound(lt, 1n),
  end_lt: bound(lt, -1n),
  start_utime: bound(time, 1n),
  end_utime: bound(time, -1n),
  as_of: bound('mc_block_seqno', -1n),
})

const rawText = (value: unknown): string => rawOf(accountOf(value))

/** Fits if one of the row's members `names` is one of the parameter's accounts. */
const isAccount =
  (...names: readonly string[]): Fits =>
  (row, value) =>
    names.some((name) => among(name, rawText)(row, value))

/** Filters of transactions, by parameter. A filter is called only if its parameter has a value. */
const OF_TRANSACTIONS: Readonly<Record<string, Filter>> = {
  account: isAccount('account'),
  exclude_account: (row, value) => !isAccount('account')(row, value),
  hash: among('hash', hash64),
  lt: (row, value) => number(row['lt']) === number(value),
  ...rangesBy('lt', 'now'),
  workchain: (row, value) => number(inBlock(row, 'workchain')) === number(value),
  shard: (row, value) => inBlock(row, 'shard') === shardText(shardOf(value)),
  seqno: (row, value) => number(inBlock(row, 'seqno')) === number(value),
  mc_seqno: (row, value) => number(row['mc_block_seqno']) === number(value),
}

const isHash: Fits = (row, value) => among('hash', hash64)(row, value) || among('hash_norm', hash64)(row, value)

const party =
  (name: string): Filter =>
  (row, value) =>
    row[name] === (value === 'null' || value === 'none' ? null : rawText(value))

const opcodeOf = (value: unknown): bigint => BigInt.asUintN(32, BigInt(String(value)))

/** Filters of messages, by parameter. A transaction fits them if one of its messages fits all. */
const OF_MESSAGES: Readonly<Record<string, Filter>> = {
  msg_hash: isHash,
  hash: isHash,
  body_hash: (row, value) => (row['message_content'] as Members | null)?.['hash'] === hash64(value),
  opcode: (row, value) => row['opcode'] !== null && opcodeOf(row['opcode']) === opcodeOf(value),
  source: party('source'),
  destination: party('destination'),
}

/** True if a boolean parameter is false in one of the spellings that v3 accepts. */
const isOff = (value: unknown): boolean => /^(0|f|false)?$/i.test(String(value))

/** Filters of rows of messages. An external inbound message has no lt and no time, so it fits no range. */
const OF_MESSAGE_ROWS: Readonly<Record<string, Filter>> = {
  ...OF_MESSAGES,
  ...rangesBy('created_lt', 'created_at'),
  exclude_externals: (row, value) => isOff(value) || row['created_lt'] !== null,
  only_externals: (row, value) => isOff(value) || row['created_lt'] === null,
}

/** Fits the sending owner, the receiving owner, or either, depending on `direction`. */
const isOwner: Filter = (row, value, { direction }) =>
  (direction !== 'in' && isAccount('source', 'old_owner', 'owner')(row, value)) ||
  (direction !== 'out' && isAccount('destination', 'new_owner')(row, value))

/** Filters of transfers and burns of tokens. Each list has only some of these members. */
const OF_TOKENS: Readonly<Record<string, Filter>> = {
  owner_address: isOwner,
  address: (row, value, params) => given(params['owner_address']) || isOwner(row, value, params),
  jetton_wallet: isAccount('source_wallet', 'jetton_wallet'),
  jetton_master: isAccount('jetton_master'),
  item_address: isAccount('nft_address'),
  collection_address: isAccount('nft_collection'),
  ...rangesBy('transaction_lt', 'transaction_now'),
}

const filtersOf = (list: List): Readonly<Record<string, Filter>> =>
  list === 'messages' ? OF_MESSAGE_ROWS : list === 'transactions' ? OF_TRANSACTIONS : OF_TOKENS

/** The first parameter that a row does not fit. */
const misfit = (filters: Readonly<Record<string, Filter>>, row: Members, params: Members): string | undefined =>
  Object.keys(filters).find((name) => given(params[name]) && !filters[name]!(row, params[name], params))

/** True if one message of the transaction fits all parameters about messages, or if no such parameter is given. */
const fitsByMessage = (row: Members, params: Members): boolean => {
  const { hash: _, ...filters } = OF_MESSAGES
  if (!Object.keys(filters).some((name) => given(params[name]))) return true
  const received = params['direction'] === 'out' ? [] : [row['in_msg'] ?? []].flat()
  const sent = params['direction'] === 'in' ? [] : listOf(row['out_msgs'])
  return [...received, ...sent].some((message) => misfit(filters, message as Members, params) === undefined)
}

/** Throws VerifyError for a proven row that the request did not ask for. Parameters whose data is not in the row are not checked. */
export const checkFits = ({ list, params, isFiltered }: PageRequest, row: Members): void => {
  if (!isFiltered) return
  const wrong = misfit(filtersOf(list), row, params)
  must(wrong === undefined, `does not fit the parameter ${wrong}`)
  must(list !== 'transactions' || fitsByMessage(row, params), 'has no message that fits the parameters')
}

/** Returns whether the row of an account has one of the requested codes. */
export const hasRequestedCode = ({ params: { code_hash } }: PageRequest, row: Members): boolean =>
  !given(code_hash) || among('code_hash', hash64)(row, code_hash)

/** Name of a transaction's member in a row. Transfers and burns of tokens have longer names: `transaction_hash`. */
const nameIn = (list: List, name: 'hash' | 'lt' | 'now'): string => (filtersOf(list) === OF_TOKENS ? `transaction_${name}` : name)

/** Returns the sort key of a row: unix time, masterchain seqno or 0, and then logical time. The parameters decide which. */
const orderOf = ({ list, params }: PageRequest): ((row: Members) => readonly [bigint, bigint]) => {
  const byTime = given(params['start_utime']) || given(params['end_utime'])
  if (list === 'messages') return (row) => [byTime ? number(row['created_at'] ?? 0) : 0n, number(row['created_lt'] ?? 0)]
  const [lt, now] = [nameIn(list, 'lt'), nameIn(list, 'now')]
  const isNarrow =
    list !== 'transactions' ||
    ['account', 'hash', 'lt', 'start_lt', 'end_lt', ...Object.keys(OF_MESSAGES)].some((name) => given(params[name]))
  return (row) => [byTime ? number(row[now]) : isNarrow ? 0n : number(row['mc_block_seqno']), number(row[lt])]
}

/** Throws VerifyError for rows that are out of order or occur twice. */
export const checkOrder = (request: PageRequest, rows: readonly Members[]): void => {
  const order = orderOf(request)
  const hash = nameIn(request.list, 'hash')
  const hashes = new Set<unknown>()
  for (const [i, row] of rows.entries())
    within(`${request.list}[${i}]`, () => {
      must(!hashes.has(row[hash]), 'a row that is there twice')
      hashes.add(row[hash])
      // An external inbound message is ordered by the transaction that received it, which is not in its row.
      if (
        i === 0 ||
        !request.isFiltered ||
        (request.list === 'messages' && (row['created_lt'] === null || rows[i - 1]!['created_lt'] === null))
      )
        return
      const [a, b] = request.isAscending ? [rows[i - 1]!, row] : [row, rows[i - 1]!]
      const [[a1, a2], [b1, b2]] = [order(a), order(b)]
      must(a1 < b1 || (a1 === b1 && a2 <= b2), 'a row that is not in its place')
    })
}
