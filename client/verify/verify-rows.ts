import { hexOf } from '../bytes.ts'
import { accountRow } from './account.ts'
import { listTransactions, openBlock } from './block.ts'
import { wholeRoot } from './boc.ts'
import { type Comparison, compare, type Expected, record } from './compare.ts'
import { fail, must, VerifyError, within } from './error.ts'
import {
  type AccountId,
  accountOf,
  type BlockId,
  base64OfHex,
  blockText,
  hashOf,
  itemsOf,
  MASTERCHAIN,
  type Members,
  membersOf,
  rawOf,
  shardText,
} from './ids.ts'
import { holdsTransaction, type ProvenBlock } from './proven-blocks.ts'
import { checkFits, checkOrder, hasRequestedCode, type PageRequest, type TokenList } from './request.ts'
import { type ProvenAccount, proveAccount } from './state.ts'
import { tokenRow } from './tokens.ts'
import { type ReadTransaction, readPlace, readTransaction, type TransactionPlace } from './transaction.ts'

/** Where a page ended. For one account: its first transaction after the page. For one block: the last transaction on the page. */
export interface PageEnd {
  readonly lt: string
  readonly hash: string
}

export interface Page extends Comparison {
  readonly request: PageRequest
  readonly proof: Members
  readonly head: BlockId
  readonly rows: readonly Members[]
  readonly after: PageEnd | undefined
  /** Proves the block at this index of `proof.blocks`. */
  readonly blockAt: (index: number) => ProvenBlock
}

/** The proof of each row: its transaction, and a block that contains the transaction. */
const rowProofs = ({ proof: { transactions }, rows, budget, blockAt }: Page) => {
  const read = within('proof.transactions', () => {
    const items = itemsOf(transactions)
    must(items.length === rows.length, `${items.length} transactions for ${rows.length} rows`)
    return items.map((item, i) => {
      const { boc, block, proof } = within(`[${i}]`, () => membersOf(item))
      return { cell: within(`[${i}].boc`, () => wholeRoot(boc, budget)), block, proof }
    })
  })
  return read.map(({ block, ...others }) => ({ ...others, block: typeof block === 'number' ? blockAt(block) : undefined }))
}

type RowProof = ReturnType<typeof rowProofs>[number]

/** The block of a row, if the proof shows that it holds the transaction. */
const blockOf = (i: number, { block, proof }: RowProof, transaction: TransactionPlace, { budget }: Page): ProvenBlock | undefined =>
  within(`proof.transactions[${i}]`, () => (block && holdsTransaction(block, proof, transaction, budget) ? block : undefined))

/** Compares row `i` with the transaction of its proof, and with the block that holds it where that is proven. */
const compareTransaction = (page: Page, i: number, transaction: ReadTransaction, block: ProvenBlock | undefined): void => {
  const members: { [name: string]: Expected } = { ...transaction.row }
  if (block !== undefined) {
    const { workchain, shard, seqno } = block.id
    members['block_ref'] = { workchain, shard: shardText(shard), seqno }
    members['mc_block_seqno'] = block.masterSeqno
    // Later masterchain blocks lead to the same shard block too, so its `mc_block_seqno` is proven only if this masterchain block is the first.
    if (workchain !== MASTERCHAIN && !block.isFirst) page.uncovered.add('transactions[].mc_block_seqno')
  }
  compare(page.rows[i], members, `transactions[${i}]`, page)
}

