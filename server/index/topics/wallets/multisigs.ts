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
import {
  bocOf,
  cell,
  count,
  int,
  intValue,
  isConfirmed,
  orNull,
  readAnswer,
  seconds,
  someAddress,
  uint,
} from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'

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
  const read = readAnswer(await context.run(account, 'get_multisig_data'), int, count, keysOf, keysOf)
  if (read === undefined) return undefined
  const [next, threshold, signers, proposers] = read
  return {
    row: { account: account.key, mc_seqno: account.mcSeqno, next_order_seqno: next, threshold },
    members: [...memberRows(account, 'signer', signers), ...memberRows(account, 'proposer', proposers)],
  }
}

/** Maximum bytes of an order's BoC. The code of orders can hold an order of a megabyte, which every change of each of them would write again. */
const MAX_ORDER_BYTES = 64 << 10

/** BoC of an order; null if the order is too large. A multisig cannot create one of too many cells, because an order arrives in a message. */
const bocOfOrder = (order: Cell): Uint8Array | null => {
  const boc = hasAtMost([order], MAX_MESSAGE_CELLS) ? bocOf(order) : undefined
  return boc !== undefined && boc.length <= MAX_ORDER_BYTES ? boc : null
}

/** get_order_data: multisig, order_seqno, threshold, executed, signers, approvals_mask, approvals_num, expiration_date, order. */
export const evaluateOrder = async (
  account: AccountView,
  context: TopicContext,
): Promise<MultisigRows<typeof multisigOrders> | undefined> => {
  // The values from the threshold on are null until the order is initialized.
  const later = [orNull(count), orNull(int), keysOf, orNull(uint), orNull(count), orNull(seconds), orNull(cell)] as const
  const read = readAnswer(await context.run(account, 'get_order_data'), someAddress, uint, ...later)
  if (read === undefined) return undefined
  const [multisig, seqno, threshold, executed, signers, mask, approvals, expiration, order] = read
  const [owner] = await context.accounts([multisig])
  if (!(await isConfirmed(account, owner, 'get_order_address', [intValue(seqno)], context))) return undefined
  return {
    row: {
      account: account.key,
      mc_seqno: account.mcSeqno,
      multisig,
      order_seqno: seqno,
      threshold,
      sent: executed === null ? null : executed !== 0n,
      approvals_mask: mask,
      approvals_num: approvals,
      expiration_date: expiration,
      order_boc: order && bocOfOrder(order),
    },
    members: memberRows(account, 'order_signer', signers),
  }
}
