import { hasAtMost, MAX_CHECKED_CELLS, MAX_MESSAGE_CELLS } from '../../../cell/budget.ts'
import type { Cell } from '../../../cell/cell.ts'
import { CellError } from '../../../cell/cell.ts'
import { attempt } from '../../../cell/error.ts'
import type { MULTISIG_ROLES } from '../../../store/codes.ts'
import { accountKey } from '../../../store/row-keys.ts'
import type { Table, WriteRow } from '../../../store/schema/table.ts'
import type { multisigMembers, multisigOrders, multisigs } from '../../../store/schema/wallets.ts'
import { loadAddresses } from '../../../tlb/contracts/multisig.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { address, bocOf, cell, int, intValue, stackOf, uint } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'
import { count, seconds } from './column-numbers.ts'

export interface MultisigRows<T extends Table> {
  readonly row: WriteRow<T>
  readonly members: readonly WriteRow<typeof multisigMembers>[]
}

type Role = (typeof MULTISIG_ROLES)[number]

/** Reads the keys of a list of addresses; undefined if the value is not such a list. Null is the empty list. */
const keysOf = (value: VmStackValue | undefined): readonly Buffer[] | undefined => {
  if (value?.type === 'null') return []
  const root: Cell | undefined = cell(value)
  return (
    root &&
    attempt(() =>
      loadAddresses(root, { cells: MAX_CHECKED_CELLS }).map((found) => {
        if (found.type !== 'std') throw new CellError('range', 'an address that no account has')
        return accountKey(found.workchain, found.hash)
      }),
    )
  )
}

const memberRows = ({ key, mcSeqno }: AccountView, role: Role, members: readonly Buffer[]): readonly WriteRow<typeof multisigMembers>[] =>
  members.map((member, place) => ({ account: key, role, place, mc_seqno: mcSeqno, member }))

export const evaluateMultisig = async (
  account: AccountView,
  context: TopicContext,
): Promise<MultisigRows<typeof multisigs> | undefined> => {
  const stack = stackOf(await context.run(account, 'get_multisig_data'), 4)
  const next = int(stack?.[0])
  const threshold = count(stack?.[1])
  const signers = keysOf(stack?.[2])
  const proposers = keysOf(stack?.[3])
  if (next === undefined || threshold === undefined || signers === undefined || proposers === undefined) return undefined
  return {
    row: { account: account.key, mc_seqno: account.mcSeqno, next_order_seqno: next, threshold },
    members: [...memberRows(account, 'signer', signers), ...memberRows(account, 'proposer', proposers)],
  }
}

const isAcknowledged = async (order: AccountView, multisig: Buffer, seqno: bigint, context: TopicContext): Promise<boolean> => {
  const [owner] = await context.accounts([multisig])
  if (owner?.status !== 'active') return false
  const stack = stackOf(await context.run(owner, 'get_order_address', [intValue(seqno)]), 1)
  return address(stack?.[0])?.equals(order.key) === true
}

/** Reads a value that can be null (not set yet); undefined if it is malformed. */
const orNull = <T>(value: VmStackValue | undefined, read: (value: VmStackValue | undefined) => T | undefined): T | null | undefined =>
  value?.type === 'null' ? null : read(value)

/** BoC of an order; null if the order has too many cells. A multisig cannot create such an order, because an order arrives in a message. */
const bocOfOrder = (order: Cell): Uint8Array | null => (hasAtMost([order], MAX_MESSAGE_CELLS) ? bocOf(order) : null)

/** get_order_data: multisig, order_seqno, threshold, executed, signers, approvals_mask, approvals_num, expiration_date, order. */
export const evaluateOrder = async (
  account: AccountView,
  context: TopicContext,
): Promise<MultisigRows<typeof multisigOrders> | undefined> => {
  const stack = stackOf(await context.run(account, 'get_order_data'), 9)
  const multisig = address(stack?.[0])
  const seqno = uint(stack?.[1])
  if (stack === undefined || !multisig || seqno === undefined) return undefined
  const threshold = orNull(stack[2], count)
  const executed = orNull(stack[3], int)
  const signers = orNull(stack[4], keysOf)
  const mask = orNull(stack[5], uint)
  const approvals = orNull(stack[6], count)
  const expiration = orNull(stack[7], seconds)
  const order = orNull(stack[8], cell)
  const read = [threshold, executed, signers, mask, approvals, expiration, order]
  if (read.includes(undefined) || !(await isAcknowledged(account, multisig, seqno, context))) return undefined
  return {
    row: {
      account: account.key,
      mc_seqno: account.mcSeqno,
      multisig,
      order_seqno: seqno,
      threshold,
      sent: executed === null || executed === undefined ? null : executed !== 0n,
      approvals_mask: mask,
      approvals_num: approvals,
      expiration_date: expiration,
      order_boc: order && bocOfOrder(order),
    },
    members: memberRows(account, 'order_signer', signers ?? []),
  }
}
