import { type Address, beginCell, Cell, Dictionary, type Slice } from '@ton/core'
import {
  configParse5,
  configParse8,
  configParse13,
  configParse15,
  configParse16,
  configParse17,
  configParse18,
  configParseGasLimitsPrices,
  configParseMasterAddress,
  configParseMsgPrices,
  configParseValidatorSet,
} from '@ton/ton'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { startTonway } from '../../server/start/start.ts'
import { withConfigParam } from '../../server/tlb/config/config-dictionary.ts'
import { createAnswerTexts } from '../../server/v2/answer-texts.ts'
import { configHandlers } from '../../server/v2/config.ts'
import { inspectParams } from '../../server/v2/inspect/config.ts'
import { wideTree } from '../kit/bombs.ts'
import { hasData, readData } from '../kit/data.ts'
import { timeTurns } from '../kit/turns.ts'
import { fakeChain, fakeConfig } from './fake-chain.ts'

/* inspectConfig on configurations of mainnet and testnet, held against the parsers of @ton/ton. */

const CONFIGS = ['acton-mainnet-config-84773657', 'acton-testnet-config-76769489', 'ton4j-config-all-mainnet', 'toncore-config']
const never = new AbortController().signal

type Members = Readonly<Record<string, unknown>>
const rawOf = (address: Address | null): string => `-1:${address!.hash.toString('hex').toUpperCase()}`

/** All values of an object in the order of its fields. Names of @ton/ton's fields are not always those of block.tlb. */
const values = (value: object | null): unknown[] =>
  Object.values(value!).flatMap((each) => (typeof each === 'object' && each !== null ? values(each) : [String(each)]))
const ours = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(ours) : [String(value)]

/** What @ton/ton reads, as the list of all values in the order of the schema. */
const THEIRS: Readonly<Record<number, (slice: Slice) => unknown[]>> = {
  13: (s) => values(configParse13(s)),
  15: (s) => values(configParse15(s)),
  16: (s) => values(configParse16(s)),
  17: (s) => values(configParse17(s)),
  18: (s) => configParse18(s).flatMap(values),
  24: (s) => values(configParseMsgPrices(s)),
  25: (s) => values(configParseMsgPrices(s)),
}

describe.each(CONFIGS.filter((name) => hasData(`config/${name}.boc`)))('the configuration %s', (name) => {
  const read = async () => {
    const boc = readData(`config/${name}.boc`)
    const params = await inspectParams(parseBocRoot(boc), createAnswerTexts({ signal: never }))
    const cells = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), Cell.fromBoc(boc)[0]!)
    return { params, cells }
  }

  it('inspectConfig has every parameter, each as its cell is, and decoded if its number has a name', async () => {
    const { params, cells } = await read()
    expect(params.map(({ param }) => param).sort((a, b) => a - b)).toEqual([...cells.keys()].sort((a, b) => a - b))
    for (const { param, boc } of params) expect(Cell.fromBase64(boc).equals(cells.get(param)!)).toBe(true)
    const undecoded = params.filter(({ name, value }) => (name === null) !== (value === null)).map(({ param }) => param)
    expect(undecoded).toEqual([])
    expect(params.filter((each) => each.name !== null).length).toBeGreaterThan(25)
    // Everything is JSON.
    expect(JSON.parse(JSON.stringify(params))).toEqual(params)
  })

  it('inspectConfig answers what another implementation reads', async () => {
    const { params, cells } = await read()
    const of = (param: number): Members | undefined => params.find((each) => each.param === param)?.value as Members | undefined
    const slice = (param: number): Slice => cells.get(param)!.beginParse()
    for (const [param, theirs] of Object.entries(THEIRS))
      if (cells.has(Number(param))) expect([param, ours(of(Number(param)))]).toEqual([param, theirs(slice(Number(param)))])
    for (const param of [0, 1, 2, 3, 4].filter((each) => cells.has(each)))
      expect([param, of(param)]).toEqual([param, rawOf(configParseMasterAddress(slice(param)))])
    // It expects the slice behind the tag of GlobalVersion.
    const version = configParse8(slice(8).skip(8))
    expect(of(8)).toEqual({ version: version.version, capabilities: String(version.capabilities) })
    for (const param of [20, 21]) {
      const { flatLimit, flatGasPrice, other } = configParseGasLimitsPrices(slice(param))
      expect(of(param)).toMatchObject({
        gas_price: String(other.gasPrice),
        flat: { limit: String(flatLimit), price: String(flatGasPrice) },
      })
      expect(of(param)).toMatchObject({ gas_limit: String(other.gasLimit), delete_due_limit: String(other.deleteDueLimit) })
    }
    const validators = configParseValidatorSet(slice(34))!
    expect(of(34)).toMatchObject({ total: validators.total, main: validators.main, total_weight: String(validators.totalWeight) })
    expect((of(34)!['list'] as readonly Members[]).map((each) => each['public_key'])).toEqual(
      [...validators.list.values()].map(({ publicKey }) => publicKey.toString('hex')),
    )
    if (cells.has(5)) expect(of(5)!['fee_burn_num']).toBe(configParse5(slice(5))!.feeBurnNominator)
  })
})

