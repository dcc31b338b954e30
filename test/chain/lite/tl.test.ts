import { describe, expect, it } from 'vitest'
import { type LiteAnswer, type LiteArgs, type LiteFunction, LiteServerError } from '../../../server/chain/liteserver.ts'
import { TlError } from '../../../server/chain/tl/error.ts'
import { FUNCTIONS } from '../../../server/chain/tl/lite-api-schema.ts'
import { createLiteTl } from '../../../server/chain/tl/lite-queries.ts'
import { readLine } from '../../../server/chain/tl/schema.ts'
import { readData } from '../../kit/data.ts'
import { fc } from '../../kit/property.ts'
import { plain } from './plain.ts'

const tl = createLiteTl()
const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const id = { workchain: -1, shard: 1n << 63n, seqno: 77, rootHash: hash(1), fileHash: hash(2) }
const account = { workchain: 0, hash: hash(3) }
const short = { workchain: 0, shard: 0xa000000000000000n, seqno: 5 }
const some = Uint8Array.of(1, 2, 3)
const long = new Uint8Array(300).fill(7)
const init = { workchain: -1, rootHash: hash(6), fileHash: hash(7) }
const signatures = { validatorSetHash: -5, catchainSeqno: 6, signatures: [{ nodeIdShort: hash(8), signature: new Uint8Array(64) }] }
const list = { id, reqCount: 5, incomplete: true, proof: some }

/** One call of every function with one answer to it. */
const calls: { readonly [F in LiteFunction]: readonly [LiteArgs<F>, LiteAnswer<F>] } = {
  getMasterchainInfo: [{}, { last: id, stateRootHash: hash(5), init }],
  getMasterchainInfoExt: [
    { mode: 0 },
    { mode: 0, version: 0x101, capabilities: 15n, last: id, lastUtime: 5, now: 6, stateRootHash: hash(5), init },
  ],
  getTime: [{}, { now: 1_760_000_000 }],
  getVersion: [{}, { mode: 0, version: 0x101, capabilities: 15n, now: 9 }],
  getBlock: [{ id }, { id, data: long }],
  getState: [{ id }, { id, rootHash: hash(1), fileHash: hash(2), data: some }],
  getBlockHeader: [
    { id, mode: 3 },
    { id, mode: 3, headerProof: some },
  ],
  lookupBlock: [
    { id: short, by: { lt: 9n } },
    { id, mode: 2, headerProof: some },
  ],
  lookupBlockWithProof: [
    { id: short, by: { utime: 9 }, mcBlockId: id },
    {
      id,
      mode: 4,
      mcBlockId: id,
      clientMcStateProof: some,
      mcBlockProof: long,
      shardLinks: [{ id, proof: some }],
      header: some,
      prevHeader: some,
    },
  ],
  sendMessage: [{ body: some }, { status: 1 }],
  getAccountState: [
    { id, account },
    { id, shardBlock: id, shardProof: some, proof: long, state: new Uint8Array(0) },
  ],
  getAccountStatePrunned: [
    { id, account },
    { id, shardBlock: id, shardProof: some, proof: long, state: some },
  ],
  runSmcMethod: [
    { mode: 5, id, account, methodId: 85_143, params: some },
    { mode: 5, id, shardBlock: id, shardProof: some, proof: some, exitCode: -14, result: long },
  ],
  getShardInfo: [
    { id, workchain: 0, shard: short.shard, exact: false },
    { id, shardBlock: id, shardProof: some, shardDescr: some },
  ],
  getAllShardsInfo: [{ id }, { id, proof: some, data: some }],
  getOneTransaction: [
    { id, account, lt: 5n },
    { id, proof: some, transaction: some },
  ],
  getTransactions: [
    { count: 3, account, lt: 5n, hash: hash(4) },
    { ids: [id, id], transactions: long },
  ],
  listBlockTransactions: [
    { id, count: 5, after: { account: hash(3), lt: 7n }, reverse: true, wantProof: false },
    { ...list, ids: [{ account: hash(3), lt: 7n, hash: hash(4) }] },
  ],
  listBlockTransactionsExt: [
    { id, count: 5, reverse: false, wantProof: true },
    { ...list, transactions: long },
  ],
  getBlockProof: [
    { mode: 0x1001, from: id, target: id },
    {
      complete: true,
      from: id,
      to: id,
      steps: [
        { type: 'back', toKeyBlock: false, from: id, to: id, destProof: some, proof: some, stateProof: some },
        {
          type: 'forward',
          toKeyBlock: true,
          from: id,
          to: id,
          destProof: some,
          configProof: long,
          signatures: { type: 'ordinary', ...signatures },
        },
        {
          type: 'forward',
          toKeyBlock: true,
          from: id,
          to: id,
          destProof: some,
          configProof: long,
          signatures: { type: 'simplex', ...signatures, sessionId: hash(9), slot: 4, candidate: long },
        },
      ],
    },
  ],
  getConfigAll: [
    { mode: 0x8000, id },
    { mode: 0x8000, id, stateProof: some, configProof: some },
  ],
  getConfigParams: [
    { mode: 0, id, params: [1, -3] },
    { mode: 0, id, stateProof: some, configProof: some },
  ],
  getLibraries: [{ hashes: [hash(1), hash(2)] }, { result: [{ hash: hash(1), data: some }] }],
  getLibrariesWithProof: [
    { id, mode: 1, hashes: [hash(1)] },
    { id, mode: 1, result: [], stateProof: some, dataProof: some },
  ],
  getShardBlockProof: [{ id }, { masterchainId: id, links: [{ id, proof: some }] }],
  getOutMsgQueueSizes: [{ shard: { workchain: 0, shard: short.shard } }, { shards: [{ id, size: 4 }], extMsgQueueSizeLimit: 8_192 }],
  getBlockOutMsgQueueSize: [
    { id, wantProof: true },
    { id, size: 4n, proof: some },
  ],
  getDispatchQueueInfo: [
    { id, after: hash(3), maxAccounts: 5, wantProof: true },
    { id, queues: [{ account: hash(3), size: 2n, minLt: 7n, maxLt: 9n }], complete: false, proof: some },
  ],
  getDispatchQueueMessages: [
    { id, account: hash(3), afterLt: 5n, maxMessages: 9, wantProof: true, oneAccount: true, withMessages: true },
    {
      id,
      messages: [{ account: hash(3), lt: 7n, hash: hash(4), metadata: { mode: 0, depth: -1, initiator: account, initiatorLt: 9n } }],
      complete: true,
      proof: some,
      messagesBoc: long,
    },
  ],
  getValidatorStats: [
    { mode: 5, id, limit: 20, startAfter: hash(4), modifiedAfter: 1_760_000_000 },
    { mode: 5, id, count: 3, complete: true, stateProof: some, dataProof: long },
  ],
  'nonfinal.getPendingShardBlocks': [{ shard: { workchain: 0, shard: short.shard } }, { signedBlocks: [id], candidates: [id, id] }],
}
const names = Object.keys(calls) as LiteFunction[]