/** Checks the transactions of one account, newest first. `first`: what the first row must be. Each transaction names the hash and lt of the next row. */
const verifyChain = (page: Page, account: AccountId, first: { readonly hash: string; readonly lt: bigint }): PageEnd | undefined => {
  let due = first
  for (const [i, proof] of rowProofs(page).entries()) {
    const transaction = within(`transactions[${i}]`, () => {
      must(due.lt > 0n, 'a row behind the first transaction of the account')
      must(
        hexOf(proof.cell.hashes[0]!) === due.hash,
        () => `not the next transaction of the account, ${base64OfHex(due.hash)} of lt ${due.lt}`,
      )
      const read = readTransaction(proof.cell, account.workchain)
      must(read.lt === due.lt && read.account === account.hash && read.prevLt < read.lt, 'a transaction of another account or lt')
      return read
    })
    compareTransaction(page, i, transaction, blockOf(i, proof, transaction, page))
    due = { hash: transaction.prevHash, lt: transaction.prevLt }
  }
  return due.lt === 0n ? undefined : { lt: String(due.lt), hash: base64OfHex(due.hash) }
}

/** Checks a page of one account: with `accounts` from its newest transaction at the head, otherwise from the end of the previous page. */
export const verifyOneAccount = (page: Page, accounts: ProvenAccounts | undefined): PageEnd | undefined => {
  const [account] = page.request.accounts as readonly [AccountId]
  if (accounts) {
    const { lastHash, lastLt } = provenOf(accounts, account)
    return verifyChain(page, account, { hash: lastHash, lt: lastLt })
  }
  const { hash, lt } = page.after ?? fail('a page that goes on needs the end of the page before: give `after`')
  return verifyChain(page, account, { hash: hashOf(hash), lt: BigInt(lt) })
}

/** Selects the rows that a page must have from all transactions of a block. `isLast`: the block has no transactions after them. */
const dueOf = (rows: readonly TransactionPlace[], { request, after }: Page) => {
  const sign = request.isAscending ? 1 : -1
  const sorted = [...rows].sort((a, b) => (a.lt === b.lt ? (a.account < b.account ? -1 : 1) : a.lt < b.lt ? -sign : sign))
  const last = after && hashOf(after.hash)
  const found = sorted.findIndex(({ hash }) => hash === last)
  must(!request.isLater || request.offset > 0 || found >= 0, 'a page that goes on needs the end of the page before: give `after`')
  const begin = request.isLater && found >= 0 ? found + 1 : request.offset
  const due = sorted.slice(begin, begin + request.limit)
  return { due, isLast: begin + due.length >= sorted.length }
}

/** Checks a page of one block. Its rows must be all transactions of the block, in the requested order, from the end of the previous page on. */
export const verifyBlock = (page: Page): PageEnd | undefined => {
  const block = page.blockAt(0)
  const { workchain, shard, seqno } = page.request.block
  const isIt = block.id.workchain === workchain && block.id.shard === shard && block.id.seqno === seqno
  must(isIt, () => `${blockText(block.id)} is not the block of the request`)
  const rows = within('proof.blocks[0].proof', () =>
    listTransactions(openBlock(block.root ?? fail('no proof of the transactions'), block.id)),
  )
  const { due, isLast } = dueOf(rows, page)
  if (due.length !== page.rows.length) throw new VerifyError('transactions', `${page.rows.length} rows, the block has ${due.length} here`)
  for (const [i, { cell }] of rowProofs(page).entries()) {
    const transaction = within(`transactions[${i}]`, () => {
      must(hexOf(cell.hashes[0]!) === due[i]!.hash, () => `not the transaction of this place, ${base64OfHex(due[i]!.hash)}`)
      return readTransaction(cell, block.id.workchain)
    })
    compareTransaction(page, i, transaction, block)
  }
  const last = due.at(-1)
  return isLast || last === undefined ? undefined : { lt: String(last.lt), hash: base64OfHex(last.hash) }
}

/** Compares row `i` with its message in the transaction of its proof. */
const compareMessage = (page: Page, i: number, { received, sent, hash }: ReadTransaction): void => {
  const named = page.rows[i]!['hash']
  const isReceived = received?.hash === named
  const message = isReceived ? received : sent.find((each) => each.hash === named)
  if (message === undefined) throw new VerifyError(`messages[${i}].hash`, 'the transaction of the proof has no such message')
  compare(page.rows[i], { ...message.row, [isReceived ? 'in_msg_tx_hash' : 'out_msg_tx_hash']: base64OfHex(hash) }, `messages[${i}]`, page)
}

