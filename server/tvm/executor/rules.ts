import { NEWEST_VERSION } from '../versions.ts'

/*
 * Changes of transactions by global version (config parameter 8). Source: crypto/block/transaction.cpp of ton-blockchain/ton at ca7d6e45,
 * `FetchConfigParams::fetch_config_params` and the checks of `global_version` in the phases; doc/GlobalVersions.md of that
 * repository lists the versions.
 */

export interface ExecutorRules {
  /** The version of these rules: the configured one, at most NEWEST_VERSION. */
  readonly version: number
  /** 4: unpaid storage fees become due_payment. */
  readonly keepsDuePayment: boolean
  /** 4: a failed action costs a fine for the cells that the node visited. */
  readonly finesActions: boolean
  /** 4: mode +16 of an action causes a bounce if the action fails. */
  readonly bounceOnFailMode: boolean
  /** 5: special accounts may spend the whole special gas limit in ordinary transactions too. */
  readonly specialGasFull: boolean
  /** 7: due_payment is cleared when storage is paid in full. */
  readonly clearsDuePayment: boolean
  /** 8: an invalid message with mode +2 is skipped and counted in skipped_actions. */
  readonly skipsInvalid: boolean
  /**
   * 8: the account's seed is SHA256(block seed, address). Before version 8 the first 32 bits of the address are hashed twice, and its last 32 bits are left
   * out.
   */
  readonly plainSeed: boolean
  /** 8: an external message may thaw a frozen account. */
  readonly externalUnfreeze: boolean
  /** 8: the fwd_fee and ihr_fee in the contract's message are ignored. */
  readonly ignoresOwnFees: boolean
  /** 9: mode +4 of a reserve adds the balance before the compute phase, without the message's value. */
  readonly originalBalanceBeforeCompute: boolean
  /** 9: reserve +2 clamps extra currencies too. */
  readonly clampsExtra: boolean
  /** 10: new rules for extra currencies: they have limits, they do not count in sizes, and modes apply to nanograms only. */
  readonly extraCurrencyV2: boolean
  /** 10: no anycast addresses. */
  readonly noAnycast: boolean
  /** 11: all sent messages have ihr_disabled. */
  readonly noIhr: boolean
  /** 11: accounts of the basechain store the hash of their storage dictionary. */
  readonly storageDictHash: boolean
  /** 12: the field of ihr_fee becomes extra_flags, and bounced messages have a new format. */
  readonly extraFlags: boolean
  /** 12: masterchain accounts have their own limit of cells. */
  readonly mcStateLimit: boolean
  /** 13: a deletion in the storage phase sets `destroyed`. An account that is frozen to the hash of its own address becomes `uninit`. */
  readonly exactEndStatus: boolean
  /** 13: mode +2 also skips a message with an invalid mode, invalid libraries or a foreign source. */
  readonly skipsMore: boolean
  /** 13: extra currencies are not counted in the size of a bounced message. */
  readonly bounceWithoutExtra: boolean
  /** 14: a failed action phase restores the message's balance, so a bounce returns all of it. */
  readonly restoresMessageBalance: boolean
  /** 15: no private libraries; only special accounts change libraries; a deployment has no libraries. */
  readonly noPrivateLibraries: boolean
  /** 15: the fine of a failed action phase includes the messages that succeeded; all messages together have a size limit. */
  readonly limitsAllMessages: boolean
}

const make = (version: number): ExecutorRules => ({
  version,
  keepsDuePayment: version >= 4,
  finesActions: version >= 4,
  bounceOnFailMode: version >= 4,
  specialGasFull: version >= 5,
  clearsDuePayment: version >= 7,
  skipsInvalid: version >= 8,
  plainSeed: version >= 8,
  externalUnfreeze: version >= 8,
  ignoresOwnFees: version >= 8,
  originalBalanceBeforeCompute: version >= 9,
  clampsExtra: version >= 9,
  extraCurrencyV2: version >= 10,
  noAnycast: version >= 10,
  noIhr: version >= 11,
  storageDictHash: version >= 11,
  extraFlags: version >= 12,
  mcStateLimit: version >= 12,
  exactEndStatus: version >= 13,
  skipsMore: version >= 13,
  bounceWithoutExtra: version >= 13,
  restoresMessageBalance: version >= 14,
  noPrivateLibraries: version >= 15,
  limitsAllMessages: version >= 15,
})

const RULES = Array.from({ length: NEWEST_VERSION + 1 }, (_, version) => make(version))

/** The rules of a configured version. Versions above NEWEST_VERSION have the rules of NEWEST_VERSION. */
export const rulesOf = (version: number): ExecutorRules => RULES[Math.min(version, NEWEST_VERSION)]!
