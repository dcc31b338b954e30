import type { AnswerHandlers } from '../base/answer.ts'
import { inTurns } from '../base/in-turns.ts'
import { addressBook } from '../book/book.ts'
import { MULTISIG_ROLES } from '../store/codes.ts'
import type { Reader } from '../store/postgres/pool.ts'
import {
  findMultisigs,
  findOrders,
  findVestings,
  type MemberRow,
  type MultisigRow,
  membersOf,
  type OrderRow,
  ordersOf,
  whitelistsOf,
} from '../store/queries/wallets.ts'
import { answer, nextCursor } from './answer.ts'
import { grouped } from './grouped.ts'
import { orderActions } from './order-actions.ts'
import { address, maybeBase64 } from './wire.ts'

type Name = 'v3.multisig.wallets' | 'v3.multisig.orders' | 'v3.vesting'
type Role = (typeof MULTISIG_ROLES)[number]

/** Addresses of a contract's list. */
type Lists = (account: Buffer, role: Role) => string[]

const listsOf = (rows: readonly MemberRow[]): Lists => {
  const nameOf = (account: Buffer, role: number): string => `${account.toString('base64')} ${role}`
  const membersOfList = grouped(rows, ({ account, role }) => nameOf(account, role))
  return (account, role) => membersOfList(nameOf(account, MULTISIG_ROLES.indexOf(role))).map(({ member }) => address(member))
}

const toOrder = (row: OrderRow, lists: Lists, parse: boolean) => ({
  address: address(row.account),
  multisig_address: address(row.multisig),
  order_seqno: row.order_seqno,
  threshold: row.threshold,
  sent_for_execution: row.sent,
  approvals_mask: row.approvals_mask,
  approvals_num: row.approvals_num,
  expiration_date: row.expiration_date === null ? null : Number(row.expiration_date),
  order_boc: maybeBase64(row.order_boc),
  signers: row.threshold === null ? null : lists(row.account, 'order_signer'),
  last_transaction_lt: row.last_trans_lt,
  code_hash: maybeBase64(row.code_hash),
  data_hash: maybeBase64(row.data_hash),
  actions: parse ? orderActions(row.order_boc) : null,
})

const toMultisig = (row: MultisigRow, lists: Lists, orders: readonly OrderRow[]) => ({
  address: address(row.account),
  next_order_seqno: row.next_order_seqno,
  threshold: row.threshold,
  signers: lists(row.account, 'signer'),
  proposers: lists(row.account, 'proposer'),
  last_transaction_lt: row.last_trans_lt,
  code_hash: maybeBase64(row.code_hash),
  data_hash: maybeBase64(row.data_hash),
  orders: orders.map((order) => toOrder(order, lists, false)),
})

/** Multisig wallets, their orders, and vesting wallets, as their get-methods tell of them (v3.md 2.6). */
export const walletHandlers = ({ reader }: { readonly reader: Reader }): AnswerHandlers<Name> => ({
  'v3.multisig.wallets': (params, { signal }) =>
    answer(reader, params, signal, async (view, next) => {
      const { rows, next: cursor } = await findMultisigs(view, params, params)
      next(cursor)
      const keys = rows.map((row) => row.account)
      const orders = params.include_orders ? await ordersOf(view, keys) : []
      const members = await membersOf(view, [...keys, ...orders.map((order) => order.account)])
      const lists = listsOf(members)
      const ordersOfOne = grouped(orders, (order) => order.multisig.toString('base64'))
      return {
        multisigs: await inTurns(rows, (row) => toMultisig(row, lists, ordersOfOne(row.account.toString('base64'))), signal),
        address_book: await addressBook(view, [...keys, ...orders.map((order) => order.account), ...members.map((row) => row.member)]),
        ...nextCursor(params, cursor),
      }
    }),

  'v3.multisig.orders': (params, { signal }) =>
    answer(reader, params, signal, async (view, next) => {
      const { rows, next: cursor } = await findOrders(view, params, params)
      next(cursor)
      const members = await membersOf(
        view,
        rows.map((row) => row.account),
      )
      const lists = listsOf(members)
      return {
        orders: await inTurns(rows, (row) => toOrder(row, lists, params.parse_actions), signal),
        address_book: await addressBook(view, [...rows.flatMap((row) => [row.account, row.multisig]), ...members.map((row) => row.member)]),
        ...nextCursor(params, cursor),
      }
    }),

  'v3.vesting': (params, { signal }) =>
    answer(reader, params, signal, async (view, next) => {
      const { rows, next: cursor } = await findVestings(view, params, params)
      next(cursor)
      const whitelists = await whitelistsOf(
        view,
        rows.map((row) => row.account),
      )
      const of = new Map(rows.map((row) => [row.account.toString('base64'), [] as string[]]))
      for (const { account, wallet } of whitelists) of.get(account.toString('base64'))?.push(address(wallet))
      return {
        vesting_contracts: rows.map((row) => ({
          address: address(row.account),
          start_time: Number(row.start_time),
          total_duration: Number(row.total_duration),
          unlock_period: Number(row.unlock_period),
          cliff_duration: Number(row.cliff_duration),
          sender_address: address(row.sender),
          owner_address: address(row.owner),
          total_amount: row.total_amount,
          whitelist: of.get(row.account.toString('base64')) ?? [],
        })),
        address_book: await addressBook(view, [
          ...rows.flatMap((row) => [row.account, row.sender, row.owner]),
          ...whitelists.map(({ wallet }) => wallet),
        ]),
        ...nextCursor(params, cursor),
      }
    }),
})
