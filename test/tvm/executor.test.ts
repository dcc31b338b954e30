import { describe, expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { dictFromEntries } from '../../server/cell/dict.ts'
import { storeAddressInt } from '../../server/tlb/address.ts'
import { storeWhole, withConfigParam } from '../../server/tlb/config/config-dictionary.ts'
import { sizeLimits } from '../../server/tlb/config/limits.ts'
import { storeAccount } from '../../server/tlb/state/account.ts'
import { stateInitCell } from '../../server/tlb/state/state-init.ts'
import type { OrdinaryDescr } from '../../server/tlb/transaction/transaction-descr.ts'
import { unpackConfig } from '../../server/tvm/executor/config.ts'
import { ExecutorError } from '../../server/tvm/executor/error.ts'
import { type Executed, executeTransaction, type TransactionRequest } from '../../server/tvm/executor/execute.ts'
import { validActionNode, validCurrencies, validStateInit } from '../../server/tvm/executor/validate-messages.ts'
import { blockOfCell, forgetCode } from '../../server/tvm/machine/code-cache.ts'
import { fullDict } from '../kit/hostile-cells.ts'
import { chain, std } from './oracle/cells.ts'
import { configOf } from './oracle/configs.ts'
import '../kit/tvm/curves.ts'

/* Rules that no oracle at hand has: written out by hand from transaction.cpp. Everything else is compared with the oracles (fixtures.test.ts). */

const SENDER = std(0, new Uint8Array(32).fill(7))
const OTHER = std(0, new Uint8Array(32).fill(9))
const NOW = 1_790_000_000
const VALUE = 1_000_000_000n
/** ACCEPT; takes data and actions from the references of c4. */
const CODE = beginCell().storeBytes(Buffer.from('f800ed44d0d4d430ed55ed54', 'hex')).end()

/** action_send_msg of an internal message with a body in a reference. */
const send = (value: bigint, mode: number, body: Cell): ((list: Cell) => Cell) => {
  const b = storeAddressInt(storeAddressInt(beginCell().storeUint(4, 4), undefined), OTHER)
    .storeCoins(value)
    .storeBit(0)
  const message = b.storeCoins(0n).storeCoins(0n).storeUint(0, 96).storeBit(0).storeBit(1).storeRef(body).end()
  return (list) => beginCell().storeRef(list).storeUint(0x0ec3c86d, 32).storeUint(mode, 8).storeRef(message).end()
}

const listOf = (...actions: readonly ((list: Cell) => Cell)[]): Cell => actions.reduce((list, action) => action(list), EMPTY_CELL)

const requestOf = (config: Cell, actions: Cell, extraFlags = 0n, workchain = 0, library?: Cell): TransactionRequest => {
  const init = { code: CODE, data: beginCell().storeRef(EMPTY_CELL).storeRef(actions).end(), library }
  const address = std(workchain, stateInitCell(init).hash())
  const info = storeAddressInt(storeAddressInt(beginCell().storeUint(6, 4), SENDER), address)
    .storeCoins(VALUE)
    .storeBit(0)
  const message = info.storeCoins(extraFlags).storeCoins(0n).storeUint(5, 64).storeUint(NOW, 32).storeUint(0, 2).end()
  const account = storeAccount({
    addr: address,
    storageStat: { usedCells: 5n, usedBits: 300n, lastPaid: NOW },
    lastTransLt: 10n,
    balance: { grams: 5n * VALUE },
    state: { type: 'active', init },
  })
  return {
    kind: 'message',
    config,
    account: { workchain, hash: stateInitCell(init).hash() },
    shardAccount: { accountCell: account, lastTransHash: new Uint8Array(32), lastTransLt: 5n },
    message,
    lt: 1_000_000n,
    now: NOW,
    blockSeed: new Uint8Array(32).fill(1),
  }
}

const run = (config: Cell, actions: Cell): Executed & { readonly description: OrdinaryDescr } => {
  const done = executeTransaction(requestOf(config, actions))
  if (!done.accepted || done.description.type !== 'ordinary') throw new Error('no ordinary transaction')
  return done as Executed & { readonly description: OrdinaryDescr }
}

/** Parameter 43 in its third form, which bounds all messages of a transaction together. */
const withTotals = (version: number, cells: number, bits: number): Cell => {
  const limits = {
    ...{ maxMsgBits: 2_097_152, maxMsgCells: 8192, maxLibraryCells: 200, maxVmDataDepth: 512, maxExtMsgSize: 65_535, maxExtMsgDepth: 512 },
    ...{ maxAccStateCells: 65_536, maxMcAccStateCells: 2048, maxAccPublicLibraries: 256, deferOutQueueSizeLimit: 256 },
    ...{ maxMsgExtraCurrencies: 2, maxAccFixedPrefixLength: 8, accStateCellsForStorageDict: 26 },
    ...{ maxTotalMsgBits: bits, maxTotalMsgCells: cells },
  }
  return withConfigParam(configOf(version, 'usual'), 43, storeWhole(sizeLimits, limits))
}

describe('all messages of a transaction together', () => {
  const two = listOf(send(1000n, 1, chain(3)), send(1000n, 1, chain(3)))

  it('all messages of a transaction together have a limit of cells from version 15 on: error 47 at the first one beyond it', () => {
    expect(run(withTotals(15, 8, 100_000), two).description.action).toMatchObject({ success: true, msgsCreated: 2 })
    expect(run(withTotals(15, 7, 100_000), two).description.action).toMatchObject({ success: false, resultCode: 47, resultArg: 1 })
    expect(run(withTotals(14, 7, 100_000), two).description.action).toMatchObject({ success: true, msgsCreated: 2 })
  })

  it('all messages of a transaction together have a limit of bits, and mode 2 skips the first one beyond it', () => {
    const skipping = listOf(send(1000n, 1, chain(3)), send(1000n, 3, chain(3)))
    expect(run(withTotals(15, 100, 1200), skipping).description.action).toMatchObject({ success: true, msgsCreated: 1, skippedActions: 1 })
  })
})

describe('a failing action phase', () => {
  // The second message asks for more than there is.
  const failing = listOf(send(1000n, 1, chain(4)), send(90n * VALUE, 17, chain(2)))
  /** A quarter of the price of a cell. */
  const PER_CELL = (436_906_667n >> 16n) / 4n

  it('a failing action phase costs the fine of the message that failed, and from version 15 on of those that had succeeded', () => {
    expect(run(configOf(14, 'usual'), failing).description.action).toMatchObject({ resultCode: 37, totalActionFees: 2n * PER_CELL })
    expect(run(configOf(15, 'usual'), failing).description.action).toMatchObject({ resultCode: 37, totalActionFees: 6n * PER_CELL })
  })

  it('a failing action phase bounces the whole message from version 14 on, even if an action had sent its value away', () => {
    const spent = listOf(send(0n, 64, chain(1)), send(90n * VALUE, 17, chain(2)))
    expect(run(configOf(13, 'usual'), spent).description.bounce).toMatchObject({ type: 'nofunds' })
    expect(run(configOf(14, 'usual'), spent).description.bounce).toMatchObject({ type: 'ok' })
  })
})

describe('dictionaries in messages and actions', () => {
  const dictOf = (n: number, count: number, value: Cell): Cell =>
    dictFromEntries(
      n,
      Array.from({ length: count }, (_, i) => [BigInt(i), beginCell().storeSlice(value.slice())] as const),
    )!
  const currencies = (count: number): Builder =>
    beginCell()
      .storeCoins(1n)
      .storeMaybeRef(dictOf(32, count, beginCell().storeVarUint(1n, 5).end()))

  it.each<[string, (count: number) => boolean]>([
    ['extra currencies', (count) => validCurrencies(currencies(count).end().slice())],
    [
      'libraries of a StateInit',
      (count) => validStateInit(stateInitCell({ library: dictOf(256, count, beginCell().storeBit(1).storeRef(EMPTY_CELL).end()) })),
    ],
    [
      'extra currencies to reserve',
      (count) =>
        validActionNode(beginCell().storeRef(EMPTY_CELL).storeUint(0x36e6b809, 32).storeUint(0, 8).storeBuilder(currencies(count)).end()),
    ],
  ])('of %s 512 are valid and 513 are not, because a node checks 1,024 cells', (_, isValid) => {
    expect(isValid(512)).toBe(true)
    expect(isValid(513)).toBe(false)
  })
})

describe('what cannot be a transaction', () => {
  const good = requestOf(configOf(15, 'usual'), EMPTY_CELL)
  const kindOf = (request: TransactionRequest): string => {
    try {
      executeTransaction(request)
      return 'made'
    } catch (error) {
      return error instanceof ExecutorError ? error.kind : String(error)
    }
  }

  it('impossible transactions are refused by kind: an invalid message, a wrong or missing account, a time before the last payment', () => {
    expect(kindOf(good)).toBe('made')
    expect(kindOf({ ...good, message: EMPTY_CELL })).toBe('message')
    expect(kindOf({ ...good, message: beginCell().storeUint(3, 2).end() })).toBe('message')
    expect(kindOf({ ...good, message: undefined })).toBe('message')
    expect(kindOf({ ...good, account: { workchain: 0, hash: new Uint8Array(32) } })).toBe('account')
    expect(kindOf({ ...good, shardAccount: { ...good.shardAccount, accountCell: EMPTY_CELL } })).toBe('account')
    expect(kindOf({ ...good, now: NOW - 1 })).toBe('transaction')
  })

  it('a masterchain account with more libraries than an account can have, or 2^256 in a few cells, cannot publish one', () => {
    const value = beginCell().storeBit(1).storeRef(EMPTY_CELL).end()
    // action_change_library#26fa1dd4 mode:(## 7) libref_ref$1
    const publish = listOf((list) => beginCell().storeRef(list).storeUint(0x26fa1dd4, 32).storeUint(2, 7).storeBit(1).storeRef(CODE).end())
    const outcome = (levels: number): string => kindOf(requestOf(configOf(14, 'usual'), publish, 0n, -1, fullDict(256, { value }, levels)))
    // Of these, the new one alone is under its hash.
    expect(outcome(16)).toBe('made')
    expect(outcome(17)).toBe('transaction')
    expect(outcome(256)).toBe('transaction')
  })

  it('a configuration without prices, or one that is no dictionary, is refused', () => {
    const broken = (root: Cell): string => {
      try {
        unpackConfig(root)
        return 'read'
      } catch (error) {
        return error instanceof ExecutorError ? error.kind : String(error)
      }
    }
    expect(broken(withConfigParam(configOf(15, 'usual'), 21, undefined))).toBe('config')
    expect(broken(beginCell().storeUint(1, 5).end())).toBe('config')
  })

  it('a configuration that equals an earlier one is read from its own cells, because those of a closed chain cannot be read any more', () => {
    const root = configOf(15, 'usual')
    const copy = parseBocRoot(serializeBoc(root))
    expect(copy).not.toBe(root)
    expect(unpackConfig(root)).toMatchObject({ root, version: 15 })
    expect(unpackConfig(copy)).toMatchObject({ version: 15 })
    expect(unpackConfig(copy).root).toBe(copy)
  })

  it('code of a closed chain is forgotten, because its cells cannot be read any more', () => {
    const blocks = [CODE, parseBocRoot(serializeBoc(CODE))].map((code) => blockOfCell(code, code.slice(), 15))
    expect(blocks[0]).toBe(blocks[1])
    forgetCode()
    expect(blockOfCell(CODE, CODE.slice(), 15)).not.toBe(blocks[0])
  })
})
