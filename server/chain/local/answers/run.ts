import { runSteps } from '../../../base/yield.ts'
import { parseBocRootOr } from '../../../cell/boc.ts'
import { MAX_ACCOUNT_CELLS } from '../../../cell/budget.ts'
import { beginCell } from '../../../cell/builder.ts'
import { type Cell, CellError, EMPTY_CELL } from '../../../cell/cell.ts'
import { dictGet } from '../../../cell/dict.ts'
import { storeAddressInt } from '../../../tlb/address.ts'
import { hashToBig } from '../../../tlb/bytes.ts'
import { storeExtraCurrencies } from '../../../tlb/currency.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../tlb/ids.ts'
import { type Account, loadAccount } from '../../../tlb/state/account.ts'
import { loadLibDescr } from '../../../tlb/state/lib-descr.ts'
import { loadShardState } from '../../../tlb/state/shard-state.ts'
import { loadVmStackSteps, storeVmStackSteps, storeVmStackValue, type VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { CONTRACT_INFO_MAGIC } from '../../../tvm/executor/c7.ts'
import { TvmError } from '../../../tvm/tvm.ts'
import { runWithLibraries } from '../../libraries.ts'
import type { LiteAnswer, LiteArgs } from '../../liteserver.ts'
import { prevBlocksInfo } from '../../prev-blocks.ts'
import type { Library } from '../../proofs/libraries.ts'
import { type FoundAccount, findAccount } from './accounts.ts'
import { type Answers, type AnswersDeps, type BlockAndState, masterBlockAndState, refuse } from './find-or-refuse.ts'
import { boc, bocInTurns, prove, proveInTurns, readAllSteps } from './prove.ts'
import { readMasterState } from './read-with-references.ts'

/** Mode bits of runSmcMethod. fullC7 has no effect: the c7 in the answer never includes the configuration. */
const MODE = { proofs: 1, stateProof: 2, result: 4, c7: 8, libExtras: 16, fullC7: 32 } as const
/** Gas limit of a get-method on TON's lite-server (client_method_gas_limit). */
const GAS_LIMIT = 300_000n
const MAX_PARAMS = 65_536
/**
 * Maximum number of values in the arguments, including values in tuples. TON's lite-server reads fewer (FakeVmStateLimits). Three kilobytes can be a hundred
 * thousand values, and hundreds of queries can wait for a thread with theirs.
 */
const MAX_ARGUMENTS = 1_000
/** Exit code for an account without code. */
const NO_CODE = -0x100

/** The root of VmStack; undefined for an empty stack. */
const parseParams = (params: Uint8Array): Cell | undefined => {
  if (params.length >= MAX_PARAMS) throw refuse('more than 64k parameter bytes passed')
  if (params.length === 0) return undefined
  return parseBocRootOr(params, (error) => refuse(`cannot deserialize parameter list boc: ${error.message}`), { cells: MAX_ACCOUNT_CELLS })
}

const stackOf = async (root: Cell | undefined, signal: AbortSignal): Promise<readonly VmStackValue[]> => {
  if (root === undefined) return []
  try {
    return await runSteps(loadVmStackSteps(root, MAX_ARGUMENTS), signal)
  } catch (error) {
    if (error instanceof CellError) throw refuse(`the stack cannot be read: ${error.message}`)
    throw error
  }
}

const librariesOf = (master: BlockAndState) => {
  const { libraries } = loadShardState(master.state)
  return async (hashes: readonly Uint8Array[]): Promise<readonly Library[]> =>
    hashes.flatMap((hash) => {
      const value = dictGet(libraries, 256, hashToBig(hash))
      return value === undefined ? [] : [{ hash, code: loadLibDescr(value).lib }]
    })
}

/** The SmartContractInfo tuple in answers of runSmcMethod, without the configuration. */
const c7Of = (account: Account, found: FoundAccount, seed: Uint8Array): Uint8Array => {
  const int = (value: bigint | number): VmStackValue => ({ type: 'int', value: BigInt(value) })
  const other = storeExtraCurrencies(beginCell(), account.balance.other).end()
  const info: VmStackValue[] = [
    int(CONTRACT_INFO_MAGIC),
    int(0),
    int(0),
    int(found.genUtime),
    int(found.genLt),
    int(found.genLt),
    int(hashToBig(seed)),
    { type: 'tuple', items: [int(account.balance.grams), other.refCount > 0 ? { type: 'cell', cell: other.ref(0) } : { type: 'null' }] },
    { type: 'slice', cell: storeAddressInt(beginCell(), account.addr).end() },
    { type: 'null' },
  ]
  return boc(storeVmStackValue(beginCell(), { type: 'tuple', items: [{ type: 'tuple', items: info }] }).end())
}

export const runAnswers = ({ store, tvm }: AnswersDeps): Answers<'runSmcMethod'> => {
  /* If the reference is a shard block, the configuration comes from the masterchain block that the shard block refers to. */
  const masterFor = async ({ master, reference }: FoundAccount): Promise<BlockAndState> => {
    if (master !== undefined) return master
    const state = await store.state(reference)
    const ref = state && loadShardState(state).masterRef
    if (ref === undefined) throw refuse('masterchain ref block is not available')
    return masterBlockAndState(store, { workchain: MASTERCHAIN, shard: WHOLE_SHARD, ...ref })
  }

  /** `params`: root of VmStack. */
  const run = async (
    args: LiteArgs<'runSmcMethod'>,
    params: Cell | undefined,
    found: FoundAccount,
    account: Account,
    signal: AbortSignal,
  ) => {
    const { state } = account
    if (state.type !== 'active' || state.init.code === undefined) return undefined
    const master = await masterFor(found)
    const extra = readMasterState(master.state)
    const request = {
      config: extra.config.config,
      code: state.init.code,
      data: state.init.data ?? EMPTY_CELL,
      address: args.account,
      balance: account.balance.grams,
      extraCurrencies: account.balance.other,
      methodId: args.methodId,
      stack: await stackOf(params, signal),
      now: found.genUtime,
      randomSeed: found.shardBlock.rootHash,
      gasLimit: GAS_LIMIT,
      prevBlocksInfo: prevBlocksInfo(master.block.id, extra),
    }
    try {
      return await runWithLibraries(tvm, request, state.init.library, librariesOf(master), signal)
    } catch (error) {
      if (error instanceof TvmError && error.kind === 'rejected') throw refuse(error.message)
      throw error
    }
  }

  return {
    async runSmcMethod(args, signal) {
      const { mode } = args
      if (mode & ~0x3f) throw refuse('unsupported mode in runSmcMethod')
      const params = parseParams(args.params)
      const found = await findAccount(store, args.id, args.account)
      const account = found.account && loadAccount(found.account)
      const head = { mode, id: found.reference, shardBlock: found.shardBlock }
      const proofs = mode & MODE.proofs ? { shardProof: found.shardProof, proof: found.proof } : {}
      const result = account && (await run(args, params, found, account, signal))
      // The TVM does not record which cells of the account it reads, so the proof includes the complete account.
      const proveAccount = async (cell: Cell): Promise<Uint8Array> =>
        result === undefined ? boc(prove(cell, loadAccount).proof) : proveInTurns(cell, readAllSteps, signal)
      const stateProof = mode & MODE.stateProof && found.account !== undefined ? { stateProof: await proveAccount(found.account) } : {}
      if (account === undefined || result === undefined) return { ...head, ...proofs, ...stateProof, exitCode: NO_CODE }
      return {
        ...head,
        ...proofs,
        ...stateProof,
        ...(mode & MODE.c7 ? { initC7: c7Of(account, found, found.shardBlock.rootHash) } : {}),
        ...(mode & MODE.libExtras ? { libExtras: new Uint8Array(0) } : {}),
        exitCode: result.exitCode,
        ...(mode & MODE.result ? { result: await bocInTurns(await runSteps(storeVmStackSteps(result.stack), signal), signal) } : {}),
      } satisfies LiteAnswer<'runSmcMethod'>
    },
  }
}
