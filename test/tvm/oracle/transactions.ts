import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { type MsgAddressInt, storeAddressExt, storeAddressInt } from '../../../server/tlb/address.ts'
import { type AccountState, storeAccount } from '../../../server/tlb/state/account.ts'
import { shardAccountCell } from '../../../server/tlb/state/shard-account.ts'
import { type StateInit, stateInitCell, storeStateInit } from '../../../server/tlb/state/state-init.ts'
import { storeMoney } from '../../../server/tvm/executor/currency.ts'
import { measureState } from '../../../server/tvm/executor/storage-stat.ts'
import { createRandom, type Random } from '../../kit/random.ts'
import { randomActions, randomInit, randomLibraries } from './actions.ts'
import { orEmpty, randomBytes, randomExtra, randomGrams, randomTree, std } from './cells.ts'
import { configOf, FLAVOURS, type Flavour, SPECIAL } from './configs.ts'
import { DEAR_PRECOMPILED, PRECOMPILED, randomCode } from './contracts.ts'

/* Random transactions: states of accounts x messages x what their code does. A case is made from its seed alone. */

export interface TransactionCase {
  readonly seed: number
  readonly kind: 'message' | 'tick' | 'tock'
  readonly version: number
  readonly flavour: Flavour
  readonly workchain: number
  /** Account id, 32 bytes. */
  readonly id: Uint8Array
  /** ShardAccount. */
  readonly account: Cell
  readonly message: Cell | undefined
  readonly now: number
  readonly lt: bigint
  readonly blockSeed: Uint8Array
  readonly libraries: Cell | undefined
}

export const NOW = 1_790_000_000
/** Two versions of four are the newest. */
const VERSIONS = [15, 15, 15, 15, 14, 14, 13, 13, 12, 12, 12, 11, 10, 9, 8, 7, 6, 5, 4]

/** A state whose address the configuration suspends. */
const SUSPENDED_INIT: StateInit = { code: PRECOMPILED, data: beginCell().storeUint(44, 8).end() }
const SUSPENDED_ID = stateInitCell(SUSPENDED_INIT).hash()

const known = new Map<string, Cell>()
/** The configuration of a case; the same for all of its version and flavour. */
export const configOfCase = ({ version, flavour }: Pick<TransactionCase, 'version' | 'flavour'>): Cell => {
  const key = `${version} ${flavour}`
  let config = known.get(key)
  if (config === undefined) {
    const precompiled = [
      { code: PRECOMPILED, gas: 777n },
      { code: DEAR_PRECOMPILED, gas: 15_000n },
    ]
    config = configOf(version, flavour, [SUSPENDED_ID], precompiled)
    known.set(key, config)
  }
  return config
}

const accountState = (random: Random, init: StateInit, active: boolean): AccountState | undefined => {
  const kind = active ? 20 : random.below(20)
  if (kind < 2) return undefined
  if (kind < 5) return { type: 'uninit' }
  if (kind < 7) return { type: 'frozen', stateHash: random.chance(0.5) ? stateInitCell(init).hash() : randomBytes(random, 32) }
  return { type: 'active', init }
}

/** The cells that an account's storage is made of, as the node would have measured them. */
const storageOf = (
  state: { readonly type: string },
  init: StateInit,
  bits: number,
  extra: Cell | undefined,
  random: Random,
  version: number,
) => {
  const roots = state.type === 'active' ? [init.code, init.data, init.library] : []
  const stat = measureState({ measured: undefined }, version >= 10 || extra === undefined ? roots : [extra, ...roots])
  const cells = stat.cells + 1
  const keepsHash = version >= 11 && cells >= 26 && random.chance(0.7)
  return {
    usedCells: BigInt(cells),
    usedBits: BigInt(stat.bits + bits),
    dictHash: keepsHash ? measureState({ measured: undefined }, roots).dictHash() : undefined,
  }
}

const lastPaidOf = (random: Random, special: boolean): number => {
  if (special) return 0
  switch (random.below(4)) {
    case 0:
      return NOW
    case 1:
      return NOW - random.below(100_000)
    case 2:
      return NOW - random.below(40_000_000)
    default:
      return NOW - random.below(300_000_000)
  }
}

const balanceOf = (random: Random): { grams: bigint; extra: Cell | undefined } => ({
  grams: random.chance(0.4) ? BigInt(random.below(2 ** 31)) * 5n : randomGrams(random),
  extra: random.chance(0.15) ? randomExtra(random) : undefined,
})

const makeAccount = (
  random: Random,
  version: number,
  workchain: number,
  id: Uint8Array,
  init: StateInit,
  kind: TransactionCase['kind'],
  special: boolean,
): Cell => {
  // A special account is always there: the emulator takes one that is not for an ordinary one.
  const state = accountState(random, init, kind !== 'message') ?? (special ? { type: 'uninit' as const } : undefined)
  if (state === undefined)
    return shardAccountCell({ accountCell: storeAccount(undefined), lastTransHash: new Uint8Array(32), lastTransLt: 0n })
  const balance = balanceOf(random)
  const lastTransLt = BigInt(40_000_000_000_000 + random.below(10_000_000))
  const storage = storeMoney(beginCell().storeUint(lastTransLt + 2n, 64), balance)
  if (state.type === 'active') storeStateInit(storage.storeBit(1), init)
  else if (state.type === 'frozen') storage.storeUint(1, 2).storeBytes(state.stateHash)
  else storage.storeUint(0, 2)
  const used = storageOf(state, init, storage.bits, balance.extra, random, version)
  const b = storeAddressInt(beginCell().storeBit(1), std(workchain, id)).storeVarUint(used.usedCells, 3).storeVarUint(used.usedBits, 3)
  if (used.dictHash === undefined || workchain === -1) b.storeUint(0, 3)
  else b.storeUint(1, 3).storeBytes(used.dictHash)
  b.storeUint(lastPaidOf(random, special), 32)
  if (random.chance(0.12)) b.storeBit(1).storeCoins(randomGrams(random) + 1n)
  else b.storeBit(0)
  return shardAccountCell({ accountCell: b.storeBuilder(storage).end(), lastTransHash: randomBytes(random, 32), lastTransLt })
}

