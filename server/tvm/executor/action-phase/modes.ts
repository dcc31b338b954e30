/** An invalid action is skipped. */
export const SKIP_IF_INVALID = 2
/** If the action fails, the transaction bounces. */
export const BOUNCE = 16
