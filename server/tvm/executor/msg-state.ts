import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { type MsgAddressInt, stdAddress } from '../../tlb/address.ts'
import { loadStateInit } from '../../tlb/state/state-init.ts'
import { equalFrom } from './equal-bits.ts'
import { withinStateLimits } from './state-limits.ts'
import type { TransactionRun } from './transaction-run.ts'

type Skip = 'no_state' | 'bad_state' | 'suspended'

/** Effect of the message's StateInit: a reason to skip the compute phase, whether the StateInit is used, and the libraries in it. */
export interface MessageState {
  readonly skip: Skip | undefined
  readonly used: boolean
  readonly library: Cell | undefined
}

const skip = (reason: Skip): MessageState => ({ skip: reason, used: false, library: undefined })
const unused = (library: Cell | undefined): MessageState => ({ skip: undefined, used: false, library })

/** Sets code, data and flags from the message (`unpack_msg_state`). Returns false if the account must not use them. */
const takeState = (run: TransactionRun, init: Cell): boolean => {
  const { rules, limits } = run.config
  const state = loadStateInit(init.slice())
  run.fixedPrefixLength = state.splitDepth ?? 0
  if (state.special !== undefined) {
    run.tick = state.special.tick
    run.tock = state.special.tock
  }
  const deploys = run.status === 'uninit'
  // A deployment must not include libraries. Unfreezing may.
  if (rules.noPrivateLibraries && deploys && state.library !== undefined) return false
  const { code, data, library } = run
  run.code = state.code
  run.data = state.data
  run.library = state.library
  if (withinStateLimits(run, deploys && run.masterchain ? 0 : limits.maxAccPublicLibraries)) return true
  run.code = code
  run.data = data
  run.library = library
  return false
}

/** The address of an account with an anycast prefix of `depth` bits, before version 10. Its first bits come from the state hash (`recompute_tmp_addr`). */
const rewritten = (run: TransactionRun, depth: number, stateHash: Uint8Array): MsgAddressInt => {
  const { workchain, hash } = run.account.id
  if (depth === 0) return stdAddress(workchain, hash)
  const prefix = beginCell().storeBits(hash, depth).end().data()
  const data = beginCell()
    .storeBits(stateHash, depth)
    .storeBits(hash, 256 - depth, depth)
    .end()
    .data()
  return { type: 'var', workchain, bits: 256, data, anycast: { depth, prefix }, std: true }
}

/** Returns whether the StateInit belongs to the account: its hash equals the account id after the fixed prefix (`check_in_msg_state_hash`). */
const belongs = (run: TransactionRun, init: Cell): boolean => {
  const depth = run.fixedPrefixLength
  const hash = init.hash()
  if (!equalFrom(hash, run.account.id.hash, depth)) return false
  run.address = run.config.rules.noAnycast ? run.account.exactAddress : rewritten(run, depth, hash)
  return true
}

const activate = (run: TransactionRun, init: Cell): MessageState => {
  const { account, config } = run
  const { rules, limits } = config
  const deploys = run.status === 'uninit'
  if (deploys && config.isSuspended(account.id, run.now)) return skip('suspended')
  if (!takeState(run, init)) return skip('bad_state')
  const { rewriteLength } = account
  if (rewriteLength === undefined ? run.fixedPrefixLength > 30 : run.fixedPrefixLength !== rewriteLength) return skip('bad_state')
  if (deploys) {
    if (!belongs(run, init)) return skip('bad_state')
    if (rules.noAnycast && run.fixedPrefixLength > limits.maxAccFixedPrefixLength) return skip('bad_state')
  }
  return { skip: undefined, used: true, library: undefined }
}

/** Decides whether the compute phase runs and with which code (the first part of `prepare_compute_phase`). */
export const takeMessageState = (run: TransactionRun): MessageState => {
  const { account, message, status } = run
  const { rules } = run.config
  const init = message?.init
  const foreign = init !== undefined && message!.external && !equalFrom(init.hash(), account.id.hash)
  let state: MessageState
  if (init !== undefined && (status === 'uninit' || (status === 'frozen' && equalFrom(init.hash(), account.stateHash)))) {
    state = activate(run, init)
  } else if (status !== 'active') return skip(init === undefined ? 'no_state' : 'bad_state')
  else if (init === undefined) state = unused(undefined)
  else if (rules.externalUnfreeze && foreign) return skip('bad_state')
  else state = unused(loadStateInit(init.slice()).library)
  if (state.skip === undefined && !rules.externalUnfreeze && foreign) return skip('bad_state')
  return state
}
