import { serializeBoc } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import type { TvmConfig } from './tvm.ts'

/** A configuration (root of Hashmap 32 ^Cell) as the TVM takes it. It is read when it is first run with. */
export const makeTvmConfig = (root: Cell): TvmConfig => {
  let bytes: Uint8Array | undefined
  return {
    id: root.hashHex(),
    root,
    boc() {
      bytes ??= serializeBoc(root, { crc32c: false })
      return bytes
    },
  }
}
