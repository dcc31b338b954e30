import type { Cell } from '../../../cell/cell.ts'
import { storeWhole } from '../../../tlb/config/config-dictionary.ts'
import { blockLimits, sizeLimits } from '../../../tlb/config/limits.ts'
import { gasPrices, msgForwardPrices, storeStoragePrices } from '../../../tlb/config/prices.ts'

const COIN = 1_000_000_000n
const limits = (underload: number, softLimit: number, hardLimit: number) => ({ underload, softLimit, hardLimit })
const LT_LIMITS = limits(1000, 5000, 10_000)

/** Prices and limits of TON mainnet in 2026 (masterchain block 84773657): parameters 18 to 25 and 43. */
export const PRICES: readonly (readonly [number, Cell])[] = [
  [18, storeStoragePrices([{ utimeSince: 0, bitPricePs: 0n, cellPricePs: 135n, mcBitPricePs: 1000n, mcCellPricePs: 500_000n }])!],
  [
    20,
    storeWhole(gasPrices, {
      flat: { limit: 100n, price: 1_000_000n },
      gasPrice: 655_360_000n,
      gasLimit: 1_000_000n,
      specialGasLimit: 70_000_000n,
      gasCredit: 10_000n,
      blockGasLimit: 2_500_000n,
      freezeDueLimit: 100_000_000n,
      deleteDueLimit: COIN,
    }),
  ],
  [
    21,
    storeWhole(gasPrices, {
      flat: { limit: 100n, price: 6667n },
      gasPrice: 4_369_067n,
      gasLimit: 1_000_000n,
      specialGasLimit: 1_000_000n,
      gasCredit: 10_000n,
      blockGasLimit: 10_000_000n,
      freezeDueLimit: 100_000_000n,
      deleteDueLimit: COIN,
    }),
  ],
  [
    22,
    storeWhole(blockLimits, {
      bytes: limits(131_072, 524_288, 1_048_576),
      gas: limits(200_000, 1_000_000, 2_500_000),
      ltDelta: LT_LIMITS,
    }),
  ],
  [
    23,
    storeWhole(blockLimits, {
      bytes: limits(262_144, 1_048_576, 2_097_152),
      gas: limits(2_000_000, 10_000_000, 20_000_000),
      ltDelta: LT_LIMITS,
    }),
  ],
  [
    24,
    storeWhole(msgForwardPrices, {
      lumpPrice: 10_000_000n,
      bitPrice: 655_360_000n,
      cellPrice: 65_536_000_000n,
      ihrPriceFactor: 98_304,
      firstFrac: 21_845,
      nextFrac: 21_845,
    }),
  ],
  [
    25,
    storeWhole(msgForwardPrices, {
      lumpPrice: 66_667n,
      bitPrice: 4_369_067n,
      cellPrice: 436_906_667n,
      ihrPriceFactor: 98_304,
      firstFrac: 21_845,
      nextFrac: 21_845,
    }),
  ],
  [
    43,
    storeWhole(sizeLimits, {
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
      withoutLibraryLoads: true,
    }),
  ],
]
