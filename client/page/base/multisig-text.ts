import { tame } from './format.ts'

interface Signers {
  readonly threshold?: number | null
  readonly signers?: readonly string[] | null
}

/** `multisig 2 of 3`; only `multisig` if its signers are unknown. */
export const multisigText = ({ threshold, signers }: Signers): string =>
  threshold == null || signers == null ? 'multisig' : `multisig ${threshold} of ${signers.length}`

export const orderText = (seqno: string | null | undefined): string => `order ${tame(seqno ?? 'without a number', 20)}`

/** The number of signatures: `1 of 2 signatures`. */
export const signedText = (approvals: number | null | undefined, threshold: number | null | undefined): string =>
  `${approvals ?? 0} of ${threshold ?? '?'} signatures`

/** The number of checked actions that will most likely fail: `1 of 2 actions will most likely fail`; undefined for none. */
export const failingText = (failing: number, checked: number, all: number): string | undefined => {
  if (failing === 0) return undefined
  const which =
    checked < all
      ? `${failing} of the first ${checked} actions`
      : failing < all
        ? `${failing} of ${all} actions`
        : all === 1
          ? 'the action'
          : all === 2
            ? 'both actions'
            : `all ${all} actions`
  return `${which} will most likely fail`
}
