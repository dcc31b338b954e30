// TON Center's own ton-http-api (2.0), run on the embedded chain's lite-server, against tonway (2.1's contract): every method that both have.
// The chain makes no idle blocks, so both answer from the same head, and every member is compared. Differences are listed with their reasons; one without
// a reason fails.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rates } from './ton-http-api-rates.mjs'

const [, , program, folder] = process.argv
const url = process.env.TONWAY_URL
const WHOLE = '-9223372036854775808'

const lower = (text) => String(text).toLowerCase()
const unbroken = (text) => String(text).replaceAll('\n', '')

/** Where 2.0 and 2.1 differ, by method and path of the difference, and why; with a function, only values that it accepts (theirs, ours). */
const REASONS = [
  [/^getAddressInformation\.result\.suspended$/, '2.1 tells of suspended accounts'],
  [/^getAddressInformation\.result\.balance$/, '2.0 writes the zero balance of a missing account as a number'],
  [/^getExtendedAddressInformation\.result\.account_state\.wallet_id$/, '2.0 writes it as text'],
  [/^getWalletInformation\.result\.(extra_currencies|@type)$/, '2.1 has another set of members'],
  [/^(detectAddress|getConsensusBlock)\.result\.(.*\.)?@type$/, '2.1 names its types'],
  [/^getConsensusBlock\.result\.timestamp$/, 'the time of the answer; 2.1 in whole seconds', (a, b) => Math.abs(a - b) < 60],
  [/^(unpackAddress\.result|.*\.account)$/, '2.1 writes raw addresses in capitals', (a, b) => lower(a) === lower(b)],
  [
    /^(getTransactions|tryLocate\w+)\.result\.(\d+\.)?account$/,
    '2.1 tells the account of a transaction',
    (a, b) => a === undefined && /^-?[01]:[0-9A-F]{64}$/.test(b),
  ],
  [/^(getTransactions|tryLocate\w+|getBlockTransactionsExt)\..*@type$/, '2.1 names its own types'],
  [/^(getTransactions|tryLocate\w+)\..*\.message$/, '2.0 breaks base64 into lines', (a, b) => unbroken(a) === unbroken(b)],
  [/^getBlockHeader\.result\.flags$/, '2.1 leaves flags out'],
  [/^getAddressInformation\.(status|error|code)$/, '2.0 refuses a parameter with 416, 2.1 with 422 and another text'],
  [/^tryLocate\w+\.(status|code|error)$/, '2.0 says 503 where there is no such transaction, 2.1 says 404'],
  [/^sendBoc\.error$/, 'the texts of a refused message differ'],
]

