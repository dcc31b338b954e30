import type { Call } from '../base/call.ts'
import { takeUnits } from '../dispatch/charge.ts'
import { LIMITED } from '../dispatch/failure.ts'

/**
 * Charges one call for a request that does not reach dispatch, such as a malformed request or a document. Throws RATE_LIMITED if the caller's limit is used
 * up.
 */
export const chargeUndispatched = async (call: Pick<Call, 'caller'>): Promise<void> => {
  if (!(await takeUnits(call, 1))) throw LIMITED
}
