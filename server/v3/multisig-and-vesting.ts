import type { wallets } from '../../shared/v3/multisig-and-vesting.ts'
import type { AnswerHandlers } from '../base/answer.ts'
import { grouped } from '../base/memory/grouped.ts'
import { MULTISIG_ROLES } from '../store/codes.ts'
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
import { nameOf } from '../store/row-keys.ts'
import type { V3Index } from './answer/answer.ts'
import { list } from './answer/list.ts'
import { type OrderAction, orderActions } from './shapes/multisig-order-actions.ts'
import { address, maybeBase64, maybeNumber } from './shapes/values.ts'

type Role = (typeof MULTISIG_ROLES)[number]

type Lists = (account: Buffer, role: Role) => string[]

const listsOf = (rows: readonly MemberRow[]): Lists => {
  const listOf = (account: Buffer, role: number): string => `${nameOf(account)} ${role}`
  const membersOfList = grouped(rows, ({ account, role }) => listOf(account, role))
  return (account, role) => membersOfList(listOf(account, MULTISIG_ROLES.indexOf(role))).map(({ member }) => address(member))
}

const toOrder = (row: OrderRow, lists: Lists, actions: readonly OrderAction[] | null = null) => ({
  address: address(row.account),
  multisig_address: address(row.multisig),
  order_seqno: row.order_seqno,
  threshold: row.threshold,
  sent_for_execution: row.sent,
  approvals_mask: row.approvals_mask,
  approvals_num: row.approvals_num,
  expiration_date: maybeNumber(row.expiration_date),
  order_boc: maybeBase64(row.order_boc),
  signers: row.threshold === null ? null : lists(row.account, 'order_signer'),
  last_transaction_lt: row.last_trans_lt,
  code_hash: maybeBase64(row.code_hash),
  data_hash: maybeBase64(row.data_hash),
  actions: actions && [...actions],
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
  orders: orders.map((order) => toOrder(order, lists)),
})

const accountsOf = (rows: readonly { readonly account: Buffer }[]): Buffer[] => rows.map((row) => row.account)

/** Handlers of multisig wallets, their orders and vesting wallets, which the index reads by get-methods. */
export const walletHandlers = (index: V3Index): AnswerHandlers<keyof typeof wallets> => ({
  'v3.multisig.wallets': list(index, 'v3.multisig.wallets', {
    find: findMultisigs,
    async relate(view, rows, params) {
      const orders = params.include_orders ? await ordersOf(view, accountsOf(rows)) : []
      const members = await membersOf(view, [...accountsOf(rows), ...accountsOf(orders)])
      const lists = listsOf(members)
      const ordersOfWallet = grouped(orders, (order) => nameOf(order.multisig))
      return {
        accounts: [...accountsOf(rows), ...accountsOf(orders), ...members.map((row) => row.member)],
        format: (row) => toMultisig(row, lists, ordersOfWallet(nameOf(row.account))),
      }
    },
  }),

  'v3.multisig.orders': list(index, 'v3.multisig.orders', {
    find: findOrders,
    async relate(view, rows, { parse_actions }) {
      const members = await membersOf(view, accountsOf(rows))
      const lists = listsOf(members)
      return {
        accounts: [...rows.flatMap((row) => [row.account, row.multisig]), ...members.map((row) => row.member)],
        format: (row) => toOrder(row, lists, parse_actions ? orderActions(row.order_boc) : null),
      }
    },
  }),

  'v3.vesting': list(index, 'v3.vesting', {
    find: findVestings,
    async relate(view, rows) {
      const whitelists = await whitelistsOf(view, accountsOf(rows))
      const whitelistOf = grouped(whitelists, ({ account }) => nameOf(account))
      return {
        accounts: [...rows.flatMap((row) => [row.account, row.sender, row.owner]), ...whitelists.map(({ wallet }) => wallet)],
        format: (row) => ({
          address: address(row.account),
          start_time: Number(row.start_time),
          total_duration: Number(row.total_duration),
          unlock_period: Number(row.unlock_period),
          cliff_duration: Number(row.cliff_duration),
          sender_address: address(row.sender),
          owner_address: address(row.owner),
          total_amount: row.total_amount,
          whitelist: whitelistOf(nameOf(row.account)).map(({ wallet }) => address(wallet)),
        }),
      }
    },
  }),
})
