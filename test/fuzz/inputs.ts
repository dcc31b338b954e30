import { idOfKey } from '../../server/access/key-text.ts'
import { UserError } from '../../server/base/user-error.ts'
import { AdnlError } from '../../server/chain/adnl/error.ts'
import { createHandshakeReader, greet } from '../../server/chain/adnl/handshake.ts'
import { createKey } from '../../server/chain/adnl/keys.ts'
import { decodeMessage, encodeMessage } from '../../server/chain/adnl/messages.ts'
import { createPacketReader, sealPacket } from '../../server/chain/adnl/packets.ts'
import { readGlobalConfig } from '../../server/chain/lite/read-global-config.ts'
import { LiteServerError } from '../../server/chain/liteserver.ts'
import { TlError } from '../../server/chain/tl/error.ts'
import { createLiteTl } from '../../server/chain/tl/lite-queries.ts'
import { parseExpires } from '../../server/cli/keys/parse-time.ts'
import { readQuery } from '../../server/http/rest/query.ts'
import { parseRequests } from '../../server/http/rpc/request-text.ts'
import { objectOf, StreamError } from '../../server/http/stream/read-request.ts'
import { parseCursor } from '../../server/live/cursor.ts'
import { readDocument } from '../../server/metadata/fetcher.ts'
import { readRaster } from '../../server/metadata/raster.ts'
import { TonError } from '../../shared/errors.ts'
import { parseAddress } from '../../shared/fields/address.ts'
import { decodeBase64Any } from '../../shared/fields/base64.ts'
import { parseHash } from '../../shared/fields/hash.ts'
import { decodeHex } from '../../shared/fields/hex.ts'
import { parseInt257 } from '../../shared/fields/stack.ts'
import { JsonError, parseJson } from '../../shared/json.ts'
import type { MethodDef } from '../../shared/method.ts'
import { parseParams } from '../../shared/params.ts'
import { registry } from '../../shared/registry.ts'
import { readData } from '../kit/data.ts'
import { gifOf, jpegOf, pngOf } from '../kit/pictures.ts'
import { createRandom, type Random } from '../kit/random.ts'

/* Readers of foreign bytes other than cells: what arrives by ADNL and HTTP, and what is loaded for tokens. Good inputs are changed at random. */

type ErrorType = new (...args: never[]) => Error

export interface InputReader {
  readonly name: string
  readonly seeds: readonly Buffer[]
  /** Throws one of `refusals` for what it does not take. */
  read(bytes: Buffer): unknown
  /** `Error`: plain ones alone, not the TypeError or RangeError of a reader that stumbled. */
  readonly refusals: readonly ErrorType[]
}

const texts = (...seeds: readonly string[]): Buffer[] => seeds.map((text) => Buffer.from(text))

/** Parameters of each example of a method, as they come in a body. */
const bodiesOf = ({ examples }: { readonly examples: readonly { readonly params: unknown }[] }): Buffer[] =>
  examples.map(({ params }) => Buffer.from(JSON.stringify(params)))
const queriesOf = ({ examples }: { readonly examples: readonly { readonly params: object }[] }): Buffer[] =>
  examples.map(({ params }) => {
    const pairs = Object.entries(params).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, String(each)]))
    return Buffer.from(new URLSearchParams(pairs).toString())
  })

/** Bodies and queries of every method of the registry. */
const methodReaders = (): InputReader[] =>
  Object.entries(registry).flatMap(([name, each]) => {
    const def = each as unknown as MethodDef & { readonly examples: readonly { readonly params: object }[] }
    const body = (bytes: Buffer): unknown => parseParams(def, parseJson(bytes.toString()), 'body')
    const query = (bytes: Buffer): unknown => parseParams(def, readQuery(bytes.toString()), 'query')
    return [
      { name: `body of ${name}`, seeds: bodiesOf(def), read: body, refusals: [TonError, JsonError] },
      ...(def.rest === 'none' ? [] : [{ name: `query of ${name}`, seeds: queriesOf(def), read: query, refusals: [TonError] }]),
    ]
  })

const adnlReaders = (): InputReader[] => {
  const nonce = Buffer.alloc(32, 1)
  const messages = [
    encodeMessage({ type: 'query', id: nonce, data: Buffer.alloc(40, 2) }),
    encodeMessage({ type: 'answer', id: nonce, data: Buffer.alloc(300, 3) }),
    encodeMessage({ type: 'ping', random: 7n }),
    encodeMessage({ type: 'nonce', nonce }),
    encodeMessage({ type: 'complete', key: { key: nonce }, signature: Buffer.alloc(64, 4) }),
  ]
  const packets = messages.map((message) => sealPacket(message, nonce))
  const key = createKey()
  return [
    { name: 'ADNL message', seeds: messages, read: decodeMessage, refusals: [TlError] },
    {
      name: 'ADNL packets',
      seeds: [...packets, Buffer.concat(packets)],
      read: (bytes) => createPacketReader(1 << 16, () => {}).feed(bytes),
      refusals: [AdnlError],
    },
    { name: 'ADNL handshake', seeds: [greet(key.publicKey).packet], read: createHandshakeReader(key), refusals: [AdnlError] },
  ]
}

