import { TonError } from '../../shared/errors.ts'
import { formatFriendly } from '../../shared/fields/address.ts'
import type { Handler } from '../base/call.ts'
import { runSteps } from '../base/yield.ts'
import { beginCell } from '../cell/builder.ts'
import { Cell } from '../cell/cell.ts'
import { attempt } from '../cell/error.ts'
import { Slice } from '../cell/slice.ts'
import { accountIdOf, loadAddressInt, stdAddress, storeAddressInt } from '../tlb/address.ts'
import { sameBytes } from '../tlb/bytes.ts'
import { type AccountId, sameAccount } from '../tlb/ids.ts'
import { parseStateInit, type StateInit, stateInitCell } from '../tlb/state/state-init.ts'
import type { Value } from '../tvm/machine/value.ts'
import { replaceAmount } from './amount-in-data.ts'
import { type Contract, createRunHere, type RunHere } from './get-methods-here.ts'
import { inBlock, type LocalDeps } from './in-block.ts'

/*
 * Sets the balance of a jetton wallet with any code and data layout. Each position in the data that may hold the balance is tried: the right one changes
 * the first result of get_wallet_data and no other result. An undeployed wallet gets the StateInit that get_wallet_address of its jetton hashes.
 */

/** Number of hashed cells, newest first, that are tried in pairs as code and data. */
const MAX_PAIRED = 16
const MAX_PREFIX = 31

/** Returns whether an address equals a hash except for the first `prefix` bits. A contract may choose these bits to select its shard (fixed_prefix_length). */
const isAddress = (address: Uint8Array, hash: Uint8Array, prefix: number): boolean => {
  const whole = prefix >>> 3
  if (!sameBytes(address.subarray(whole + 1), hash.subarray(whole + 1))) return false
  return ((address[whole]! ^ hash[whole]!) & (0xff >>> (prefix & 7))) === 0
}

/**
 * @internal Finds the StateInit whose hash is `address` among the cells that a get-method hashed to compute that address. `codes`: further candidates for
 * the code, because Tolk hashes a StateInit without its cell, so that `hashed` may lack the code cell. In steps, because a get-method can hash a hundred
 * thousand cells.
 */
export function* stateInitSteps(
  address: Uint8Array,
  hashed: readonly Cell[],
  codes: readonly Cell[],
): Generator<void, StateInit | undefined> {
  for (const cell of hashed) {
    yield
    const init = attempt(() => parseStateInit(cell))
    if (init?.code && init.data && isAddress(address, cell.hash(), init.splitDepth ?? 0)) return init
  }
  const newest = hashed.slice(-MAX_PAIRED)
  for (const code of [...codes, ...newest])
    for (const data of newest) {
      yield
      for (let splitDepth: number | undefined; (splitDepth ?? 0) <= MAX_PREFIX; splitDepth = (splitDepth ?? 0) + 1) {
        const init = { code, data, splitDepth }
        if (isAddress(address, stateInitCell(init).hash(), splitDepth ?? 0)) return init
      }
    }
  return undefined
}

/** Nanograms that a new wallet gets to pay for its storage. */
const FOR_STORAGE = 50_000_000n

const invalid = (text: string): TonError => new TonError('INVALID_PARAMS', text)

const isInteger = (value: Value | undefined): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

const addressIn = (value: Value | undefined): AccountId | undefined => {
  if (!(value instanceof Slice)) return undefined
  return attempt(() => {
    const address = loadAddressInt(value.clone())
    const hash = accountIdOf(address)
    return hash && { workchain: address.workchain, hash }
  })
}

const isSame = (a: Value | undefined, b: Value | undefined): boolean => {
  if (a instanceof Cell && b instanceof Cell) return a.equals(b)
  if (a instanceof Slice && b instanceof Slice) return a.asCell().equals(b.asCell())
  return isInteger(a) && isInteger(b) ? BigInt(a) === BigInt(b) : a === b
}

/** Results of a get-method whose first result is an amount: get_wallet_data and get_jetton_data. */
interface Amounts {
  readonly amount: bigint
  readonly rest: readonly Value[]
}

const readAmounts = async (run: RunHere, contract: Contract, method: string, values: number): Promise<Amounts | undefined> => {
  const { exitCode, stack } = await run(contract, method)
  const [amount, ...rest] = stack
  return exitCode > 1 || exitCode < 0 || stack.length < values || !isInteger(amount) ? undefined : { amount: BigInt(amount), rest }
}

