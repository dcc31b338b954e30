import { MAX_BAG_CELLS, uniqueCells } from '../cell/budget.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { configParam, loadWhole } from '../tlb/config/config-dictionary.ts'
import { loadStoragePrices, type MsgForwardPrices, msgForwardPrices, type StoragePrices } from '../tlb/config/prices.ts'
import { type GasTable, loadGasTable } from '../tvm/executor/gas.ts'

export interface Prices {
  readonly gas: GasTable
  readonly forward: { readonly base: MsgForwardPrices; readonly master: MsgForwardPrices }
  /** Oldest first. */
  readonly storage: readonly StoragePrices[]
}

/** Reads prices from a configuration (root of Hashmap 32 ^Cell). `masterchain` selects the gas prices. Throws CellError if a price is missing. */
export const readPrices = (config: Cell, masterchain: boolean): Prices => {
  const param = (id: number): Cell => {
    const cell = configParam(config, id)
    if (cell === undefined) throw new CellError('range', `configuration parameter ${id} is missing`)
    return cell
  }
  return {
    gas: loadGasTable(param(masterchain ? 20 : 21)),
    forward: { master: loadWhole(param(24), msgForwardPrices.load), base: loadWhole(param(25), msgForwardPrices.load) },
    storage: loadStoragePrices(param(18)),
  }
}

export interface Used {
  readonly cells: number
  readonly bits: number
}

/** Counts the distinct cells below the given roots, and their bits. The roots are not counted. */
export const usedBelow = (...roots: readonly Cell[]): Used => {
  let [cells, bits] = [0, 0]
  for (const cell of uniqueCells(roots.flatMap(children), { cells: MAX_BAG_CELLS })) {
    cells += 1
    bits += cell.bits
  }
  return { cells, bits }
}

const children = (cell: Cell): Cell[] => Array.from({ length: cell.refCount }, (_, i) => cell.ref(i))
