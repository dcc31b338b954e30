import type { Call } from '../base/call.ts'
import { LIMITED } from '../dispatch/failure.ts'

/**
 * Charges one call for a request that does not reach dispatch, such as a malformed request or a document. Throws RATE_LIMITED if the caller's limit is used
 * up.
 */
export const chargeUndispatched = async ({ caller }: Pick<Call, 'caller'>): Promise<void> => {
  if (caller && !(await caller.take(1))) throw LIMITED
}