describe('the registry of validators (46)', () => {
  const cellOf = (code: bigint | undefined, tag = 0x3601163e): string => {
    const b = beginCell()
      .storeUint(tag, 32)
      .storeUint(0x46n, 256)
      .storeUint(3, 32)
      .storeBit(code !== undefined)
    return (code === undefined ? b : b.storeUint(code, 256)).endCell().toBoc().toString('base64')
  }

  it('the registry of validators is set, read back and shown in words, and refused where it is not in its form', async () => {
    const tonway = await startTonway()
    try {
      const { local } = tonway.client
      const shown = async () => (await tonway.client.inspectConfig({})).params.find(({ param }) => param === 46)
      expect(await shown()).toBeUndefined()
      const contract = { contract_address: `-1:${'0'.repeat(62)}46`, max_collators_per_validator: 3 }
      for (const [code, more] of [[undefined, {}] as const, [0xc0n, { new_code_hash: `${'0'.repeat(62)}c0` }] as const]) {
        await local.setConfig({ params: { '46': cellOf(code) } })
        expect(await shown()).toMatchObject({ name: 'Registry of validators and their collators', boc: cellOf(code) })
        expect((await shown())!.value).toEqual({ ...contract, ...more })
        expect((await tonway.client.getConfigParam({ param: 46 })).config.bytes).toBe(cellOf(code))
      }
      const before = (await shown())!.boc
      for (const wrong of [cellOf(undefined, 0x3601163f), beginCell().endCell().toBoc().toString('base64')])
        await expect(local.setConfig({ params: { '46': wrong } })).rejects.toThrow(/configuration parameter 46 cannot be read/)
      expect((await shown())!.boc).toBe(before)
      await local.setConfig({ params: { '46': null } })
      expect(await shown()).toBeUndefined()
    } finally {
      await tonway.close()
    }
  })
})

it('getConfigAll writes the largest configuration in turns', async () => {
  // As many cells as an answer with a configuration can have.
  const root = wideTree(131_072)
  const { getConfigAll } = configHandlers({ chain: fakeChain({ config: async () => fakeConfig({ root }) }) })
  const { longest, all } = await timeTurns(async () => getConfigAll({}, { signal: never } as Call))
  expect(longest).toBeLessThan(all / 3)
})

it('inspectConfig refuses a configuration whose parameters share so many cells that the answer would be too long', async () => {
  const value = wideTree(4_000)
  let root = withConfigParam(undefined, 0, value)
  for (let param = 1; param < 5_000; param++) root = withConfigParam(root, param, value)
  const { inspectConfig } = configHandlers({ chain: fakeChain({ config: async () => fakeConfig({ root }) }) })
  await expect((async () => inspectConfig({}, { signal: never } as Call))()).rejects.toMatchObject({ kind: 'TOO_LARGE' })
})