const liteReaders = (): InputReader[] => {
  const tl = createLiteTl()
  const id = { workchain: -1, shard: -(1n << 63n), seqno: 5, rootHash: Buffer.alloc(32, 1), fileHash: Buffer.alloc(32, 2) }
  const account = { workchain: 0, hash: Buffer.alloc(32, 3) }
  const queries = [
    tl.encodeQuery('getMasterchainInfo', {}),
    tl.encodeQuery('getAccountState', { id, account }),
    tl.encodeQuery('listBlockTransactions', { id, count: 5, wantProof: true, after: { account: account.hash, lt: 3n } }),
    tl.encodeQuery('getConfigParams', { mode: 0, id, params: [1, 34] }),
    tl.encodeQuery('sendMessage', { body: Buffer.alloc(60, 9) }),
  ]
  const config = readData('recorded/liteserver-tl/tongo-get-last-config-all-2.bin')
  return [
    { name: 'query to a lite-server', seeds: queries, read: (bytes) => tl.decodeQuery(bytes), refusals: [TlError, LiteServerError] },
    {
      name: 'answer of a lite-server',
      seeds: [config],
      read: (bytes) => tl.decodeAnswer('getConfigAll', bytes),
      refusals: [TlError, LiteServerError],
    },
  ]
}

const CONFIG = JSON.stringify({
  liteservers: [{ ip: 0x7f000001, port: 4000, id: { '@type': 'pub.ed25519', key: Buffer.alloc(32, 1).toString('base64') } }],
  validator: {
    zero_state: {
      workchain: -1,
      shard: -1,
      seqno: 0,
      root_hash: Buffer.alloc(32).toString('base64'),
      file_hash: Buffer.alloc(32).toString('base64'),
    },
  },
})
const REQUEST = '{"jsonrpc":"2.0","id":9007199254740993,"method":"getAddressBalance","params":{"address":"0:00"}}'

/** Texts and files that need no service to be read. */
const plainReaders = (): InputReader[] => [
  {
    name: 'JSON',
    seeds: texts(REQUEST, '[1,-2.5e3,"\\u00e9\\ud83d\\ude00",null,{"a":[true]}]'),
    read: (bytes) => parseJson(bytes.toString()),
    refusals: [JsonError],
  },
  {
    name: 'JSON-RPC requests',
    seeds: texts(REQUEST, `[${REQUEST},${REQUEST}]`),
    read: (bytes) => parseRequests(bytes.toString()),
    refusals: [TonError],
  },
  {
    name: 'subscription',
    seeds: texts('{"operation":"subscribe","id":"1","types":["transactions"],"addresses":["0:00"]}'),
    read: (bytes) => objectOf(bytes.toString()),
    refusals: [StreamError],
  },
  {
    name: 'cursor of a stream',
    seeds: texts(`17.${'A'.repeat(22)}.${'B'.repeat(32)}.0a`),
    read: (bytes) => parseCursor(bytes.toString()),
    refusals: [],
  },
  {
    name: 'address',
    seeds: texts('EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c', `0:${'0'.repeat(64)}`),
    read: (bytes) => parseAddress(bytes.toString()),
    refusals: [],
  },
  {
    name: 'hash',
    seeds: texts('0'.repeat(64), Buffer.alloc(32, 1).toString('base64')),
    read: (bytes) => parseHash(bytes.toString()),
    refusals: [],
  },
  {
    name: 'base64',
    seeds: texts(Buffer.alloc(50, 7).toString('base64'), Buffer.alloc(50, 0xfb).toString('base64url')),
    read: (bytes) => decodeBase64Any(bytes.toString()),
    refusals: [],
  },
  { name: 'hex', seeds: texts('00ff10', 'DEADBEEF'), read: (bytes) => decodeHex(bytes.toString()), refusals: [] },
  {
    name: 'integer of the TVM',
    seeds: texts('-1', '0x1234', (1n << 255n).toString()),
    read: (bytes) => parseInt257(bytes.toString()),
    refusals: [],
  },
  { name: 'API key', seeds: texts(`tw_abcdefgh_${'x'.repeat(32)}`), read: (bytes) => idOfKey(bytes.toString()), refusals: [] },
  {
    name: 'end of a key',
    seeds: texts('30d', '2027-01-01', '2027-01-01T10:00:00Z'),
    read: (bytes) => parseExpires(bytes.toString(), 1_790_000_000_000),
    refusals: [UserError],
  },
  { name: 'global config', seeds: texts(CONFIG), read: (bytes) => readGlobalConfig(bytes.toString()), refusals: [Error] },
  {
    name: 'document of a token',
    seeds: texts('{"name":"Token","symbol":"T","decimals":"9","image":"https://a.b/c.png"}'),
    read: readDocument,
    refusals: [],
  },
  { name: 'picture', seeds: [pngOf(3, 2), gifOf(9, 9), jpegOf(20, 30)], read: readRaster, refusals: [] },
]

