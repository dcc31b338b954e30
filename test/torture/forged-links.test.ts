import { Cell, Dictionary } from '@ton/core'
import { afterAll, expect, it } from 'vitest'
import { readData, readJson } from '../kit/data.ts'
import { ask, rpc } from '../kit/service/client.ts'
import { sleep, until } from '../kit/wait.ts'
import { idOf, type LiteServer, serveLite, tlBytes, tlError, tlInt } from './lite-server.ts'
import { createFollower } from './station.ts'

/* Lite-servers that show recorded blocks of mainnet, and links to them that not enough validators have signed. */

const SET = 'chain/mainnet-mc-3082181-3082201'
interface Row {
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
}
interface Signature {
  readonly node: Uint8Array
  readonly signature: Uint8Array
}
interface Block {
  readonly id: Buffer
  readonly seqno: number
  readonly proof: Buffer
  readonly setHash: number
  readonly catchainSeqno: number
  readonly signatures: readonly Signature[]
}
const ZERO = { root: 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=', file: 'XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=' }
const WHOLE_SHARD = Buffer.from('0000000000000080', 'hex')
/** block_proof#c3 with the proof of the header, and block_signatures_ordinary#11. */
const read = (row: Row, boc: string): Block => {
  const [root, signed] = Cell.fromBase64(boc).refs
  const s = signed!.beginParse().skip(8)
  const [setHash, catchainSeqno] = [s.loadUint(32), s.loadUint(32)]
  const pairs = s.skip(32 + 64).loadDict(Dictionary.Keys.Uint(16), {
    // sig_pair$_ node_id_short:bits256 sign:CryptoSignature, which is ed25519_signature#5 R:bits256 s:bits256.
    parse: (pair): Signature => ({ node: pair.loadBuffer(32), signature: pair.skip(4).loadBuffer(64) }),
    serialize: () => {},
  })
  const id = Buffer.concat([tlInt(-1), WHOLE_SHARD, tlInt(row.seqno), Buffer.from(row.root_hash, 'hex'), Buffer.from(row.file_hash, 'hex')])
  return { id, seqno: row.seqno, proof: root!.toBoc(), setHash, catchainSeqno, signatures: pairs.values() }
}
const rows = readJson<readonly Row[]>(`${SET}.index.json`)
const blocks = readData(`${SET}.blocks.jsonl`)
  .toString()
  .trim()
  .split('\n')
  .slice(0, 7)
  .map((line, i) => read(rows[i]!, (JSON.parse(line) as { readonly proof: string }).proof))
const [key, first, ...others] = blocks as [Block, Block, ...Block[]]

const [TRUE, FALSE] = [Buffer.from('b5757299', 'hex'), Buffer.from('379779bc', 'hex')]
const MASTERCHAIN_INFO = idOf(
  'liteServer.masterchainInfo last:tonNode.blockIdExt state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfo',
)
const HEADER = idOf('liteServer.blockHeader id:tonNode.blockIdExt mode:# header_proof:bytes = liteServer.BlockHeader')
const PROOF = idOf(
  'liteServer.partialBlockProof complete:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt steps:vector liteServer.BlockLink = liteServer.PartialBlockProof',
)
const FORWARD = idOf(
  'liteServer.blockLinkForward to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes config_proof:bytes signatures:liteServer.SignatureSet = liteServer.BlockLink',
)
const SIGNATURES = Buffer.from('e6a644f6', 'hex')
/** The link from the key block to a block, in which these have signed. */
const linkTo = ({ id, proof, setHash, catchainSeqno }: Block, signatures: readonly Signature[]): Buffer => {
  const signed = signatures.flatMap(({ node, signature }) => [node, tlBytes(signature)])
  const set = [SIGNATURES, tlInt(setHash), tlInt(catchainSeqno), tlInt(signatures.length), ...signed]
  const link = [FORWARD, FALSE, key.id, id, tlBytes(proof), tlBytes(key.proof), ...set]
  return Buffer.concat([PROOF, TRUE, key.id, id, tlInt(1), ...link])
}

const open: { close(): unknown }[] = []
const keep = <T extends { close(): unknown }>(each: T): T => {
  open.push(each)
  return each
}
afterAll(async () => {
  for (const each of open.reverse()) await each.close()
})

/** Milliseconds that a lite-server waits for a block. */
const PATIENCE = 1_000

/** A lite-server whose newest block is the one of `head`, and the signatures that it shows of it. */
const serve = async (head: () => Block, sign: (block: Block) => readonly Signature[]): Promise<LiteServer> => {
  const zero = Buffer.concat([tlInt(-1), Buffer.from(ZERO.root, 'base64'), Buffer.from(ZERO.file, 'base64')])
  const server = await serveLite(async ({ name, after = 0 }) => {
    const end = performance.now() + PATIENCE
    while (head().seqno < after && performance.now() < end) await sleep(5)
    const block = head()
    if (block.seqno < after) return tlError(652, 'timeout')
    if (name === 'getBlockProof') return linkTo(block, sign(block))
    if (name === 'getBlockHeader') return Buffer.concat([HEADER, block.id, tlInt(0), tlBytes(block.proof)])
    return name === 'getMasterchainInfo' ? Buffer.concat([MASTERCHAIN_INFO, block.id, Buffer.alloc(32), zero]) : tlError(651, 'not here')
  })
  return keep(server)
}

it('a block is followed only if validators with more than two thirds of the weight have signed it, each once', async () => {
  // Ten of them have four fifths of the weight.
  const some = <T>(all: readonly T[]): readonly T[] => all.slice(0, 6)
  const FORGED: readonly ((block: Block) => readonly Signature[])[] = [
    ({ signatures }) =>
      signatures.map(({ node, signature }, i) => ({
        node,
        signature: i > 0 ? signature : signature.map((byte, at) => byte ^ Number(at === 40)),
      })),
    ({ signatures }) => signatures.map(({ node }, i) => ({ node, signature: first.signatures[i % first.signatures.length]!.signature })),
    ({ signatures }) => some(signatures),
    ({ signatures }) => [...some(signatures), ...some(signatures)],
    () => [],
  ]
  expect(others).toHaveLength(FORGED.length)
  let head = first
  const honest = await serve(
    () => head,
    ({ signatures }) => signatures,
  )
  const liars = await Promise.all(FORGED.map((forged, i) => serve(() => others[i]!, forged)))
  const { root, file } = ZERO
  const [{ seqno, root_hash, file_hash }] = rows as [Row]
  const validator = {
    zero_state: { workchain: -1, seqno: 0, root_hash: root, file_hash: file },
    init_block: { workchain: -1, seqno, root_hash, file_hash },
  }
  const url = await keep(createFollower(validator, [honest, ...liars])).start()
  const headNow = async (): Promise<number> =>
    (await rpc<{ readonly last: { readonly seqno: number } }>(url, 'getMasterchainInfo')).last.seqno
  interface Status {
    readonly liteservers: { readonly servers: readonly { readonly lies: number }[] }
  }
  const refused = async (): Promise<number> => {
    const { body } = await ask<Status>(`${url}/status`)
    return body.liteservers.servers.filter(({ lies }) => lies > 0).length
  }
  await until(async () => (await headNow()) > first.seqno || (await refused()) === liars.length, 20)
  expect(await headNow()).toBe(first.seqno)
  for (const block of others) {
    head = block
    await until(async () => (await headNow()) === block.seqno, 20)
  }
  expect(await refused()).toBe(liars.length)
})
