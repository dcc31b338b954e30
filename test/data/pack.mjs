// Makes the pack anew from the folder of all data: `node test/data/pack.mjs <folder>`. What is left out is named below, with its size packed.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib'

const [from] = process.argv.slice(2)
if (from === undefined) throw new Error('usage: node test/data/pack.mjs <folder of all data>')
const here = dirname(fileURLToPath(import.meta.url))

/** Left out to stay below 12 MB; tests that read one of these name it when they are skipped. */
const LEFT_OUT = [
  'chain/testnet-bundle-36649624.json.gz', // 1.6 MB
  'chain/mainnet-shard2000-571525-571555.state-571555.boc.gz', // 1.0 MB
  'inline/block.json.gz', // 1.8 MB
  'inline/config_dict.json.gz', // 0.7 MB
  'misc/rust-executor-libs.boc.gz', // 0.3 MB
  'misc/elector-data-bench.boc', // 0.2 MB
]
const PROSE = /\.md$/
const FOLDERS = [
  'blocks',
  'chain',
  'codes',
  'config',
  'inline',
  'misc',
  'recorded',
  'reference',
  'replay',
  'toncore',
  'traces',
  'transactions',
]

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const pack = (source, name) => {
  const raw = readFileSync(source)
  return write(name, source.endsWith('.gz') ? gunzipSync(raw) : raw)
}

const write = (name, bytes) => {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const target = join(here, `${name.replace(/\.gz$/, '')}.br`)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, brotliCompressSync(bytes, { params }))
  return statSync(target).size
}

for (const folder of FOLDERS) rmSync(join(here, folder), { recursive: true, force: true })
let total = 0
for (const file of filesIn(from)) {
  const name = relative(from, file)
  if (!PROSE.test(name) && !LEFT_OUT.includes(name)) total += pack(file, name)
}
// Hashes that were found with other software, as the folder's PROVENANCE.md tells them.
const named = readFileSync(join(from, 'PROVENANCE.md'), 'utf8').matchAll(
  /^\| (\S+\.boc)(?:\.gz)? \|.*\| root ([0-9a-f]{64}) sha256\(file\) ([0-9a-f]{64}) \|$/gm,
)
const hashes = [...named].map(([, name, root, file]) => ({ name, root, file }))
total += write('hashes.json', Buffer.from(JSON.stringify(hashes)))

// TON Center's own documents, to hold answers against.
for (const name of ['v2.openapi.json', 'v3.openapi.yaml']) total += pack(join(from, '../reference', name), `reference/${name}`)
console.log(`${(total / 1e6).toFixed(1)} MB`)
