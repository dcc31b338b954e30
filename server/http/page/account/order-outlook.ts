import { failingText } from '../base/multisig-text.ts'
import { isSentInVain, type Jettons, type OrderAction } from './order-action.tsx'

/* Which actions of an order will most likely fail, as far as they are known. */

/** The outlook of an order whose first actions were looked at. */
export interface Outlook {
  /** Positions of the actions that will most likely fail. */
  readonly failing: ReadonlySet<number>
  /** In words, with how many they are; undefined if there is none. */
  readonly text: string | undefined
}

/** Looks at the first `most` actions of an order. `multisig`: raw address of the account that sends them. `jettons`: those of these actions. */
export const outlookOf = (
  { actions, multisig_address: multisig }: { readonly actions: readonly OrderAction[] | null; readonly multisig_address: string },
  jettons: Jettons,
  most = Number.POSITIVE_INFINITY,
): Outlook => {
  const all = actions ?? []
  const checked = all.slice(0, most)
  const failing = new Set(checked.flatMap((action, i) => (isSentInVain(action, multisig, jettons) ? [i] : [])))
  return { failing, text: failingText(failing.size, checked.length, all.length) }
}
