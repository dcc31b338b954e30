/*
 * Changes of the machine by global version (config parameter 8). The instruction table has the versions of new instructions. The rules here
 * change existing instructions. Source: doc/GlobalVersions.md and crypto/vm of ton-blockchain/ton.
 */

/** The newest version that this machine supports. Higher versions run as this one. */
export const NEWEST_VERSION = 15
/** The oldest version with exact rules. Blocks of older versions run with the rules of this version, which are an approximation there. */
export const OLDEST_VERSION = 4

export const runVersion = (version: number): number => Math.min(Math.max(version, OLDEST_VERSION), NEWEST_VERSION)

/**
 * Value of `X-Tvm-Version` for a run under a configuration of `version`: the version whose rules the run used and, if it differs, the version of the network.
 * Below version 4 the rules of version 4 are an approximation.
 */
export const versionText = (version: number): string => {
  const used = runVersion(version)
  if (used === version) return String(used)
  return `${used}; network=${version}${version < used ? '; approximate' : ''}`
}

/** A library cell must not lead to a second library cell, and only the load of the first cell is charged. XLOAD resolves library cells. */
export const V_LIBRARY_ONCE = 5
/** GLOBALID and SENDMSG read the unpacked configuration in c7. */
export const V_UNPACKED_CONFIG = 6
/** Nested jumps cost gas from the ninth on, and each adjusts the stack. Code that is a library cell is resolved at the start. */
export const V_NESTED_JUMPS = 9
/** Stack underflow comes before other errors in prefix dictionaries, fee instructions and HASHEXT. */
export const V_EARLY_UNDERFLOW = 9
/** Anycast and addr_var addresses are refused; SENDMSG ignores extra currencies; RUNVM limits a child after the free gas. */
export const V_NO_ANYCAST = 10
export const V_RUNVM_LIMITS = 10
/** Messages have no IHR fee. */
export const V_NO_IHR = 11
/** SENDMSG counts extra_flags, which replace the IHR fee. */
export const V_EXTRA_FLAGS = 12
/** Quiet shifts, POW2, MUL..RSHIFT and LSHIFT..DIV return NaN for an invalid count or operand. AND and OR return NaN for NaN. */
export const V_QUIET_NAN = 13
/** Quiet RSHIFT..MOD returns NaN for an invalid count. Immediate shifts return NaN for NaN. */
export const V_SHIFT_NAN = 14
/** If a continuation already saves a register, saving it again does nothing. It is not an error. */
export const V_SAVE_SILENT = 14
/** Ristretto checks its points; ECRECOVER takes v 27 and 28; CHKSIGN refuses trivial keys; SENDMSG ignores the fees in the message. */
export const V_CRYPTO_CHECKS = 14
export const V_SENDMSG_FEES = 14
/** If the value is not a slice, STOPTSTDADDRQ returns it. Before, it returned null. */
export const V_STOPT_VALUE = 14
