import { TonError } from '../../../shared/errors.ts'
import type { accounts } from '../../../shared/v4/accounts.ts'
import type { AnswerHandlers } from '../../base/answer.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { AccountState } from '../../chain/chain-port.ts'
import { readableExtra } from '../../tlb/currency.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { loadVmStack, storeVmStack, type VmStackValue } from '../../tlb/vm-stack/vm-stack.ts'
import { createBudget, MAX_ENTRIES } from '../stack/budget.ts'
import { base64, bocInTurns } from '../wire.ts'
import { blockId, masterAt, type V4Reads } from './at-block.ts'

const hashOf = (cell: Cell | undefined): string => (cell === undefined ? '' : base64(cell.hash()))

const stateOf = <T>({ account }: AccountState, active: (code: Cell | undefined, data: Cell | undefined) => T) => {
  const state = account?.state
  if (state?.type === 'frozen') return { type: 'frozen', stateHash: base64(state.stateHash) } as const
  return state?.type === 'active'
    ? ({ type: 'active', ...active(state.init.code, state.init.data) } as const)
    : ({ type: 'uninit' } as const)
}

const fieldsOf = ({ account, balance, lastTransLt, lastTransHash }: AccountState) => ({
  balance: {
    coins: balance.grams.toString(),
    currencies: Object.fromEntries([...(readableExtra(balance) ?? [])].map(([id, amount]) => [id, amount.toString()])),
  },
  last: lastTransLt === 0n ? null : { lt: lastTransLt.toString(), hash: base64(lastTransHash) },
  storageStat: account
    ? {
        lastPaid: account.storageStat.lastPaid,
        duePayment: account.storageStat.duePayment?.toString() ?? null,
        used: { bits: Number(account.storageStat.usedBits), cells: Number(account.storageStat.usedCells) },
      }
    : null,
})

const argumentsOf = (args: Uint8Array | undefined): readonly VmStackValue[] => {
  if (args === undefined || args.length === 0) return []
  try {
    return loadVmStack(parseBocRoot(args), MAX_ENTRIES)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    const message = `args is not a VmStack in a BoC: ${error.message}`
    throw new TonError('INVALID_PARAMS', message, { cause: error, issues: [{ param: 'args', message }] })
  }
}

const resultOf = async (stack: readonly VmStackValue[], signal: AbortSignal): Promise<string> => {
  const budget = createBudget()
  const count = (value: VmStackValue): void => {
    budget.entry()
    if (value.type === 'tuple') value.items.forEach(count)
  }
  try {
    stack.forEach(count)
    return await bocInTurns(storeVmStack(stack), signal)
  } catch (error) {
    if (error instanceof CellError) throw new TonError('STACK_TOO_DEEP', `the result is no VmStack: ${error.message}`, { cause: error })
    throw error
  }
}

export const v4AccountHandlers = ({ chain, final }: V4Reads): AnswerHandlers<keyof typeof accounts> => {
  const read = async ({ address, seqno }: { readonly address: AccountId; readonly seqno: number }, signal: AbortSignal) =>
    chain.account(address, await masterAt(chain, seqno, signal), signal)
  return {
    async 'v4.getAccount'(params, { signal }) {
      const account = await read(params, signal)
      const cells = stateOf(account, (code, data) => ({ code, data }))
      const text = async (cell: Cell | undefined): Promise<string | null> => (cell ? await bocInTurns(cell, signal) : null)
      const state = cells.type === 'active' ? { ...cells, code: await text(cells.code), data: await text(cells.data) } : cells
      return final({ account: { state, ...fieldsOf(account) }, block: blockId(account.block) })
    },

    async 'v4.getAccountLite'(params, { signal }) {
      const account = await read(params, signal)
      const state = stateOf(account, (code, data) => ({ codeHash: hashOf(code), dataHash: hashOf(data) }))
      return final({ account: { state, ...fieldsOf(account) }, block: blockId(account.block) })
    },

    async 'v4.isAccountChanged'(params, { signal }) {
      const { lastTransLt, block } = await read(params, signal)
      return final({ changed: lastTransLt === 0n || lastTransLt > params.lt, block: blockId(block) })
    },

    async 'v4.runMethod'({ seqno, address, method, args }, call) {
      const stack = argumentsOf(args)
      const at = await masterAt(chain, seqno, call.signal)
      const ran = await chain.runGetMethod(address, method, stack, at, call.signal, { call })
      return final({
        exitCode: ran.exitCode,
        resultRaw: ran.state.status === 'active' ? await resultOf(ran.stack, call.signal) : null,
        block: blockId(ran.state.block),
        shardBlock: blockId(ran.state.shardBlock),
      })
    },
  }
}
