import { serializeBoc } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import type { TvmConfig } from './tvm.ts'

/** A TvmConfig from the root of Hashmap 32 ^Cell. It is parsed at the first run that uses it. */
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
