import type { Call } from '../base/call.ts'
import { LIMITED } from '../dispatch/failure.ts'

/** Charges the caller one call for a request that is not dispatched: a malformed one or a document. Throws RATE_LIMITED if the limit is used up. */
export const chargeUndispatched = async ({ caller }: Pick<Call, 'caller'>): Promise<void> => {
  if (caller && !(await caller.take(1))) throw LIMITED
}
