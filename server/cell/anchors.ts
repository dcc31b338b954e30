import { beginCell } from './builder.ts'
import { Cell, EMPTY_CELL } from './cell.ts'
import { CellTable } from './table.ts'

/*
 * One instance of each hot class that always exists. V8 forgets the layout of a class, and drops all code compiled for it, when a full collection of garbage
 * finds no instance of it: the next block would take ten times as long to read.
 */
Cell.anchors = [
  EMPTY_CELL.slice(),
  beginCell(),
  new CellTable(Buffer.alloc(0), 1, new Uint32Array(0), new Uint32Array(0), null, Buffer.alloc(0)),
]
