import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { toHex } from '../../tlb/bytes.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import type { ZeroStateId } from '../liteserver.ts'

/* Stores the newest proven key block, so that a restart does not have to verify all key blocks since init_block again. */

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .transform((text) => Uint8Array.from(Buffer.from(text, 'hex')))
const schema = z.object({ seqno: z.int().min(1), root_hash: hash, file_hash: hash })

/** The file's name contains the zerostate's hash, because different networks may share the directory. */
const pathOf = (dataDir: string, { fileHash }: ZeroStateId): string => join(dataDir, `keyblock-${toHex(fileHash).slice(0, 16)}.json`)

const readAnchor = async (path: string): Promise<BlockId | undefined> => {
  try {
    const { seqno, root_hash, file_hash } = schema.parse(JSON.parse(await readFile(path, 'utf8')))
    return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash: root_hash, fileHash: file_hash }
  } catch {
    // Without a readable file the proof chain starts at init_block.
    return undefined
  }
}

export const openAnchorFile = async (dataDir: string, zeroState: ZeroStateId) => {
  const path = pathOf(dataDir, zeroState)
  let writing: Promise<unknown> = Promise.resolve()
  return {
    anchor: await readAnchor(path),
    /** Resolves when the file is written. */
    keep({ seqno, rootHash, fileHash }: BlockId): Promise<void> {
      const text = `${JSON.stringify({ seqno, root_hash: toHex(rootHash), file_hash: toHex(fileHash) })}\n`
      const write = async (): Promise<void> => {
        await mkdir(dataDir, { recursive: true })
        await writeFile(`${path}.new`, text)
        await rename(`${path}.new`, path)
      }
      const written = writing.then(write, write)
      writing = written.catch(() => undefined)
      return written
    },
  }
}
export type AnchorFile = Awaited<ReturnType<typeof openAnchorFile>>
