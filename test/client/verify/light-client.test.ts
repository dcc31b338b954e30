import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createLightClient, VerifyError } from '../../../client/verify/index.ts'
import { checkSignatures } from '../../../client/verify/signatures.ts'
import { createSigningSet } from '../../../client/verify/validators.ts'
import { type BlockProof, type CallBlockProof, serveGenesis, serveKeyBlock } from './prover.ts'

/* A light client of mainnet, over blocks that its validators signed. */

const genesis = serveGenesis()
const later = serveKeyBlock()

/** The same server, which changes each answer. */
const lying =
  (call: CallBlockProof, lie: (answer: BlockProof) => unknown): CallBlockProof =>
  async (method, params) =>
    lie(structuredClone(await call(method, params))) as BlockProof

type Link = BlockProof['steps'][number]
type Signatures = NonNullable<Link['signatures']>['signatures']
/** Changes the last link. */
const inLast =
  (change: (link: Link) => object) =>
  (answer: BlockProof): unknown => {
    const steps = [...answer.steps]
    const last = steps.pop()!
    return { ...answer, steps: [...steps, { ...last, ...change(last) }] }
  }
const signed = (change: (all: Signatures) => unknown) =>
  inLast(({ signatures }) => ({ signatures: { ...signatures, signatures: change(signatures!.signatures) } }))
/** Another bit in the middle. */
const flip = (text: string): string => {
  const bytes = Buffer.from(text, 'base64')
  bytes[bytes.length >> 1]! ^= 4
  return bytes.toString('base64')
}

