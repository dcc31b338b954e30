import { Fault } from '../base/fault.ts'
import type { ByteString, Cell } from './cell.ts'
import { MAX_BITS, ORDINARY, packMeta, SOLID } from './meta-word.ts'
import { CellTable, RECORD } from './table.ts'

/*
 * Absent cells. Of an absent cell only the hash and the depth are in memory. It replaces a part of a tree that was never fetched. The hashes, Merkle proofs and
 * Merkle updates of a tree with absent cells are those of the complete tree. A read of an absent cell throws AbsentCellError.
 */

/**
 * Location of an absent cell: a dictionary (`tree` is its number) and 32 bytes (`key`) whose path goes through the cell. The dictionary need not have this key.
 */
export interface DictPath {
  readonly tree: number
  readonly key: ByteString
}

export class AbsentCellError extends Fault {
  override readonly name = 'AbsentCellError'
  readonly answeredAs = 'CHAIN'
  override readonly isLogged = true
  readonly at: DictPath
  /** Locations to fetch together with `at`, because the reader will probably need these absent cells next. */
  readonly others: readonly DictPath[]
  readonly hash: ByteString
  constructor(hash: ByteString, at: DictPath, others: readonly DictPath[] = []) {
    super(`the cell ${Buffer.from(hash, 'latin1').toString('hex')} was not fetched`)
    this.hash = hash
    this.at = at
    this.others = others
  }

  /** Returns this error with another location: `key` (32 bytes), which the reader looked up in the dictionary. */
  towards(key: Uint8Array): AbsentCellError {
    return new AbsentCellError(this.hash, { tree: this.at.tree, key: Buffer.from(key).toString('latin1') }, this.others)
  }

  withOthers(others: readonly DictPath[]): AbsentCellError {
    return new AbsentCellError(this.hash, this.at, others)
  }
}

/** Replaces the array `dataAt` of a table. Each read of a cell's data or references first reads `dataAt`, which throws AbsentCellError here. */
class NoData {
  private readonly hash: ByteString
  private readonly at: DictPath
  constructor(hash: ByteString, at: DictPath) {
    this.hash = hash
    this.at = at
  }
  get 0(): never {
    throw new AbsentCellError(this.hash, this.at)
  }
}

class AbsentTable extends CellTable {
  readonly at: DictPath
  constructor(hash: ByteString, depth: number, at: DictPath) {
    const record = Buffer.alloc(RECORD)
    record.write(hash, 0, 32, 'latin1')
    record.writeUInt16BE(depth, 32)
    // One reference, so that Merkle proofs prune this cell like any cell with references. The maximum number of bits, so that no code takes it for an empty
    // cell.
    const meta = packMeta(MAX_BITS, 1, ORDINARY, 0, depth) | SOLID
    super(Buffer.alloc(0), 1, new NoData(hash, at) as unknown as Uint32Array, Uint32Array.of(meta), null, record)
    this.at = at
  }
}

/** Makes an absent cell of level 0. `depth` is the depth of the complete cell. */
export const absentCell = (hash: ByteString, depth: number, at: DictPath): Cell => new AbsentTable(hash, depth, at).cell(0)

export const dictPathOf = (cell: Cell): DictPath | undefined => (cell.src instanceof AbsentTable ? cell.src.at : undefined)
