import { failingText } from '../base/multisig-text.ts'
import type { Jettons, Order, OrderAction } from './order-action.tsx'
import { carriedBy, isLeftOut } from './send-mode.ts'

/* Predicts which actions of an order will fail, and why. The prediction uses only data that the page can load. */

/**
 * Why an action will most likely fail. `other owner`: the action orders a payment from a jetton wallet that the multisig does not own. `invalid mode`: no
 * message can be sent with the action's send mode. `nothing left`: an earlier action sends all coins, so the multisig cannot pay the delivery fees of this
 * action.
 */
export type Fault = 'other owner' | 'invalid mode' | 'nothing left'

/** Types of bodies that a jetton wallet accepts only from its owner. */
const BY_OWNER = /^jetton_(transfer|burn)$/

/** Owner of the jetton wallet that an action orders to pay, if the multisig is not the owner: the wallet then rejects the order. All addresses are raw. */
export const otherOwner = (
  { parsed_body_type: type, destination }: OrderAction,
  multisig: string,
  { owners }: Jettons,
): string | undefined => {
  const owner = BY_OWNER.test(type) ? owners.get(destination ?? '') : undefined
  return owner === multisig ? undefined : owner
}

const faultsOf = (actions: readonly OrderAction[], multisig: string, jettons: Jettons): ReadonlyMap<number, Fault> => {
  const faults = new Map<number, Fault>()
  let isEmptied = false
  for (const [i, action] of actions.entries()) {
    // Actions without a message, and actions that cannot be decoded, have no value. They are not checked.
    if (action.value === null) continue
    const carried = carriedBy(action.send_mode)
    if (carried === 'nothing: invalid') faults.set(i, 'invalid mode')
    else if (isEmptied) faults.set(i, 'nothing left')
    else if (otherOwner(action, multisig, jettons) !== undefined) faults.set(i, 'other owner')
    // The coins leave the multisig even if the receiver rejects the message.
    isEmptied ||= carried === 'everything'
  }
  return faults
}

/** Checks the first `most` actions of an order. `jettons`: the jettons of these actions. */
export const outlookOf = (
  { actions, multisig_address: multisig }: Pick<Order, 'actions' | 'multisig_address'>,
  jettons: Jettons,
  most = Number.POSITIVE_INFINITY,
) => {
  const all = actions ?? []
  const checked = all.slice(0, most)
  const faults = faultsOf(checked, multisig, jettons)
  // If an action cannot be sent and its send mode does not ignore errors, no action of the order takes effect.
  const isUndone = [...faults].some(([i, fault]) => fault !== 'other owner' && !isLeftOut(all[i]!.send_mode))
  const failing = new Set(isUndone ? all.keys() : faults.keys())
  return {
    /** Faults by the index of the action, without failures that another action causes. */
    faults,
    /** Indexes of all actions that will most likely fail. */
    failing,
    /** The number of failing actions in words; undefined if none fails. */
    text: failingText(failing.size, isUndone ? all.length : checked.length, all.length),
  }
}