describe('a light client', () => {
  it('a light client goes from the zerostate of mainnet to its newest block, and is taken up again from what it saved', async () => {
    const light = createLightClient({ call: genesis.call, trusted: genesis.zerostate })
    expect(await light.catchUp()).toEqual(genesis.block(199))
    const saved = JSON.parse(JSON.stringify(light.state()))
    expect(saved).toEqual({ key: genesis.zerostate, head: genesis.block(199) })
    const call = vi.fn(genesis.call)
    const again = createLightClient({ call, trusted: saved })
    await again.trust(genesis.block(199))
    expect(call).not.toHaveBeenCalled()
    await again.trust(genesis.block(100))
    await again.trust(genesis.block(100))
    expect(call).toHaveBeenCalledTimes(1)
  })

  it('a light client trusts a block after its own, and moves there', async () => {
    const light = createLightClient({ call: later.call, trusted: later.key })
    await light.trust(later.block(3))
    expect(light.state()).toEqual({ key: later.key, head: later.block(3) })
    await light.catchUp()
    expect(light.state().head.seqno).toBe(later.block(19).seqno)
  })

  it('a light client refuses a block that the chain does not have, older, newer or at its own height', async () => {
    const light = createLightClient({ call: genesis.call, trusted: genesis.zerostate })
    await light.catchUp()
    for (const seqno of [1, 50, 199])
      await expect(light.trust({ ...genesis.block(51), seqno })).rejects.toThrow(/is not a block of the chain|does not/)
    const other = createLightClient({ call: later.call, trusted: later.key })
    await expect(other.trust({ ...later.block(2), file_hash: later.key.file_hash })).rejects.toThrow(/is not a block of the chain/)
    expect(other.state().head.seqno).toBe(later.block(2).seqno)
  })

  it.each<[string, (answer: BlockProof) => unknown, RegExp]>([
    ['no signatures', signed(() => []), /more than two thirds/],
    ['too few', signed((all) => all.slice(0, 6)), /more than two thirds/],
    ['the same ones twice', signed((all) => [...all, all[0]]), /nobody of the set, or twice/],
    [
      'a signature that does not hold',
      signed((all) => all.map((each, i) => (i > 0 ? each : { ...each, signature: flip(each.signature) }))),
      /signature 0 does not hold/,
    ],
    [
      'signatures of others',
      signed((all) => all.map((each, i) => ({ ...each, signature: all[(i + 1) % all.length]!.signature }))),
      /does not hold/,
    ],
    ['a signature of 3 bytes', signed((all) => all.map((each) => ({ ...each, signature: 'AAAA' }))), /does not hold/],
    ['another session', inLast(({ signatures }) => ({ signatures: { ...signatures, catchain_seqno: 1 } })), /another session/],
    ['another set', inLast(({ signatures }) => ({ signatures: { ...signatures, validator_set_hash: 1 } })), /another set/],
    ['another file hash', inLast(({ to }) => ({ to: { ...to, file_hash: to.root_hash } })), /does not hold/],
    ['another root hash', inLast(({ to }) => ({ to: { ...to, root_hash: to.file_hash } })), /dest_proof: a block with another root hash/],
    ['another seqno', inLast(({ to }) => ({ to: { ...to, seqno: to.seqno + 1 } })), /dest_proof: the header is not of/],
    ['another configuration', inLast(({ dest_proof }) => ({ config_proof: dest_proof })), /config_proof: a block with another root hash/],
    ['another beginning', inLast(({ to }) => ({ from: to })), /does not begin at/],
    ['a wrong key block', inLast(() => ({ to_key_block: true })), /to_key_block is wrong/],
    ['a link of another kind', inLast(() => ({ type: 'sideways' })), /unknown link/],
    ['signatures of another kind', inLast(({ signatures }) => ({ signatures: { ...signatures, type: 'none' } })), /unknown signatures/],
    ['a broken bag', inLast(({ dest_proof }) => ({ dest_proof: flip(dest_proof) })), /dest_proof/],
    ['no bag', inLast(() => ({ dest_proof: '' })), /dest_proof: no bag of cells/],
    ['nothing', () => null, /not an object/],
    ['no steps', () => ({ complete: true, steps: 7 }), /steps: not a list/],
    ['no steps and no end', () => ({ complete: false, steps: [] }), /the links end at/],
  ])('a light client refuses links with %s', async (_, lie, why) => {
    const light = createLightClient({ call: lying(later.call, lie), trusted: later.key })
    const error = await light.catchUp().catch((thrown) => thrown)
    expect(error).toBeInstanceOf(VerifyError)
    expect(error.message).toMatch(why)
    expect(light.state()).toEqual({ key: later.key, head: later.key })
  })

  it.each<[string, number, RegExp]>([
    ['more links than an answer has', 35, /^steps: 35 links, an answer has at most 16$/],
    ['links that lead back and forth', 5, /^steps\[1\]: a link back that is not the first one$/],
    ['answers that lead back and forth', 1, /^steps\[0\]: a link back that is not the first one$/],
  ])('a light client is not led around by %s, each of which holds', async (_, count, why) => {
    const { zerostate, block } = genesis
    const [forth] = (await genesis.call('v3.blockProof', { ...zerostate, to_seqno: 199 })).steps
    const [back] = (await genesis.call('v3.blockProof', { ...block(199), to_seqno: 0 })).steps
    let calls = 0
    const around: CallBlockProof = async (_method, { seqno }) => {
      const steps = Array.from({ length: count }, (_step, i) => ((seqno === 0) === (i % 2 === 0) ? forth! : back!))
      // The liar gives up at last, so that a client that goes along comes to an end.
      return { complete: ++calls === 20, from: forth!.from, to: forth!.to, steps }
    }
    await expect(createLightClient({ call: around, trusted: zerostate }).catchUp()).rejects.toThrow(why)
    expect(calls).toBeLessThanOrEqual(2)
  })

  it('a light client says what a browser lacks that has no Ed25519, or no WebCrypto at all', async () => {
    const light = createLightClient({ call: later.call, trusted: later.key })
    const { subtle } = crypto
    const without: SubtleCrypto = Object.create(subtle, {
      importKey: { value: () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError')) },
      digest: { value: (...args: Parameters<SubtleCrypto['digest']>) => subtle.digest(...args) },
    })
    vi.stubGlobal('crypto', { subtle: without })
    await expect(light.catchUp()).rejects.toMatchObject({ kind: 'NO_ED25519', message: expect.stringContaining('Chrome 137') })
    vi.stubGlobal('crypto', {})
    await expect(light.catchUp()).rejects.toMatchObject({ kind: 'NO_ED25519', message: expect.stringContaining('https') })
    vi.unstubAllGlobals()
  })
})

interface Vectors {
  readonly block: {
    readonly workchain: number
    readonly shard: string
    readonly seqno: number
    readonly root_hash: string
    readonly file_hash: string
  }
  readonly catchain_seqno: number
  readonly validator_set_hash: number
  readonly session_id: string
  readonly validators: readonly { readonly public_key: string; readonly weight: number; readonly adnl_addr: string }[]
  readonly vectors: readonly {
    readonly name: string
    readonly slot: number
    readonly candidate: string
    readonly signatures: readonly { readonly node_id_short: string; readonly signature: string }[]
    readonly accepted: boolean
  }[]
}

describe('signatures of the simplex consensus', () => {
  const { block, validators, vectors, ...file } = JSON.parse(
    readFileSync(new URL('../../data/simplex/vectors.json', import.meta.url), 'utf8'),
  ) as Vectors
  const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))
  const base64 = (text: string): string => Buffer.from(text, 'hex').toString('base64')
  const list = validators.map((each) => ({ publicKey: hex(each.public_key), weight: BigInt(each.weight), address: hex(each.adnl_addr) }))
  const set = createSigningSet(list, file.catchain_seqno)
  const id = { ...block, shard: BigInt(`0x${block.shard}`), root: block.root_hash.toLowerCase(), file: block.file_hash.toLowerCase() }

  it.each(vectors)('$name is judged as tonutils-go judges it', async ({ slot, candidate, signatures, accepted }) => {
    const signed = {
      type: 'simplex',
      catchain_seqno: file.catchain_seqno,
      validator_set_hash: file.validator_set_hash,
      session_id: base64(file.session_id),
      slot,
      candidate: base64(candidate),
      signatures: signatures.map((each) => ({ node_id_short: base64(each.node_id_short), signature: base64(each.signature) })),
    }
    const judged = checkSignatures(signed, id, { ...set, hash: file.validator_set_hash })
    if (accepted) await judged
    else await expect(judged).rejects.toThrow(VerifyError)
  })
})
