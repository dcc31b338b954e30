import { TonError } from '../../shared/errors.ts'
import { formatFriendly, formatRaw } from '../../shared/fields/address.ts'
import type { Registry } from '../../shared/registry.ts'
import type { Handlers } from '../base/call.ts'
import { parseAccountBocOr } from '../cell/boc.ts'
import { type Budget, MAX_ACCOUNT_CELLS, MAX_CHECKED_CELLS, MAX_MESSAGE_CELLS } from '../cell/budget.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { MINTER } from '../chain/local/local-chain.ts'
import { loadLibraries, parseStateInit } from '../tlb/state/state-init.ts'
import { CellCount } from '../tvm/executor/cell-count.ts'
import { MAX_MERKLE_DEPTH } from '../tvm/executor/import-external.ts'
import { createTraceHandler } from '../v2/run.ts'
import { delivered, inBlock, type LocalDeps, withTransaction } from './in-block.ts'
import { createSignTransfer } from './sign-transfer.ts'
import { createTokenHandlers } from './tokens.ts'
import { createTraceHandlers } from './trace.ts'

type LocalMethod = Extract<keyof Registry, `local.${string}`>

/** Throws INVALID_PARAMS with the name of the parameter and the reason. */
const cellOf = async (name: string, boc: Uint8Array, budget: Budget): Promise<Cell> => {
  const cell = await parseAccountBocOr(
    boc,
    (error) => new TonError('INVALID_PARAMS', `failed to parse ${name}: ${error.message}`, { cause: error }),
    budget,
  )
  if (cell.level !== 0) throw new TonError('INVALID_PARAMS', `${name} must have zero level: it has pruned branches outside of Merkle cells`)
  // A Merkle update of the state prunes under three of them at most. With more, blocks could be made but not read.
  if (new CellCount(MAX_ACCOUNT_CELLS, undefined).add(cell).merkleDepth > MAX_MERKLE_DEPTH)
    throw new TonError('INVALID_PARAMS', `${name} has more than ${MAX_MERKLE_DEPTH} Merkle cells inside each other`)
  return cell
}

/** Throws INVALID_PARAMS if a cell does not have the expected form. */
const checkForm = (read: () => unknown, refusal: (reason: string) => string): void => {
  try {
    read()
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new TonError('INVALID_PARAMS', refusal(error.message), { cause: error })
  }
}

/**
 * Refuses a cell that cannot be an account's libraries, or has more of them than a deployment. Without this check the call succeeds and the chain
 * fails later, when it publishes the libraries, or takes long: parameter 43 allows an account 256 of them, but a bag of a call has ten thousand.
 */
const checkLibraries = (root: Cell): void =>
  checkForm(
    () => loadLibraries(root, { cells: MAX_CHECKED_CELLS }),
    (reason) => `library is not the root of a Hashmap 256 SimpleLib: ${reason}`,
  )

const cellsOf = async <Name extends string>(
  bocs: { readonly [name in Name]?: Uint8Array | undefined },
  most = MAX_MESSAGE_CELLS,
): Promise<{ [name in Name]?: Cell }> => {
  const budget = { cells: most }
  const cells: { [name in Name]?: Cell } = {}
  for (const [name, boc] of Object.entries<Uint8Array | undefined>(bocs)) if (boc) cells[name as Name] = await cellOf(name, boc, budget)
  return cells
}

/** Cells of a message. A cell of the code alone often begins like a StateInit, so a StateInit must fill its cell. */
const messageCells = async (bocs: { readonly body?: Uint8Array | undefined; readonly init?: Uint8Array | undefined }) => {
  const cells = await cellsOf(bocs)
  const { init } = cells
  if (init)
    checkForm(
      () => parseStateInit(init),
      (reason) => `init is not a StateInit, but maybe its code alone (${reason}); storeStateInit of @ton/core writes one`,
    )
  return cells
}