export const inputReaders = (): readonly InputReader[] => [...adnlReaders(), ...liteReaders(), ...plainReaders(), ...methodReaders()]

const INTERESTING = [
  '0',
  '-',
  '.',
  'e',
  '"',
  '\\',
  '{',
  '[',
  ']',
  '}',
  ',',
  ':',
  '\0',
  '\ufeff',
  '\ud83d',
  '%',
  '&',
  '=',
  '+',
  '1e999',
  '-9223372036854775808',
  '__proto__',
  'null',
]
/** Longest input. */
const MAX_LENGTH = 1 << 12

/** A good input with a few changes: bits, bytes, texts that readers stumble over, parts left out, doubled or taken from another seed. */
const changed = (seeds: readonly Buffer[], random: Random): Buffer => {
  let bytes = Buffer.from(random.pick(seeds))
  for (let left = 1 + random.below(4); left > 0; left--) {
    const at = random.below(bytes.length + 1)
    const to = Math.min(bytes.length, at + random.below(16))
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)]
    switch (random.below(6)) {
      case 0:
        if (at < bytes.length) bytes[at]! ^= 1 << random.below(8)
        break
      case 1:
        if (at < bytes.length) bytes[at] = random.pick([0, 1, 0x7f, 0x80, 0xfe, 0xff, random.below(256)])
        break
      case 2:
        bytes = Buffer.concat([before, Buffer.from(random.pick(INTERESTING)), bytes.subarray(at)])
        break
      case 3:
        bytes = Buffer.concat([before, after])
        break
      case 4:
        bytes = Buffer.concat([before, ...Array.from({ length: 1 + random.below(20) }, () => part), after])
        break
      default: {
        const other = random.pick(seeds)
        bytes = Buffer.concat([before, other.subarray(random.below(other.length + 1))])
      }
    }
  }
  return bytes.subarray(0, MAX_LENGTH)
}

/** Milliseconds of processor time in which any input of MAX_LENGTH is read. */
const LIMIT_MS = 50

/** Most inputs are refused, and V8 would take longer for the stack of an error than a reader for its input. */
const withoutStacks = <T>(run: () => T): T => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = limit
  }
}

const isOf = (error: unknown, type: ErrorType): boolean => (type === Error ? (error as Error).constructor === Error : error instanceof type)

/** Reads so many changed inputs. Returns what went wrong: an error that is not the reader's own, or a time beyond the limit. */
export const readChanged = ({ name, seeds, read, refusals }: InputReader, count: number, seed: number): readonly string[] => {
  const random = createRandom(seed)
  const errorOf = (bytes: Buffer): unknown => {
    try {
      read(Buffer.from(bytes))
      return undefined
    } catch (error) {
      return error
    }
  }
  const isSlow = (bytes: Buffer): boolean => {
    const before = process.cpuUsage()
    errorOf(bytes)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 > LIMIT_MS
  }
  for (let i = 0; i < count; i++) {
    const bytes = changed(seeds, random)
    const start = performance.now()
    const error = withoutStacks(() => errorOf(bytes))
    const isLate = performance.now() - start > LIMIT_MS
    if (error !== undefined && !refusals.some((type) => isOf(error, type)))
      return [`${name}, ${bytes.toString('hex')}: ${(errorOf(bytes) as Error | undefined)?.stack ?? error}`]
    // A collection of garbage does not come each time in the same place.
    if (isLate && isSlow(bytes) && isSlow(bytes)) return [`${name}, ${bytes.toString('hex')}: over ${LIMIT_MS} ms`]
  }
  return []
}

/** So many changed inputs for each reader. Returns how many failed, and prints each. */
export const fuzzInputs = (count: number, seed: number): number => {
  const readers = inputReaders()
  const findings = readers.flatMap((reader) => readChanged(reader, count, seed))
  for (const finding of findings) console.log(`FAILED ${finding}`)
  console.log(`inputs: ${readers.length} readers, ${count} for each; ${findings.length} failed, seed ${seed}`)
  return findings.length
}
