import { serializeBoc } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import type { TvmConfig } from './tvm.ts'

/** A TvmConfig of a configuration (root of Hashmap 32 ^Cell). Only its hash is computed here. A run parses the parameters (executor/config.ts). */
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
