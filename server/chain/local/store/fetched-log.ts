import { copyFileSync } from 'node:fs'
import { endSteps, runSteps } from '../../../base/yield.ts'
import type { DictPath } from '../../../cell/absent.ts'
import type { Cell } from '../../../cell/cell.ts'
import { createCellLog, type FetchedCells } from './cell-log.ts'
import { HEADER_BYTES, LogDamage, type LogFile, openLogFile, padded } from './log-file.ts'
import { landed, landedBytes } from './packed-cells.ts'

/*
 * The cells that a fork fetched from the forked network, in a separate log. A revert of the chain does not remove them, because they are facts about the
 * forked network.
 * Cells of dictionaries are found by their hash, and the cells below them by offset.
 *
 *   count:uint32 (place:uint40 tree:uint8 hash:bits256 key:bits256) for each cell that is found by hash, padding, cells (cell-log.ts)
 */

const CELLS = 1
const ENTRY_BYTES = 5 + 1 + 32 + 32

export interface FoundCell {
  readonly cell: Cell
  readonly at: DictPath
}

interface Entry {
  readonly place: number
  readonly at: DictPath
}

const createEntries = (log: LogFile) => {
  const entries = new Map<string, Entry>()
  const found: Pick<FetchedCells, 'find' | 'dictPath'> = {
    find: (hash) => {
      const entry = entries.get(hash)
      return entry && cells.load(entry.place)
    },
    dictPath: (hash) => entries.get(hash)?.at,
  }
  const cells = createCellLog(log.readInto, found)
  const read = (bodyAt: number): void => {
    const count = log.read(bodyAt, 4).readUInt32LE(0)
    const list = log.read(bodyAt + 4, count * ENTRY_BYTES)
    for (let at = 0; at < list.length; at += ENTRY_BYTES) {
      const key = list.toString('latin1', at + 38, at + ENTRY_BYTES)
      entries.set(list.toString('latin1', at + 6, at + 38), { place: list.readUIntLE(at, 5), at: { tree: list.readUInt8(at + 5), key } })
    }
  }
  const fetched: FetchedCells = { ...found, touched: () => cells.touched() }
  return { entries, cells, fetched, read }
}

/**
 * Opens the log and cuts a torn tail. If the log is damaged, the intact records before the damage are used, and the complete file is saved as
 * `<path>.damaged`. Lost cells are fetched again when they are needed.
 */
export const openFetchedLog = async (path: string) => {
  const log = openLogFile(path)
  const { entries, cells, fetched, read } = createEntries(log)
  let closed = false
  let damagedAt: number | undefined
  try {
    await log.recover(0, ({ bodyAt }) => read(bodyAt))
  } catch (error) {
    if (!(error instanceof LogDamage)) {
      log.close()
      throw error
    }
    copyFileSync(path, `${path}.damaged`)
    log.cut(error.at)
    damagedAt = error.at
  }

  return {
    ...fetched,
    size: (): number => entries.size,
    /** Offset from which the file was damaged when it was opened; undefined if it was intact. A damaged file is renamed. */
    damagedAt,
    /**
     * Adds dictionary cells by hash, with all cells below them, in several event-loop turns. Rejects after `close`, because a fetch may still be running
     * then.
     */
    add: async (found: ReadonlyMap<string, FoundCell>, signal: AbortSignal): Promise<void> => {
      const fresh = [...found].filter(([hash]) => !entries.has(hash))
      if (fresh.length === 0) return
      const packed = await runSteps(cells.packSteps(fresh.map(([, { cell }]) => ({ root: cell, before: undefined }))), signal)
      if (closed) throw new Error('the fork is closed')
      const bodyAt = log.end() + HEADER_BYTES
      const prefix = padded(4 + fresh.length * ENTRY_BYTES)
      const cellsAt = bodyAt + prefix
      const body = Buffer.alloc(prefix)
      const added = fresh.map(([hash, { at }]): [string, Entry] => [hash, { place: landed(packed.placeOf(hash)!, cellsAt), at }])
      let end = body.writeUInt32LE(added.length, 0)
      for (const [hash, { place, at }] of added) {
        end = body.writeUInt8(at.tree, body.writeUIntLE(place, end, 5))
        end += body.write(hash, end, 'latin1')
        end += body.write(at.key, end, 'latin1')
      }
      log.append(CELLS, body, landedBytes(packed, cellsAt))
      endSteps(packed.land(cellsAt))
      for (const [hash, entry] of added) entries.set(hash, entry)
    },
    sync: log.sync,
    close: (): void => {
      closed = true
      log.close()
    },
  }
}
export type FetchedLog = Awaited<ReturnType<typeof openFetchedLog>>
