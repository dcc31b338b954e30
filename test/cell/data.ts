import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Folder of the real TON data; tests that need it are skipped where it is missing. */
const folder = new URL(`${process.env['TONWAY_TEST_DATA'] ?? '../shared/data'}/`, `file://${process.cwd()}/`).pathname

export const dataMissing = existsSync(folder) ? false : `no test data in ${folder} (TONWAY_TEST_DATA)`

/** A file, unpacked where it is gzipped. */
export const readData = (name: string): Buffer => {
  const bytes = readFileSync(folder + name)
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

/** Names in a sub-folder, with the sub-folder. */
export const listData = (sub: string, pattern: RegExp): string[] =>
  dataMissing
    ? []
    : readdirSync(folder + sub)
        .filter((name) => pattern.test(name))
        .sort()
        .map((name) => `${sub}/${name}`)

/** One line of a chain file. */
export interface ChainBlock {
  readonly id: string
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
  readonly boc: string
  readonly proof: string | null
}

export const readChain = (name: string): ChainBlock[] =>
  readData(name)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ChainBlock)

export const bytesOf = (text: string): Buffer => Buffer.from(text, /^[0-9a-fA-F]+$/.test(text) ? 'hex' : 'base64')
