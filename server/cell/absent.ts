import { Fault } from '../base/fault.ts'
import type { ByteString, Cell } from './cell.ts'
import { MAX_BITS, ORDINARY, packMeta, SOLID } from './layout.ts'
import { CellTable, RECORD } from './table.ts'

/*
 * Absent cells: cells of which only the hash and the depth are here. A tree may have them in place of parts that were never fetched. The hashes of the
 * tree, its Merkle proofs and its Merkle updates are those of the whole tree. A read of an absent cell throws AbsentCellError.
 */

/** Where an absent cell stands: in the dictionary with the number `tree`, above `key` (32 bytes, which need not be a key of the dictionary). */
export interface DictPath {
  readonly tree: number
  readonly key: ByteString
}

/** A cell was read of which only the hash is here. */
export class AbsentCellError extends Fault {
  override readonly name = 'AbsentCellError'
  readonly answeredAs = 'CHAIN'
  override readonly isLogged = true
  /** Where the cell stands. */
  readonly at: DictPath
  /** Places that will probably be read too, when the reader starts again with this cell present. */
  readonly others: readonly DictPath[]
  /** Hash of the cell. */
  readonly hash: ByteString
  constructor(hash: ByteString, at: DictPath, others: readonly DictPath[] = []) {
    super(`the cell ${Buffer.from(hash, 'latin1').toString('hex')} was not fetched`)
    this.hash = hash
    this.at = at
    this.others = others
  }

  /** The same error of a reader that looked for `key` (32 bytes) in the dictionary. */
  towards(key: Uint8Array): AbsentCellError {
    return new AbsentCellError(this.hash, { tree: this.at.tree, key: Buffer.from(key).toString('latin1') }, this.others)
  }

  /** The same error with other places that will probably be read too. */
  withOthers(others: readonly DictPath[]): AbsentCellError {
    return new AbsentCellError(this.hash, this.at, others)
  }
}

/** Stands for the offsets of a table's data. Every read of a cell's data or references goes through them, and here it throws. */
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

/** The table of one absent cell. */
class AbsentTable extends CellTable {
  readonly at: DictPath
  constructor(hash: ByteString, depth: number, at: DictPath) {
    const record = Buffer.alloc(RECORD)
    record.write(hash, 0, 32, 'latin1')
    record.writeUInt16BE(depth, 32)
    // One reference, so that Merkle proofs prune the cell as any other with references. All bits, so that it is never taken for an empty cell.
    const meta = packMeta(MAX_BITS, 1, ORDINARY, 0, depth) | SOLID
    super(Buffer.alloc(0), 1, new NoData(hash, at) as unknown as Uint32Array, Uint32Array.of(meta), null, record)
    this.at = at
  }
}

/** An absent cell of level 0. `depth` is that of the whole cell. */
export const absentCell = (hash: ByteString, depth: number, at: DictPath): Cell => new AbsentTable(hash, depth, at).cell(0)

/** Where a cell stands if it is absent; undefined if it is present. */
export const dictPathOf = (cell: Cell): DictPath | undefined => (cell.src instanceof AbsentTable ? cell.src.at : undefined)
