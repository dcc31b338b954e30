/* A column stores a word of these v3 enumerations as its index in the list. Only append to a list: stored rows contain the indexes. */

export const ACCOUNT_STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const
export const DESCR_TYPES = ['ord', 'storage', 'tick_tock', 'split_prepare', 'split_install', 'merge_prepare', 'merge_install'] as const
export const SKIP_REASONS = ['no_state', 'bad_state', 'no_gas', 'suspended'] as const
export const STATUS_CHANGES = ['unchanged', 'frozen', 'deleted'] as const
export const BOUNCE_TYPES = ['negfunds', 'nofunds', 'ok'] as const
/**
 * `pending`: a message of the trace has not arrived yet. `complete`: all messages have arrived. `broken`: the transaction that sent the first message is
 * not indexed.
 */
export const TRACE_STATES = ['pending', 'complete', 'broken'] as const

export const DIRECTION_IN = 0
export const DIRECTION_OUT = 1
export const TRACE_PENDING = 0
export const TRACE_COMPLETE = 1
export const TRACE_BROKEN = 2
export const VALIDATOR_EVENTS = ['stake_accepted', 'stake_rejected', 'stake_recovered', 'recover_requested', 'recover_failed'] as const
export const SALE_KINDS = ['getgems_sale', 'getgems_auction', 'telemint'] as const

export const SALE_FIXED = 0
export const SALE_AUCTION = 1
export const SALE_TELEMINT = 2
export const NOMINATOR_EVENTS = ['reward', 'pending_deposit_activation', 'deposit', 'withdrawal', 'withdrawal_request'] as const
export const POOL_VALIDATOR_EVENTS = ['reward', 'penalty', 'deposit', 'withdrawal'] as const
export const MULTISIG_ROLES = ['signer', 'proposer', 'order_signer'] as const

/** A trace without a stored state is `unclassified`. */
export const CLASSIFICATION_STATES = ['ok', 'failed', 'broken'] as const