const storeMessageInit = (b: ReturnType<typeof beginCell>, random: Random, init: StateInit) => {
  if (random.chance(0.55)) return b.storeBit(0)
  const given = random.chance(0.75) ? init : randomInit(random)
  return random.chance(0.7) ? b.storeUint(3, 2).storeRef(stateInitCell(given)) : storeStateInit(b.storeUint(2, 2), given)
}

const storeMessageBody = (b: ReturnType<typeof beginCell>, random: Random) => {
  const body = randomTree(random, 1 + random.below(random.chance(0.1) ? 40 : 4), random.chance(0.2) ? 900 : 300)
  const inline = (random.chance(0.5) || b.refs === 4) && b.bits + 1 + body.bits <= 1023 && b.refs + body.refCount <= 4
  if (inline) return b.storeBit(0).storeCell(body)
  return b.refs === 4 ? b.storeBit(0) : b.storeBit(1).storeRef(body)
}

const makeMessage = (random: Random, version: number, dest: MsgAddressInt, init: StateInit): Cell => {
  const b = beginCell()
  if (random.chance(0.25)) {
    storeAddressExt(b.storeUint(2, 2), random.chance(0.8) ? undefined : { type: 'extern', bits: 7, data: Uint8Array.of(0x46) })
    storeAddressInt(b, dest).storeCoins(0n)
  } else {
    b.storeBit(0).storeBit(random.chance(0.8)).storeBit(random.chance(0.7)).storeBit(random.chance(0.1))
    storeAddressInt(storeAddressInt(b, std(random.chance(0.2) ? -1 : 0, randomBytes(random, 32))), dest)
    b.storeCoins(random.chance(0.4) ? BigInt(random.below(2 ** 31)) : randomGrams(random)).storeMaybeRef(
      random.chance(0.12) ? randomExtra(random) : undefined,
    )
    // ihr_fee, later extra_flags.
    b.storeCoins(
      version >= 12 ? BigInt(random.chance(0.05) ? random.below(100) : random.below(4)) : random.chance(0.8) ? 0n : randomGrams(random),
    )
    b.storeCoins(BigInt(random.below(1_000_000)))
    b.storeUint(BigInt(40_000_000_000_000 + random.below(30_000_000)), 64).storeUint(NOW - random.below(1000), 32)
  }
  return storeMessageBody(storeMessageInit(b, random, init), random).end()
}

/** The state that the account has, had, or is to have. */
const makeInit = (random: Random, version: number, own: (id: Uint8Array) => MsgAddressInt, id: Uint8Array): StateInit => {
  if (random.chance(0.02)) return SUSPENDED_INIT
  const codes = random.below(12)
  const data = orEmpty(() =>
    beginCell()
      .storeRef(randomTree(random, 1 + random.below(random.chance(0.15) ? 40 : 4)))
      .storeRef(randomActions(random, own(id), version > 12))
      .storeUint(random.below(1000), 32)
      .end(),
  )
  return {
    splitDepth: random.chance(0.05) ? random.below(12) : undefined,
    special: random.chance(0.15) ? { tick: random.chance(0.7), tock: random.chance(0.7) } : undefined,
    code: codes === 0 ? undefined : codes === 1 ? PRECOMPILED : codes === 2 ? DEAR_PRECOMPILED : randomCode(random, version),
    data: random.chance(0.97) ? data : undefined,
    library: random.chance(0.12) ? randomLibraries(random) : undefined,
  }
}

/** The case of a seed. */
export const makeTransactionCase = (seed: number): TransactionCase => {
  const random = createRandom(seed)
  const version = random.pick(VERSIONS)
  const flavour = random.pick(FLAVOURS)
  const workchain = random.chance(0.2) ? -1 : 0
  const special = workchain === -1 && random.chance(0.4)
  const guess = randomBytes(random, 32)
  const init = makeInit(random, version, (id) => std(workchain, special ? SPECIAL : id), guess)
  const id = special ? SPECIAL : random.chance(0.7) ? stateInitCell(init).hash() : guess
  const kind = special && random.chance(0.5) ? random.pick(['tick', 'tock'] as const) : 'message'
  return {
    seed,
    kind,
    version,
    flavour,
    workchain,
    id,
    account: makeAccount(
      random,
      version,
      workchain,
      id,
      kind === 'message' ? init : { ...init, special: { tick: true, tock: true } },
      kind,
      special,
    ),
    message: kind === 'message' ? makeMessage(random, version, std(workchain, id), init) : undefined,
    now: NOW,
    lt: BigInt(40_000_010_000_000 + random.below(3) * 1_000_000 + random.below(100)),
    blockSeed: randomBytes(random, 32),
    libraries: random.chance(0.2) ? randomLibraries(random) : undefined,
  }
}
