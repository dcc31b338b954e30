import { beginCell } from './builder.ts'
import { Cell, EMPTY_CELL } from './cell.ts'
import { CellTable } from './table.ts'

/*
 * Keeps one instance of each hot class alive. If a full garbage collection finds no instance of a class, V8 forgets its layout and drops the
 * code compiled for it. The next block would then take ten times as long to read.
 */
Cell.anchors = [
  EMPTY_CELL.slice(),
  beginCell(),
  new CellTable(Buffer.alloc(0), 1, new Uint32Array(0), new Uint32Array(0), null, Buffer.alloc(0)),
]
