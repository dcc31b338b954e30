import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictFromEntries } from '../../../server/cell/dict.ts'
import { bigOfBytes } from '../../../server/tlb/bytes.ts'
import { storeWhole } from '../../../server/tlb/config/config-dictionary.ts'
import { burningConfig, globalId, globalVersion } from '../../../server/tlb/config/general.ts'
import { type SizeLimits, sizeLimits } from '../../../server/tlb/config/limits.ts'
import { gasPrices, msgForwardPrices, type StoragePrices, storeStoragePrices } from '../../../server/tlb/config/prices.ts'
import { fundamentalContracts, precompiledContracts, suspendedAddresses } from '../../../server/tlb/config/special-contracts.ts'
import { workchainsCell } from '../../../server/tlb/config/workchains.ts'

/* Configurations for random transactions: of every version, with usual limits, tight ones, and prices of long ago. */

export const FLAVOURS = ['usual', 'tight', 'old'] as const
export type Flavour = (typeof FLAVOURS)[number]

/** A special account of the masterchain. */
export const SPECIAL: Uint8Array = new Uint8Array(32).fill(0x33)
/** A basechain address that may not be activated before SUSPENDED_UNTIL. */
export const SUSPENDED_UNTIL = 1_900_000_000

/** Code whose run costs so much gas, whatever it does; the code of another is too dear. */
export interface Precompiled {
  readonly code: Cell
  readonly gas: bigint
}

const USUAL: SizeLimits = {
  maxMsgBits: 2_097_152,
  maxMsgCells: 8192,
  maxLibraryCells: 200,
  maxVmDataDepth: 512,
  maxExtMsgSize: 65_535,
  maxExtMsgDepth: 512,
  maxAccStateCells: 65_536,
  maxMcAccStateCells: 2048,
  maxAccPublicLibraries: 256,
  deferOutQueueSizeLimit: 256,
  maxMsgExtraCurrencies: 2,
  maxAccFixedPrefixLength: 8,
  accStateCellsForStorageDict: 26,
}
const TIGHT: SizeLimits = {
  ...USUAL,
  maxMsgBits: 2000,
  maxMsgCells: 12,
  maxLibraryCells: 4,
  maxExtMsgDepth: 6,
  maxAccStateCells: 24,
  maxMcAccStateCells: 20,
  maxAccPublicLibraries: 1,
  maxMsgExtraCurrencies: 1,
  maxAccFixedPrefixLength: 3,
  accStateCellsForStorageDict: 10,
  maxTransactionLibraryLoads: 2,
}

const storageRow = (utimeSince: number, times: bigint): StoragePrices => ({
  utimeSince,
  bitPricePs: times,
  cellPricePs: 500n * times,
  mcBitPricePs: 1000n * times,
  mcCellPricePs: 500_000n * times,
})
const STORAGE: Readonly<Record<Flavour, readonly StoragePrices[]>> = {
  usual: [storageRow(0, 1n), { ...storageRow(1_777_500_000, 1n), bitPricePs: 0n, cellPricePs: 135n }],
  tight: [storageRow(1_700_000_000, 40n), storageRow(1_789_000_000, 9n)],
  old: [storageRow(0, 1n)],
}

const gas = (flavour: Flavour, masterchain: boolean): Cell =>
  storeWhole(gasPrices, {
    ...(flavour === 'old' && !masterchain
      ? {}
      : { flat: { limit: 100n, price: masterchain ? 1_000_000n : flavour === 'old' ? 40_000n : 6667n } }),
    gasPrice: masterchain ? 655_360_000n : flavour === 'old' ? 26_214_400n : 4_369_067n,
    gasLimit: flavour === 'tight' ? 20_000n : 1_000_000n,
    specialGasLimit: masterchain ? 2_000_000n : 1_000_000n,
    gasCredit: flavour === 'tight' ? 500n : 10_000n,
    blockGasLimit: 10_000_000n,
    freezeDueLimit: 100_000_000n,
    deleteDueLimit: 1_000_000_000n,
  })

const forward = (flavour: Flavour, masterchain: boolean): Cell => {
  const times = masterchain ? 150n : 1n
  const old = flavour === 'old' ? 15n : 1n
  return storeWhole(msgForwardPrices, {
    lumpPrice: 66_667n * times * old,
    bitPrice: 4_369_067n * times * old,
    cellPrice: 436_906_667n * times * old,
    ihrPriceFactor: 98_304,
    firstFrac: 21_845,
    nextFrac: 21_845,
  })
}

const NONE = new Uint8Array(32)
const BASECHAIN = workchainsCell(
  new Map([
    [
      0,
      {
        enabledSince: 1_600_000_000,
        monitorMinSplit: 0,
        minSplit: 0,
        maxSplit: 0,
        active: true,
        acceptMsgs: true,
        zerostateRootHash: NONE,
        zerostateFileHash: NONE,
        version: 0,
        format: { type: 'basic', vmVersion: -1, vmMode: 0n },
      },
    ],
  ]),
)

/** The root of a configuration (Hashmap 32 ^Cell). `suspended` are basechain ids. */
export const configOf = (
  version: number,
  flavour: Flavour,
  suspended: readonly Uint8Array[] = [],
  precompiled: readonly Precompiled[] = [],
): Cell => {
  // Parameter 43 in its second form: the oracle does not know the third, whose limits of all messages together have tests of their own.
  const limits = flavour === 'tight' ? TIGHT : USUAL
  const params: [number, Cell][] = [
    // The emulator refuses a configuration without its own address.
    [0, beginCell().storeBytes(new Uint8Array(32).fill(0x55)).end()],
    [5, storeWhole(burningConfig, { blackholeAddr: undefined, feeBurnNum: 0, feeBurnDenom: 1 })],
    [8, storeWhole(globalVersion, { version, capabilities: flavour === 'old' ? 0n : 0x2een })],
    [12, BASECHAIN],
    [18, storeStoragePrices(STORAGE[flavour])!],
    [19, storeWhole(globalId, -239)],
    [20, gas(flavour, true)],
    [21, gas(flavour, false)],
    [24, forward(flavour, true)],
    [25, forward(flavour, false)],
    [31, storeWhole(fundamentalContracts, [bigOfBytes(SPECIAL)])],
    ...(flavour === 'old' ? [] : [[43, storeWhole(sizeLimits, limits)] as [number, Cell]]),
    [
      44,
      storeWhole(suspendedAddresses, {
        addresses: suspended.map((id) => ({ workchain: 0, id: bigOfBytes(id) })),
        suspendedUntil: SUSPENDED_UNTIL,
      }),
    ],
    [45, storeWhole(precompiledContracts, new Map(precompiled.map(({ code, gas }) => [bigOfBytes(code.hash()), gas])))],
  ]
  return dictFromEntries(
    32,
    params.map(([param, cell]) => [BigInt(param), beginCell().storeRef(cell)] as const),
  )!
}