/** Compares row `i` with the token request that the transaction of its proof received. */
const compareRequest = (page: Page, i: number, list: TokenList, transaction: ReadTransaction): void => {
  const at = `${list}[${i}]`
  compare(
    page.rows[i],
    within(at, () => tokenRow(list, transaction)),
    at,
    page,
  )
}

/** Checks each row by a block that contains its transaction. Omitted rows are not detected. */
export const verifyEach = (page: Page): undefined => {
  const { list } = page.request
  for (const [i, proof] of rowProofs(page).entries()) {
    // A transaction is parsed only if a block contains it, because a server could invent one that takes minutes to parse.
    const place = within(`${list}[${i}]`, () => readPlace(proof.cell))
    const block = blockOf(i, proof, place, page) ?? within(`proof.transactions[${i}]`, () => fail('no proof of a block that holds it'))
    const transaction = within(`${list}[${i}]`, () => readTransaction(proof.cell, block.id.workchain))
    if (list === 'messages') compareMessage(page, i, transaction)
    else if (list === 'transactions' || list === 'accounts') compareTransaction(page, i, transaction, block)
    else compareRequest(page, i, list, transaction)
    // Only rows of transactions have `mc_block_seqno` themselves.
    within(`${list}[${i}]`, () => checkFits(page.request, { ...page.rows[i], mc_block_seqno: block.masterSeqno }))
  }
  checkOrder(page.request, page.rows)
}

/** Accounts at the head of a page, by raw address. */
export type ProvenAccounts = ReadonlyMap<string, ProvenAccount>

export const accountsOf = ({ proof: { accounts }, head, budget }: Page): ProvenAccounts =>
  within('proof.accounts', () => {
    const items = itemsOf(accounts ?? [])
    return new Map(
      items.map((item, i) =>
        within(`[${i}]`, () => {
          const id = accountOf(membersOf(item)['account'])
          return [rawOf(id), proveAccount(item, id, head, budget)]
        }),
      ),
    )
  })

const provenOf = (accounts: ProvenAccounts, id: AccountId): ProvenAccount =>
  within('proof.accounts', () => accounts.get(rawOf(id)) ?? fail(`no proof of ${rawOf(id)}`))

/** The row of an account that does not exist at the head. An index can return one for an account that existed earlier. */
const NOBODY = {
  status: 'nonexist',
  balance: '0',
  extra_currencies: record({}),
  code_hash: undefined,
  data_hash: undefined,
  frozen_hash: undefined,
}

/** Accounts at the head. An existing account with a requested code must not be missing. */
export const verifyAccounts = (page: Page, accounts: ProvenAccounts): undefined => {
  const { request } = page
  const rowOf = (id: AccountId): { readonly [name: string]: Expected } => {
    const { cell, lastHash, lastLt } = provenOf(accounts, id)
    return cell === undefined ? { address: rawOf(id), ...NOBODY } : accountRow(id, cell, base64OfHex(lastHash), lastLt)
  }
  const left = new Map(request.accounts.map((id) => [rawOf(id), id]))
  for (const [i, row] of page.rows.entries()) {
    const at = `accounts[${i}]`
    const id = left.get(String(row['address'])) ?? within(`${at}.address`, () => fail('not an account of the request, or there twice'))
    left.delete(rawOf(id))
    const expected = within(at, () => rowOf(id))
    compare(row, expected, at, page)
    within(at, () => must(hasRequestedCode(request, expected), 'does not fit the parameter code_hash'))
  }
  for (const id of left.values())
    within('accounts', () => {
      const expected = rowOf(id)
      must(expected['status'] === NOBODY.status || !hasRequestedCode(request, expected), `${rawOf(id)} exists, but it was left out`)
    })
}
