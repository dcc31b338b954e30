import * as z from 'zod'
import { groupName, type ServerPeer } from '../../config/lite-servers.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import type { ZeroStateId } from '../liteserver.ts'

const hash = z.string().transform((text, context) => {
  const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')
  if (bytes.length === 32) return new Uint8Array(bytes)
  context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64' })
  return z.NEVER
})
/* JSON.parse rounds 64-bit shards. The shard is ignored, because every masterchain block has the same shard. */
const block = z.object({ workchain: z.literal(MASTERCHAIN), seqno: z.int().min(0), root_hash: hash, file_hash: hash })
const schema = z.object({
  liteservers: z
    .array(
      z.object({
        ip: z.int().optional(),
        host: z.string().optional(),
        hostname: z.string().optional(),
        port: z.int().min(1).max(65_535),
        id: z.object({ key: hash }),
        group: groupName.optional(),
      }),
    )
    .min(1, 'names no lite-servers')
    .max(1_000),
  validator: z.object({ zero_state: block, init_block: block.optional() }),
  tonway: z.object({ revertible: z.boolean().optional(), transient: z.boolean().optional() }).optional(),
})

export interface GlobalConfig {
  readonly servers: readonly ServerPeer[]
  readonly zeroState: ZeroStateId
  /** The block from which proofs begin: a key block, or the zerostate. */
  readonly init: BlockId
  /** True for an embedded chain, whose blocks can be reverted. Only configs made by tonway have this field. */
  readonly revertible: boolean
  /** True for an embedded chain that is in no data directory, so it is lost when its process ends. */
  readonly isTransient: boolean
}

const dotted = (ip: number): string => [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.')

const toBlock = ({ seqno, root_hash, file_hash }: z.output<typeof block>): BlockId => ({
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno,
  rootHash: root_hash,
  fileHash: file_hash,
})

/** Throws an Error that names the invalid field. */
export const readGlobalConfig = (text: string): GlobalConfig => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new Error(`the global config is not JSON: ${(cause as Error).message}`, { cause })
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`the global config: ${issue?.path.join('.') || 'the whole document'}: ${issue?.message}`)
  }
  const { liteservers, validator, tonway } = parsed.data
  const zero = toBlock(validator.zero_state)
  return {
    servers: liteservers.flatMap(({ ip, host, hostname, port, id, group }) => {
      const name = host ?? hostname ?? (ip === undefined ? undefined : dotted(ip))
      return name === undefined ? [] : [{ host: name, port, key: id.key, ...(group && { group }) }]
    }),
    zeroState: { workchain: zero.workchain, rootHash: zero.rootHash, fileHash: zero.fileHash },
    init: validator.init_block ? toBlock(validator.init_block) : zero,
    revertible: tonway?.revertible ?? false,
    isTransient: tonway?.transient ?? false,
  }
}
