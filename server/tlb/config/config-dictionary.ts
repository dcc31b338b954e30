import { beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { dictDelete, dictEntries, dictGet, dictSet } from '../../cell/dict.ts'
import type { Slice } from '../../cell/slice.ts'
import { type Field, loadToEnd } from '../record-layout.ts'

/*
 * config:^(Hashmap 32 ^Cell)      (key: number of the parameter, int32; negative ones are the validators' own)
 */

const keyOf = (param: number): bigint => BigInt.asUintN(32, BigInt(param))

/** The cell of one parameter; undefined if it is absent. `config` is the root of the dictionary. */
export const configParam = (config: Cell, param: number): Cell | undefined => dictGet(config, 32, keyOf(param))?.loadRef()

/** The configuration with one parameter replaced, or removed if `value` is undefined. Throws CellError 'range' if the result has no parameters. */
export const withConfigParam = (config: Cell | undefined, param: number, value: Cell | undefined): Cell => {
  if (value !== undefined) return dictSet(config, 32, keyOf(param), beginCell().storeRef(value))
  const rest = config === undefined ? undefined : dictDelete(config, 32, keyOf(param))
  if (rest === undefined) throw new CellError('range', 'the last configuration parameter cannot be removed')
  return rest
}

/** Maximum number of edges of a configuration. A node has no such limit; the networks of TON have about 50 parameters. */
const MAX_CONFIG_CELLS = 1 << 14

/** All parameters in ascending order of unsigned keys, so the negative parameters come last. */
export function* configParams(config: Cell): Generator<readonly [number, Cell]> {
  for (const [key, value] of dictEntries(config, 32, { cells: MAX_CONFIG_CELLS })) yield [Number(BigInt.asIntN(32, key)), value.loadRef()]
}

/** Reads a whole cell. Throws for data or references after the value. */
export const loadWhole = <T>(cell: Cell, load: (s: Slice) => T): T => loadToEnd(cell.slice(), { load })

export const storeWhole = <T>(field: Field<T>, value: T): Cell => field.store(beginCell(), value).end()

export const loadParam = <T>(config: Cell, param: number, field: Pick<Field<T>, 'load'>): T | undefined => {
  const cell = configParam(config, param)
  return cell === undefined ? undefined : loadWhole(cell, field.load)
}
