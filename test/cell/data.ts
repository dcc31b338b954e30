import { readData } from '../kit/data.ts'

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
