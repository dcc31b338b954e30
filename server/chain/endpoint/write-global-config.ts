import { isIPv4 } from 'node:net'
import { type BlockId, MASTERCHAIN, shardToWire, WHOLE_SHARD } from '../../tlb/ids.ts'
import type { LiteServer } from '../liteserver.ts'

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** An IPv4 address as the signed number of the config format. Names and other addresses become 127.0.0.1. */
const ipNumber = (host: string): number => {
  const address = isIPv4(host) && host !== '0.0.0.0' ? host : '127.0.0.1'
  return address.split('.').reduce((sum, part) => (sum << 8) | Number(part), 0)
}

/* Shards are 64-bit numbers in this JSON. JSON.stringify cannot write them exactly, so blocks are written as text. */
const blockJson = ({ workchain, shard, seqno, rootHash, fileHash }: BlockId): string =>
  `{"workchain":${workchain},"shard":${shardToWire(shard)},"seqno":${seqno},"root_hash":"${base64(rootHash)}","file_hash":"${base64(fileHash)}"}`

/**
 * Global config of a network with one lite-server. `init_block` is block 1, which is a key block, because tools do not start from a zerostate. While the
 * chain has no block, `init_block` is the zerostate. `marks` tell other tonways what an embedded chain does: `reverts` that its blocks can be reverted,
 * `isTransient` that it may be lost when its process ends.
 */
export const globalConfig = async (
  source: LiteServer,
  server: { readonly host: string; readonly port: number; readonly publicKey: Uint8Array },
  signal: AbortSignal,
  marks: { readonly reverts?: boolean; readonly isTransient?: boolean } = {},
): Promise<string> => {
  const { init, last } = await source.query('getMasterchainInfo', {}, signal)
  const zero: BlockId = { ...init, shard: WHOLE_SHARD, seqno: 0 }
  const first = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 1 }
  const start = last.seqno === 0 ? zero : (await source.query('lookupBlock', { id: first, by: { seqno: true } }, signal)).id
  const liteserver = { ip: ipNumber(server.host), port: server.port, id: { '@type': 'pub.ed25519', key: base64(server.publicKey) } }
  const dht = { '@type': 'dht.config.global', k: 6, a: 3, static_nodes: { '@type': 'dht.nodes', nodes: [] } }
  return (
    `{"@type":"config.global","dht":${JSON.stringify(dht)},"liteservers":[${JSON.stringify(liteserver)}],` +
    `"validator":{"@type":"validator.config.global","zero_state":${blockJson(zero)},"init_block":${blockJson(start)},"hardforks":[]}` +
    `${marks.reverts ? `,"tonway":${JSON.stringify({ revertible: true, ...(marks.isTransient && { transient: true }) })}` : ''}}`
  )
}
