import { failingText } from '../base/multisig-text.ts'
import type { Jettons, OrderAction } from './order-action.tsx'
import { carriedBy, isLeftOut } from './send-mode.ts'

/* Which actions of an order will most likely fail, and why, as far as the page can find out. */

/**
 * Why an action will most likely fail: it orders a jetton wallet of another owner to pay; no message can be sent with its mode; an action before it sends all
 * coins, so that nothing is left for this one, not even the fees for its delivery.
 */
export type Fault = 'other owner' | 'invalid mode' | 'nothing left'

/** The outlook of an order whose first actions were looked at. */
export interface Outlook {
  /** Why actions will most likely fail by themselves, by their positions. */
  readonly faults: ReadonlyMap<number, Fault>
  /** One of them cannot be sent and is not left out, so that no action takes effect. */
  readonly isUndone: boolean
  /** Positions of all actions that will most likely fail: every one of an order that is undone. */
  readonly failing: ReadonlySet<number>
  /** In words, with how many they are; undefined if there is none. */
  readonly text: string | undefined
}

interface Ordered {
  readonly actions: readonly OrderAction[] | null
  /** Raw address of the account that sends them. */
  readonly multisig_address: string
}

/** Bodies that a jetton wallet takes from its owner alone. */
const BY_OWNER = /^jetton_(transfer|burn)$/

/** The owner of the jetton wallet that an action orders to pay, if it is not the multisig: such an action fails. Raw addresses. */
export const otherOwner = (
  { parsed_body_type: type, destination }: OrderAction,
  multisig: string,
  { owners }: Jettons,
): string | undefined => {
  const owner = BY_OWNER.test(type) ? owners.get(destination ?? '') : undefined
  return owner === multisig ? undefined : owner
}

/** The faults of actions that are carried out one after the other. */
const faultsOf = (actions: readonly OrderAction[], multisig: string, jettons: Jettons): ReadonlyMap<number, Fault> => {
  const faults = new Map<number, Fault>()
  let isEmptied = false
  for (const [i, action] of actions.entries()) {
    // One that sends no message, or cannot be read.
    if (action.value === null) continue
    const carried = carriedBy(action.send_mode)
    if (carried === 'nothing: invalid') faults.set(i, 'invalid mode')
    else if (isEmptied) faults.set(i, 'nothing left')
    else if (otherOwner(action, multisig, jettons) !== undefined) faults.set(i, 'other owner')
    // The coins leave the multisig whoever gets them.
    isEmptied ||= carried === 'everything'
  }
  return faults
}

/** Looks at the first `most` actions of an order. `jettons`: those of these actions. */
export const outlookOf = ({ actions, multisig_address: multisig }: Ordered, jettons: Jettons, most = Number.POSITIVE_INFINITY): Outlook => {
  const all = actions ?? []
  const checked = all.slice(0, most)
  const faults = faultsOf(checked, multisig, jettons)
  const isUndone = [...faults].some(([i, fault]) => fault !== 'other owner' && !isLeftOut(all[i]!.send_mode))
  const failing = new Set(isUndone ? all.keys() : faults.keys())
  return { faults, isUndone, failing, text: failingText(failing.size, isUndone ? all.length : checked.length, all.length) }
}
