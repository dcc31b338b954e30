import { NEWEST_VERSION } from '../versions.ts'

/*
 * Changes of transactions by global version (config parameter 8). Source: crypto/block/transaction.cpp of ton-blockchain/ton at ca7d6e45,
 * `FetchConfigParams::fetch_config_params` and the checks of `global_version` in the phases; doc/GlobalVersions.md of that
 * repository lists the versions.
 */

/** The first version of each rule. */
const SINCE = {
  /** Unpaid storage fees become due_payment. */
  keepsDuePayment: 4,
  /** A failed action costs a fine for the cells that the node visited. */
  finesActions: 4,
  /** Mode +16 of an action causes a bounce if the action fails. */
  bounceOnFailMode: 4,
  /** Special accounts may spend the whole special gas limit in ordinary transactions too. */
  specialGasFull: 5,
  /** `due_payment` is cleared when storage is paid in full. */
  clearsDuePayment: 7,
  /** An invalid message with mode +2 is skipped and counted in skipped_actions. */
  skipsInvalid: 8,
  /**
   * The account's seed is SHA256(block seed, address). Before version 8 the first 32 bits of the address are hashed twice, and its last 32 bits are left
   * out.
   */
  plainSeed: 8,
  /** An external message may thaw a frozen account. */
  externalUnfreeze: 8,
  /** The fwd_fee and ihr_fee in the contract's message are ignored. */
  ignoresOwnFees: 8,
  /** Mode +4 of a reserve adds the balance before the compute phase, without the message's value. */
  originalBalanceBeforeCompute: 9,
  /** Reserve +2 clamps extra currencies too. */
  clampsExtra: 9,
  /** New rules for extra currencies: they have limits, they do not count in sizes, and modes apply to nanograms only. */
  extraCurrencyV2: 10,
  /** No anycast addresses. */
  noAnycast: 10,
  /** All sent messages have ihr_disabled. */
  noIhr: 11,
  /** Accounts of the basechain store the hash of their storage dictionary. */
  storageDictHash: 11,
  /** The field of ihr_fee becomes extra_flags, and bounced messages have a new format. */
  extraFlags: 12,
  /** Masterchain accounts have their own limit of cells. */
  mcStateLimit: 12,
  /** A deletion in the storage phase sets `destroyed`. An account that is frozen to the hash of its own address becomes `uninit`. */
  exactEndStatus: 13,
  /** Mode +2 also skips a message with an invalid mode, invalid libraries or a foreign source. */
  skipsMore: 13,
  /** Extra currencies are not counted in the size of a bounced message. */
  bounceWithoutExtra: 13,
  /** A failed action phase restores the message's balance, so a bounce returns all of it. */
  restoresMessageBalance: 14,
  /** No private libraries; only special accounts change libraries; a deployment has no libraries. */
  noPrivateLibraries: 15,
  /** The fine of a failed action phase includes the messages that succeeded; all messages together have a size limit. */
  limitsAllMessages: 15,
}

type Rules = { readonly [R in keyof typeof SINCE]: boolean }
export type ExecutorRules = Rules & {
  /** The version of these rules: the configured one, at most NEWEST_VERSION. */
  readonly version: number
}

const make = (version: number): ExecutorRules => {
  const rules = Object.entries(SINCE).map(([rule, since]) => [rule, version >= since])
  return { ...(Object.fromEntries(rules) as Rules), version }
}

const RULES = Array.from({ length: NEWEST_VERSION + 1 }, (_, version) => make(version))

/** The rules of a configured version. Versions above NEWEST_VERSION have the rules of NEWEST_VERSION. */
export const rulesOf = (version: number): ExecutorRules => RULES[Math.min(version, NEWEST_VERSION)]!