/** Handlers that control the embedded chain. */
export const createLocalHandlers = (deps: LocalDeps): Pick<Handlers, LocalMethod> => {
  const { control, chain } = deps
  const trace = createTraceHandler(chain)
  // Every chain starts with automine on. Only `local.setAutomine` changes it.
  let isMining = true
  /** Makes a block at the time that was set, so that readers see it. While blocks wait for a call, the time does too, and `utime` is that of the next one. */
  const withBlock = async (utime: number, signal: AbortSignal): Promise<{ readonly utime: number }> => {
    if (!isMining || (await control.holdShardBlocks(undefined, signal)).hold) return { utime }
    const { info } = await chain.blockHeader(await control.mine(1, signal), signal)
    return { utime: info.genUtime }
  }
  return {
    ...createTokenHandlers(deps),
    ...createTraceHandlers(deps),
    'local.signTransfer': createSignTransfer(deps),

    async 'local.wallets'(_, { signal }) {
      const wallets = control.wallets().map(async ({ version, address, mnemonic, publicKey }) => ({
        version,
        address: formatFriendly(address, { bounceable: false }),
        raw_address: formatRaw(address, 'upper'),
        mnemonic: [...mnemonic],
        public_key: Buffer.from(publicKey).toString('hex'),
        balance: (await chain.account(address, undefined, signal)).balance.grams.toString(),
      }))
      return { wallets: await Promise.all(wallets) }
    },

    async 'local.fund'({ address, amount }, { signal }) {
      return delivered(chain, { from: MINTER, to: address, value: amount }, await control.fund(address, amount, signal), signal)
    },

    async 'local.mine'({ count }, { signal }) {
      return inBlock(await control.mine(count, signal))
    },

    async 'local.exportState'(_, { signal }) {
      await control.idleOrBusyTooLong(signal)
      return control.exportState(signal)
    },

    async 'local.setAutomine'({ automine = isMining }) {
      if (automine !== isMining) control.setAutomine(automine)
      isMining = automine
      return { automine }
    },

    'local.holdShardBlocks': ({ hold }, { signal }) => control.holdShardBlocks(hold, signal),

    async 'local.setTime'({ utime, still }, { signal }) {
      return withBlock(await control.setTime(utime, signal, still), signal)
    },

    async 'local.increaseTime'({ seconds }, { signal }) {
      return withBlock(await control.increaseTime(seconds, signal), signal)
    },

    async 'local.snapshot'(_, { signal }) {
      return { snapshot: await control.snapshot(signal) }
    },

    async 'local.revert'({ snapshot }, { signal }) {
      return inBlock(await control.revert(snapshot, signal))
    },

    async 'local.setAccount'({ address, balance, code, data, library, tick, tock }, { signal }) {
      const runs = tick !== undefined || tock !== undefined
      const given = await cellsOf({ code, data, library }, MAX_ACCOUNT_CELLS)
      if (given.library) checkLibraries(given.library)
      const state = {
        ...(balance !== undefined && { balance }),
        ...given,
        ...(runs && { tickTock: { tick: tick ?? false, tock: tock ?? false } }),
      }
      return inBlock(await control.setAccount(address, state, signal))
    },

    async 'local.setBalance'({ address, balance }, { signal }) {
      return inBlock(await control.setAccount(address, { balance }, signal))
    },

    async 'local.sendInternal'({ from, to, amount, value: given, body, init, bounce }, { signal }) {
      const value = (amount ?? given)!
      const block = await control.sendInternal({ from, to, value, bounce, ...(await messageCells({ body, init })) }, signal)
      return delivered(chain, { from, to, value }, block, signal)
    },

    async 'local.impersonate'({ from, to, amount, mode, bounce, body, init }, { signal }) {
      const { block, lt, hash } = await control.impersonate(
        { from, to, value: amount, mode, bounce, ...(await messageCells({ body, init })) },
        signal,
      )
      return withTransaction(block, lt, hash)
    },

    'local.traceTransaction': (params, call) => trace(params, call),

    async 'local.setConfig'({ params }, { signal }) {
      // On another chain a parameter comes in a message.
      const budget = { cells: MAX_MESSAGE_CELLS }
      const cellsById = new Map<number, Cell | undefined>()
      for (const [id, boc] of params) cellsById.set(id, boc && (await cellOf(`params.${id}`, boc, budget)))
      return inBlock(await control.setConfig(cellsById, signal))
    },
  }
}
