import { beginCell, Cell, parseTuple } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { dictGet } from '../../server/cell/dict.ts'
import { readsOf, searchCode } from '../../server/chain/code-reads.ts'
import { makeTvmConfig } from '../../server/tvm/config.ts'
import type { ConfigForm, TvmConfig } from '../../server/tvm/tvm.ts'
import { emptyAccount, internalMessage, messageBoc, raw, stackBoc, walletV3, walletV4 } from '../kit/chain/contracts.ts'
import { sandboxConfig } from '../kit/chain/executor.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { readData } from '../kit/data.ts'

const mainnet = (name: string): TvmConfig => makeTvmConfig(parseBocRoot(readData(`config/${name}`)))

const tvm = createTestTvm({ workers: 1 })
afterAll(() => tvm.close())
const { signal } = new AbortController()
const opcodes = (hex: string): Uint8Array => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell().toBoc()
const run = (config: TvmConfig, code: string, configForm?: ConfigForm) =>
  tvm.runGetMethod(
    {
      config,
      ...(configForm && { configForm }),
      code: opcodes(code),
      data: Cell.EMPTY.toBoc(),
      address: raw(walletV4.address),
      balance: 1n,
      methodId: 0,
      stack: stackBoc(),
      now: 1_760_000_000,
      randomSeed: Buffer.alloc(32, 1),
      gasLimit: 1_000_000n,
    },
    signal,
  )

describe('a configuration', () => {
  const root = parseBocRoot(Buffer.from(sandboxConfig(), 'base64'))
  const config = makeTvmConfig(root)

  it('is the same to the emulator in its full form', () => {
    expect(parseBocRoot(config.full).hashHex()).toBe(root.hashHex())
    expect(config.id).toBe(root.hashHex())
  })

  it('has a slim form of a tenth, of the same parameters', () => {
    expect(config.slim.length).toBeLessThan(config.full.length / 10)
    expect(config.slimmed.length).toBeGreaterThan(2)
    const slim = parseBocRoot(config.slim)
    for (const param of [0, 8, 17, 20, 21, 24, 25, 43]) {
      expect(dictGet(slim, 32, BigInt(param))?.loadRef().hashHex()).toBe(dictGet(root, 32, BigInt(param))?.loadRef().hashHex())
    }
    expect(dictGet(slim, 32, 34n)?.loadRef().type).toBe('library')
  })

  it('shows a get-method every parameter, those of the slim form and those left out of it', async () => {
    // DROP 20 CONFIGOPTPARAM, 34 CONFIGOPTPARAM CTOS 8 LDU DROP: the validators' tag
    const small = await run(config, '308014f833')
    expect(small.exitCode).toBe(0)
    const large = await run(config, '308022f833d0d30730')
    expect([large.exitCode, large.missingLibrary]).toEqual([0, undefined])
    expect(parseTuple(Cell.fromBoc(Buffer.from(large.stack))[0]!)).toEqual([{ type: 'int', value: 0x12n }])
  })

  it('shows a contract that takes the hash of a large one that very hash', async () => {
    // DROP 34 CONFIGOPTPARAM HASHCU
    const code = '308022f833f900'
    const result = await run(config, code, readsOf(searchCode(parseBocRoot(opcodes(code)))).config)
    const hash = BigInt(`0x${dictGet(root, 32, 34n)?.loadRef().hashHex()}`)
    expect(parseTuple(Cell.fromBoc(Buffer.from(result.stack))[0]!)).toEqual([{ type: 'int', value: hash }])
  })

  it('shows them also to a contract that would catch the failure', async () => {
    // DROP PUSHCONT { 34 CONFIGOPTPARAM CTOS 8 LDU DROP } PUSHCONT { DROP DROP 99 } TRY
    const result = await run(config, '30988022f833d0d307309430308063f2ff')
    expect(result.exitCode).toBe(0)
    expect(parseTuple(Cell.fromBoc(Buffer.from(result.stack))[0]!)).toEqual([{ type: 'int', value: 0x12n }])
  })

  it('of mainnet of 2026 runs transactions, its parameter 43 cut to what the emulator knows', async () => {
    const config = mainnet('acton-mainnet-config-84773657.boc')
    const [result] = await tvm.runTransactions(
      [
        {
          kind: 'message',
          config,
          account: 'a',
          shardAccount: emptyAccount(),
          message: messageBoc(internalMessage(walletV3.address, walletV4.address, 7_000_000n)),
          now: 1_760_000_000,
          lt: 1_000_000n,
          randomSeed: Buffer.alloc(32, 1),
        },
      ],
      signal,
    )
    expect(result?.ok || result?.error).toBe(true)
    expect((await run(config, '3071')).exitCode).toBe(0)
  })
})