// Their server closes a connection that has rested for five seconds, perhaps at the very moment of the next request.
const ask = async (input, init) => fetch(input, init).catch(() => fetch(input, init))
const get = async (base, method, params) => read(await ask(`${base}/${method}?${new URLSearchParams(params)}`))
const post = async (base, method, params) =>
  read(await ask(`${base}/${method}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(params) }))
const read = async (response) => {
  const { '@extra': _, ...answer } = await response.json()
  return { status: response.status, ...answer }
}

const differences = (a, b, path) => {
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null)
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => differences(a[key], b[key], `${path}.${key}`))
  return a === b || path.endsWith('.@extra') ? [] : [{ path, theirs: a, ours: b }]
}

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'local.wallets', params: {} })
const rpc = async (text) =>
  (await (await fetch(`${url}/jsonRPC`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: text })).json()).result
const [{ address }, { address: other }] = (await rpc(body)).wallets
// A message to look for, and blocks after it.
const internal = { from: `0:${'5'.repeat(64)}`, to: other, value: '1000000000', bounce: false }
await rpc(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'local.sendInternal', params: internal }))
await rpc(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'local.mine', params: { count: 3 } }))

const config = join(folder, 'config.json')
writeFileSync(config, await (await fetch(`${url}/global.config.json`)).text())
const keys = join(folder, 'keystore')
mkdirSync(keys)
const port = 20_000 + Math.floor(Math.random() * 20_000)
const args = [
  '--host',
  '127.0.0.1',
  '--port',
  String(port),
  '--liteserver-config',
  config,
  '--tonlib-keystore',
  keys,
  '--logs-level',
  'ERROR',
]
// A group of its own: it starts workers that must end with it.
const api = spawn(program, args, { stdio: 'ignore', detached: true })
const theirs = `http://127.0.0.1:${port}`
const ours = `${url}/api/v2`
try {
  for (let i = 0; ; i += 1) {
    const answer = await get(theirs, 'getMasterchainInfo', {}).catch(() => undefined)
    if (answer?.ok) break
    if (i > 120) throw new Error('ton-http-api does not answer')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const seqno = (await get(ours, 'getMasterchainInfo', {})).result.last.seqno - 2
  const shard = (await get(ours, 'shards', { seqno })).result.shards[0]
  const master = { workchain: -1, shard: WHOLE }
  const block = { workchain: 0, shard: shard.shard, seqno: shard.seqno }
  const nobody = `0:${'1'.repeat(64)}`
  const [{ in_msg: sent }] = (await get(ours, 'getTransactions', { address: other, limit: 1 })).result
  const message = { source: sent.source, destination: sent.destination, created_lt: sent.created_lt }
  const reads = [
    ...[address, nobody, 'xx'].map((each) => ['getAddressInformation', { address: each }]),
    ...['getExtendedAddressInformation', 'getWalletInformation', 'getAddressBalance', 'getAddressState'].map((name) => [name, { address }]),
    ['packAddress', { address: nobody }],
    ['unpackAddress', { address }],
    ['detectAddress', { address }],
    ['getTransactions', { address, limit: 5 }],
    ['getTransactions', { address: other, limit: 5 }],
    ['getMasterchainBlockSignatures', { seqno }],
    ['getShardBlockProof', { ...block, from_seqno: seqno }],
    ['lookupBlock', { ...master, seqno }],
    ['lookupBlock', { ...master, seqno: 99_999_999 }],
    ['shards', { seqno }],
    ['getBlockHeader', { ...master, seqno }],
    ...[{ ...master, seqno }, block].flatMap((at) => [
      ['getBlockTransactions', at],
      ['getBlockTransactionsExt', at],
    ]),
    ['getConsensusBlock', {}],
    ...[8, 34, 777].map((config_id) => ['getConfigParam', { config_id }]),
    ['getLibraries', { libraries: `${'A'.repeat(43)}=` }],
    ['getTokenData', { address }],
    ...['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx'].map((name) => [name, message]),
  ]
  const runs = [
    ['runGetMethod', { address, method: 'seqno', stack: [] }],
    ['runGetMethod', { address, method: 'nope', stack: [] }],
    ['runGetMethod', { address: nobody, method: 'seqno', stack: [] }],
    ['sendBoc', { boc: 'AAAA' }],
    ['estimateFee', { address, body: 'te6cckEBAQEAAgAAAEysuc0=', ignore_chksig: true }],
  ]
  const seen = new Map()
  const unknown = []
  const compare = (method, a, b) => {
    for (const { path, theirs: left, ours: right } of differences(a, b, method)) {
      const reason = REASONS.find(([pattern, , accepts]) => pattern.test(path) && (accepts === undefined || accepts(left, right)))?.[1]
      if (reason) seen.set(reason, path)
      else unknown.push(`${path}: ${JSON.stringify(left)} there, ${JSON.stringify(right)} here`)
    }
  }
  for (const [method, params] of reads) compare(method, await get(theirs, method, params), await get(ours, method, params))
  for (const [method, params] of runs) compare(method, await post(theirs, method, params), await post(ours, method, params))
  console.log(`${reads.length + runs.length} calls compared`)
  for (const [reason, path] of seen) console.log(`differs: ${path}: ${reason}`)
  for (const line of unknown) console.log(`NO REASON: ${line.slice(0, 300)}`)
  if (unknown.length > 0) process.exitCode = 1
  for (const line of await rates(config, theirs, address)) console.log(line)
} finally {
  process.kill(-api.pid, 'SIGTERM')
}
