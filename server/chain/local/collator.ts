import { createPauses, type Pause } from '../../base/yield.ts'
import { type AccountId, MASTERCHAIN } from '../../tlb/ids.ts'
import { loadMessageInfo } from '../../tlb/message/message-info.ts'
import { makeTransaction } from '../../tvm/make-transaction.ts'
import { commitTo, createKeep } from './collate/accounts/block-accounts.ts'
import { openContext } from './collate/block-context.ts'
import { createLimitStatus } from './collate/limits.ts'
import { collateMaster } from './collate/master/master.ts'
import { viewMaster } from './collate/master/master-view.ts'
import { openWork, type WorkTools } from './collate/open-work.ts'
import type { ExternalOutcome } from './collate/phases/external.ts'
import { holdMessages, std } from './collate/queue.ts'
import { refusalText } from './collate/run/refusal.ts'
import { type BlockInput, collateShard } from './collate/shard.ts'
import { createConfigCache } from './config/view.ts'
import { laterLt } from './hash-keys.ts'
import type { Collator, CollatorDeps, StepInput } from './model.ts'
import { createValidator } from './validator.ts'

/* Selects the input for one workchain. `positions`: indexes of the selected external messages in the whole input. */
const inputFor = (input: StepInput, workchain: number): BlockInput & { readonly positions: readonly number[] } => {
  const positions: number[] = []
  const externals = input.externals.filter(({ dest }, i) => dest.workchain === workchain && positions.push(i) > 0)
  return {
    externals,
    positions,
    internals: input.internals.filter(({ to }) => to.workchain === workchain),
    accounts: input.accounts.filter(({ account }) => account.workchain === workchain),
    sends: (input.sends ?? []).filter(({ from }) => from.workchain === workchain),
  }
}

/** The accounts that an input names. */
export const namedBy = ({ externals, internals, accounts, sends = [] }: StepInput): readonly AccountId[] => [
  ...externals.map(({ dest }) => dest),
  ...internals.map(({ to }) => to),
  ...accounts.map(({ account }) => account),
  ...sends.flatMap(({ from, to }) => [from, to]),
]

const checkWorkchains = (input: StepInput): void => {
  for (const { workchain } of namedBy(input)) {
    if (workchain !== 0 && workchain !== MASTERCHAIN) throw new RangeError(`workchain ${workchain} does not exist`)
  }
}

const SLICE_MS = 3

/** Yields during work on a block. Each call first throws if the signal is aborted, even if no yield is due. */
const createPause = (signal: AbortSignal): Pause => {
  const pause = createPauses(SLICE_MS, signal)
  return () => {
    signal.throwIfAborted()
    return pause()
  }
}

export const createCollator = (deps: CollatorDeps): Collator => {
  const validator = createValidator(deps.validatorSeed)
  const { make = makeTransaction, tryOut = make, libraries = (root) => root } = deps
  const readConfig = createConfigCache()
  const keep = createKeep()
  const tools = (signal: AbortSignal): WorkTools => ({
    make,
    validator,
    keep,
    pause: createPause(signal),
    libraries,
    signal,
  })

  return {
    async step(tip, input, signal) {
      signal.throwIfAborted()
      checkWorkchains(input)
      const toShard = inputFor(input, 0)
      const toMaster = inputFor(input, MASTERCHAIN)
      const view = viewMaster(tip, readConfig)
      const shard = await collateShard(tools(signal), tip, view, toShard, input.utime)
      const master = await collateMaster(tools(signal), tip, view, shard.made, { ...toMaster, config: input.config })

      const refused: { index: number; error: string; exitCode?: number }[] = []
      const postponed: number[] = []
      const sort = (positions: readonly number[], outcomes: readonly ExternalOutcome[]): void => {
        outcomes.forEach((outcome, i) => {
          const index = positions[i]!
          if (outcome.type === 'postponed') postponed.push(index)
          if (outcome.type === 'refused') refused.push({ index, ...outcome.refusal })
        })
      }
      sort(toShard.positions, shard.externals)
      sort(toMaster.positions, master.externals)
      const end = ({ made }: typeof shard) => ({ id: made.id, state: made.state, endLt: made.info.endLt, utime: made.info.genUtime })
      return {
        shard: shard.made,
        master: master.made,
        signatures: validator.sign(master.made.id, master.made.info.genCatchainSeqno),
        tip: {
          master: end(master),
          shard: end(shard),
          keyBlockSeqno: master.made.info.keyBlock ? master.made.id.seqno : tip.keyBlockSeqno,
        },
        sent: [...shard.sent, ...master.sent],
        printed: [...shard.printed, ...master.printed],
        refused: refused.sort((a, b) => a.index - b.index),
        postponed: postponed.sort((a, b) => a - b),
        pending: holdMessages(shard, master),
      }
    },

    async check(tip, message, utime, signal, earlier = []) {
      signal.throwIfAborted()
      const info = loadMessageInfo(message.slice())
      if (info.type !== 'external-in') return { ok: false, error: 'external message must begin with ext_in_msg_info$10' }
      const dest = std(info.dest)
      const view = viewMaster(tip, readConfig)
      const end = dest.workchain === MASTERCHAIN ? tip.master : tip.shard
      const context = openContext({
        end,
        master: view.ref,
        config: view.config,
        now: Math.max(utime, end.utime),
        afterLt: laterLt(end.endLt, view.ref.endLt),
      })
      const limits = createLimitStatus(view.config.shardLimits, context.startLt)
      const { blockAccounts, transactions } = openWork({ ...tools(signal), make: tryOut }, context, view, limits)
      const blockAccount = blockAccounts.get(dest.hash)
      for (const each of earlier) {
        const made = await transactions.ofMessage(blockAccount, each.message, 0n)
        if (made.ok) commitTo(blockAccount, { root: made.transaction, lt: made.lt, endLt: made.endLt }, made.shardAccount)
      }
      const outcome = await transactions.tryMessage(blockAccount, message)
      if (outcome.ok) return { ok: true }
      return { ok: false, ...refusalText(dest, outcome, { account: blockAccount.now.accountCell, message, now: context.now }) }
    },
  }
}