/** Returns the data with a different amount, such that the get-method returns this amount and otherwise the same results as before. */
const withAmount = async (run: RunHere, contract: Contract, method: string, before: Amounts, amount: bigint): Promise<Cell | undefined> => {
  if (amount === before.amount) return contract.data
  return await replaceAmount(contract.data, before.amount, amount, async (data, expected) => {
    const now = await readAmounts(run, { ...contract, data }, method, before.rest.length + 1)
    return now?.amount === expected && now.rest.length === before.rest.length && now.rest.every((value, i) => isSame(value, before.rest[i]))
  })
}

export const createSetJettonBalance =
  ({ control, chain }: LocalDeps): Handler<'local.setJettonBalance'> =>
  async ({ jetton, owner, balance, supply }, { signal }) => {
    const run = await createRunHere(chain, signal)

    const contractAt = async (id: AccountId): Promise<{ readonly contract: Contract | undefined; readonly coins: bigint }> => {
      const { account, balance: all } = await chain.account(id, undefined, signal)
      const init = account?.state.type === 'active' ? account.state.init : undefined
      return { contract: init?.code && init.data && { id, code: init.code, data: init.data }, coins: all.grams }
    }

    const name = formatFriendly(jetton)
    const { contract: master } = await contractAt(jetton)
    const minted = master && (await readAmounts(run, master, 'get_jetton_data', 5))
    if (!master || !minted) throw new TonError('NOT_FOUND', `jetton ${name} has no get_jetton_data: it is no jetton master`)
    const ownerSlice = storeAddressInt(beginCell(), stdAddress(owner.workchain, owner.hash)).end().slice()
    const { stack, hashed } = await run(master, 'get_wallet_address', [ownerSlice])
    const id = addressIn(stack.at(-1))
    if (id === undefined) throw new TonError('NOT_FOUND', `jetton ${name} has no wallet address for the owner`)

    const walletCode = minted.rest.at(-1)
    const created = async (): Promise<Contract & { readonly splitDepth?: number | undefined }> => {
      const init = await runSteps(stateInitSteps(id.hash, hashed, walletCode instanceof Cell ? [walletCode] : []), signal)
      if (init?.code && init.data) return { id, code: init.code, data: init.data, splitDepth: init.splitDepth }
      throw invalid(`wallet ${formatFriendly(id)} is not deployed, and get_wallet_address of the jetton hashes no StateInit for it`)
    }
    const { contract: deployed, coins } = await contractAt(id)
    const wallet: Awaited<ReturnType<typeof created>> = deployed ?? (await created())
    const before = await readAmounts(run, wallet, 'get_wallet_data', 4)
    const [ofOwner, ofJetton] = [addressIn(before?.rest[0]), addressIn(before?.rest[1])]
    if (!before || !ofOwner || !ofJetton || !sameAccount(ofOwner, owner) || !sameAccount(ofJetton, jetton)) {
      throw invalid(`the contract at ${formatFriendly(id)} is no wallet of this owner and jetton: get_wallet_data says so`)
    }
    const data = await withAmount(run, wallet, 'get_wallet_data', before, balance)
    if (!data)
      throw invalid(`the balance of ${formatFriendly(id)} cannot be set: no change of its data makes get_wallet_data answer just that`)

    const total = minted.amount + balance - before.amount
    if (supply && total < 0n) throw invalid(`supply would be ${total}: the wallet had more than all of the jetton`)
    const masterData = supply ? await withAmount(run, master, 'get_jetton_data', minted, total) : undefined
    if (supply && !masterData)
      throw invalid('supply cannot be set: no change of the data of the jetton makes get_jetton_data answer just that')

    if (masterData) await control.setAccount(jetton, { data: masterData }, signal)
    const isPoor = !deployed && coins < FOR_STORAGE
    const { code, splitDepth } = wallet
    const state = {
      data,
      ...(!deployed && { code }),
      ...(splitDepth !== undefined && { splitDepth }),
      ...(isPoor && { balance: FOR_STORAGE }),
    }
    return { ...inBlock(await control.setAccount(id, state, signal)), address: formatFriendly(id), was: before.amount.toString() }
  }
