import type { Call } from '../base/call.ts'
import { LIMITED } from '../dispatch/failure.ts'

/** What cannot be read costs its caller as much as a call. Throws RATE_LIMITED where he has no more. */
export const chargeUnread = async ({ caller }: Pick<Call, 'caller'>): Promise<void> => {
  if (caller && !(await caller.take(1))) throw LIMITED
}