describe('TL of the lite_api', () => {
  it('TL constructors have the same numbers as in the node', () => {
    const known: Record<string, number> = {
      getMasterchainInfo: 0x89b5e62e,
      getMasterchainInfoExt: 0x70a671df,
      getBlock: 0x6377cf0d,
      getAccountState: 0x6b890e25,
      runSmcMethod: 0x5cc65dd2,
      getTransactions: 0x1c40e7a1,
      lookupBlock: 0xfac8f71e,
      listBlockTransactions: 0xadfcc7da,
      getBlockProof: 0x8aea9c44,
      getConfigParams: 0x2a111c19,
      getLibraries: 0xd122b662,
      sendMessage: 0x690ad482,
      getDispatchQueueInfo: 0x01e66bf3,
      getValidatorStats: 0x091a58bc,
    }
    for (const [name, number] of Object.entries(known))
      expect([name, FUNCTIONS.find((each) => each.name === `liteServer.${name}`)?.id.toString(16)]).toEqual([name, number.toString(16)])
    expect(readLine('liteServer.query data:bytes = Object').id).toBe(0x798c06df)
    expect(readLine('liteServer.waitMasterchainSeqno seqno:int timeout_ms:int = Object').id).toBe(0xbaeab892)
    expect(readLine('liteServer.error code:int message:string = liteServer.Error').id).toBe(0xbba9e148)
  })

  it('TL knows every function of the port', () => {
    expect(FUNCTIONS.map(({ name }) => name.slice('liteServer.'.length)).sort()).toEqual([...names].sort())
  })

  it.each(names)('%s survives a round trip through TL', (fn) => {
    const [args, answer] = calls[fn]
    const query = tl.decodeQuery(tl.encodeQuery(fn, args, { seqno: 5, timeoutMs: 100 }))
    expect(query.fn).toBe(fn)
    expect(query.wait).toEqual({ seqno: 5, timeoutMs: 100 })
    expect(plain(query.args)).toEqual(plain(args))
    expect(plain(tl.decodeAnswer(fn, query.encodeAnswer(answer)))).toEqual(plain(answer))
  })

  it('answers contain what the mode asks for, and are empty otherwise', () => {
    const query = tl.decodeQuery(tl.encodeQuery('runSmcMethod', { ...calls.runSmcMethod[0], mode: 7 }))
    const bytes = query.encodeAnswer({ mode: 7, id, shardBlock: id, exitCode: -256 })
    const empty = new Uint8Array(0)
    expect(plain(tl.decodeAnswer('runSmcMethod', bytes))).toEqual(
      plain({ mode: 7, id, shardBlock: id, shardProof: empty, proof: empty, stateProof: empty, exitCode: -256, result: empty }),
    )
  })

  it('an error answer is read as an error for every function', () => {
    const error = tl.encodeError(new LiteServerError(651, 'block (0,8000000000000000,5) is not in db'))
    for (const fn of names)
      expect(() => tl.decodeAnswer(fn, error)).toThrow(
        expect.objectContaining({ code: 651, message: expect.stringContaining('not in db') }),
      )
  })

  it('cut, long and made-up bytes are refused', () => {
    for (const fn of names) {
      const [args, answer] = calls[fn]
      const asked = tl.encodeQuery(fn, args)
      const told = tl.decodeQuery(asked).encodeAnswer(answer)
      for (let length = 0; length < told.length; length += 4) expect(() => tl.decodeAnswer(fn, told.subarray(0, length))).toThrow(TlError)
      expect(() => tl.decodeAnswer(fn, Buffer.concat([told, Buffer.alloc(4)]))).toThrow(TlError)
      for (let length = 0; length < asked.length; length += 4) expect(() => tl.decodeQuery(asked.subarray(0, length))).toThrow(TlError)
    }
    expect(() => tl.decodeQuery(Buffer.from('df068c7904deadbeef000000', 'hex'))).toThrow(LiteServerError)
    const lookup = tl.encodeQuery('lookupBlock', calls.lookupBlock[0])
    lookup.writeInt32LE(3, 9)
    expect(() => tl.decodeQuery(lookup)).toThrow(TlError)
  })

  it('a count never claims more items than the bytes could hold', () => {
    const bytes = tl.decodeQuery(tl.encodeQuery('getTransactions', calls.getTransactions[0])).encodeAnswer({ ids: [], transactions: some })
    bytes.writeUInt32LE(0x7fffffff, 4)
    expect(() => tl.decodeAnswer('getTransactions', bytes)).toThrow(/a vector of/)
  })

  it('a packet full of elements is refused before they are read', () => {
    const count = 20_000
    const answer = tl
      .decodeQuery(tl.encodeQuery('listBlockTransactions', calls.listBlockTransactions[0]))
      .encodeAnswer({ ...list, ids: [] })
    // The list is followed by the proof, four bytes of it.
    const bytes = Buffer.concat([answer.subarray(0, -8), Buffer.alloc(4 + 4 * count), answer.subarray(-4)])
    bytes.writeUInt32LE(count, answer.length - 8)
    expect(() => tl.decodeAnswer('listBlockTransactions', bytes)).toThrow(/vectors of more than/)
  })

  it('only the beginning of a long error text is kept', () => {
    // liteServer.error code:int message:string
    const head = Buffer.from('48e1a9bbf6ffffff', 'hex')
    const length = Buffer.alloc(4)
    length.writeUInt32LE(254 + 256 * 100_000)
    const bytes = Buffer.concat([head, length, Buffer.alloc(100_000, 'é')])
    const thrown = (() => {
      try {
        return tl.decodeAnswer('getTime', bytes)
      } catch (error) {
        return error
      }
    })()
    expect(thrown).toBeInstanceOf(LiteServerError)
    // It is cut before it is decoded.
    expect(Buffer.byteLength((thrown as LiteServerError).message)).toBeLessThan(5_000)
  })

  it('any bytes at all give a value or a refusal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...names), (bytes, fn) => {
        const isRefusal = (error: unknown): boolean => error instanceof TlError || error instanceof LiteServerError
        for (const read of [() => tl.decodeAnswer(fn, bytes), () => tl.decodeQuery(bytes)]) {
          try {
            read()
          } catch (error) {
            expect(isRefusal(error)).toBe(true)
          }
        }
      }),
    )
  })

  describe('recorded answers', () => {
    const recorded = (name: string): Buffer => readData(`recorded/liteserver-tl/${name}`)
    it('the recorded answers of a mainnet lite-server are read completely', () => {
      const info = tl.decodeAnswer('getMasterchainInfo', recorded('tongo-get-last-config-all-1.bin'))
      expect(info.last).toMatchObject({ workchain: -1, shard: 1n << 63n, seqno: 26_309_435 })
      expect(Buffer.from(info.init.fileHash).toString('hex')).toBe('5e994fcf4d425c0a6ce6a792594b7173205f740a39cd56f537defd28b48a0f6e')
      const config = tl.decodeAnswer('getConfigAll', recorded('tongo-get-last-config-all-2.bin'))
      expect([config.stateProof.length, config.configProof.length]).toEqual([518, 42_806])
      expect(plain(config.id)).toEqual(plain(info.last))
    })
    it('the recorded answers are written as they came', () => {
      const bytes = recorded('tongo-get-last-config-all-2.bin')
      const config = tl.decodeAnswer('getConfigAll', bytes)
      const query = tl.decodeQuery(tl.encodeQuery('getConfigAll', { mode: 0, id: config.id }))
      expect(query.encodeAnswer(config).equals(bytes)).toBe(true)
    })
  })
})
