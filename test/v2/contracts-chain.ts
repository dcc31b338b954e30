import type { Cell as CoreCell } from '@ton/core'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import type { AccountState, Chain } from '../../server/chain/chain-port.ts'
import type { AccountId, BlockId } from '../../server/tlb/ids.ts'
import { loadAccount, storeAccount } from '../../server/tlb/state/account.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { sandboxConfig } from '../kit/chain/executor.ts'
import { own } from './cells.ts'
import { fakeChain, fakeConfig } from './fake-chain.ts'

/* A chain of contracts that a test names, their get-methods run by the real TVM; nothing else of it may be called. */

export interface Contract {
  readonly code?: CoreCell
  readonly data?: CoreCell
  readonly balance?: bigint
  readonly frozen?: Uint8Array
  readonly lastPaid?: number
  readonly lastTransLt?: bigint
}

export const NOW = 1_763_620_500
export const BLOCK: BlockId = {
  workchain: -1,
  shard: 1n << 63n,
  seqno: 101,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
}

const keyOf = (id: AccountId): string => `${id.workchain}:${Buffer.from(id.hash).toString('hex')}`

export const accountState = (id: AccountId, contract: Contract | undefined): AccountState => {
  const lastTransLt = contract?.lastTransLt ?? 0n
  const accountCell = storeAccount(
    contract && {
      addr: { type: 'std', workchain: id.workchain, hash: id.hash },
      storageStat: { usedCells: 10n, usedBits: 1000n, lastPaid: contract.lastPaid ?? NOW },
      lastTransLt,
      balance: { grams: contract.balance ?? 1_000_000_000n },
      state: contract.frozen
        ? { type: 'frozen', stateHash: contract.frozen }
        : contract.code
          ? { type: 'active', init: { code: own(contract.code), data: contract.data && own(contract.data) } }
          : { type: 'uninit' },
    },
  )
  const account = loadAccount(accountCell)
  const lastTransHash = new Uint8Array(32).fill(lastTransLt > 0n ? 9 : 0)
  return {
    id,
    block: BLOCK,
    shardBlock: { ...BLOCK, workchain: id.workchain },
    genUtime: NOW,
    genLt: 5_000_000n,
    account,
    lastTransLt,
    lastTransHash,
    balance: account?.balance ?? { grams: 0n },
    status: account?.state.type === 'active' ? 'active' : account?.state.type === 'frozen' ? 'frozen' : 'uninitialized',
    accountCell,
  }
}

const config = parseBocRoot(Buffer.from(sandboxConfig(), 'base64'))

export const contractsChain = (tvm: Tvm, contracts: Readonly<Record<string, Contract>>, more: Partial<Chain> = {}): Chain => {
  const byKey = new Map(Object.entries(contracts).map(([address, contract]) => [address.toLowerCase(), contract]))
  const account = async (id: AccountId): Promise<AccountState> => accountState(id, byKey.get(keyOf(id)))
  return fakeChain({
    account,
    config: async () => fakeConfig({ root: config }),
    async runGetMethod(id, methodId, stack, _at, signal) {
      const state = await account(id)
      const init = state.account?.state.type === 'active' ? state.account.state.init : undefined
      if (!init?.code) return { exitCode: -13, gasUsed: 0n, stack: [], state }
      const answer = await tvm.runGetMethod(
        {
          config,
          code: init.code,
          data: init.data ?? EMPTY_CELL,
          address: id,
          balance: state.balance.grams,
          methodId,
          stack,
          now: state.genUtime,
          randomSeed: new Uint8Array(32).fill(3),
          // Loops end soon enough; no real get-method here needs more.
          gasLimit: 1_000_000n,
        },
        signal,
      )
      return { exitCode: answer.exitCode, gasUsed: answer.gasUsed, stack: answer.stack, state }
    },
    ...more,
  })
}
