import { afterAll, describe, expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { readsOf, searchCode } from '../../server/chain/code-reads.ts'
import { methodIds } from '../../server/index/topics/contracts/method-dictionary.ts'
import { makeTvmConfig } from '../../server/tvm/config.ts'
import type { ConfigForm } from '../../server/tvm/tvm.ts'
import { raw, stackBoc, walletV4 } from '../kit/chain/contracts.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { readData } from '../kit/data.ts'

/* The parts of a configuration that a run is given against the whole of mainnet's, on the codes that stand there. */

const METHODS = 3
const DATA = [
  beginCell().end(),
  // What many contracts begin with: numbers, then cells.
  beginCell()
    .storeBytes(Buffer.alloc(100, 0x5a))
    .storeRef(beginCell().storeUint(7, 64).end())
    .storeRef(beginCell().storeBytes(Buffer.alloc(40, 1)).end())
    .end(),
]

describe('get-methods of real codes', () => {
  const tvm = createTestTvm({ workers: 2 })
  afterAll(() => tvm.close())
  const { signal } = new AbortController()

  it('answer with what their code may read of the configuration as with all of it', async () => {
    const config = makeTvmConfig(parseBocRoot(readData('config/acton-mainnet-config-84773657.boc')))
    const codes = (JSON.parse(readData('codes/by-hash.json.gz').toString()) as { boc: string }[]).map(({ boc }) =>
      parseBocRoot(Buffer.from(boc, 'base64')),
    )
    const run = (code: Uint8Array, data: Uint8Array, methodId: number, configForm: ConfigForm) =>
      tvm.runGetMethod(
        {
          ...{ config, configForm, code, data, methodId },
          address: raw(walletV4.address),
          balance: 1_000_000_000n,
          stack: stackBoc(),
          now: 1_760_000_000,
          randomSeed: Buffer.alloc(32, 1),
          gasLimit: 100_000n,
        },
        signal,
      )
    const runs: { readonly form: ConfigForm; readonly whole: unknown; readonly given: unknown }[] = []
    for (const root of codes) {
      const form = readsOf(searchCode(root)).config
      const code = serializeBoc(root)
      await Promise.all(
        methodIds(root)
          .slice(0, METHODS)
          .flatMap((methodId) =>
            DATA.map(async (data) => {
              const bytes = serializeBoc(data)
              const [whole, given] = await Promise.all([run(code, bytes, methodId, 'full'), run(code, bytes, methodId, form)])
              runs.push({ form, whole, given })
            }),
          ),
      )
    }
    expect(runs.map(({ given }) => given)).toEqual(runs.map(({ whole }) => whole))
    const count = (of: ConfigForm) => runs.filter(({ form }) => form === of).length
    expect(count('own')).toBeGreaterThan(runs.length / 3)
    expect(count('slim')).toBeGreaterThan(runs.length / 10)
    expect(runs.filter(({ form, whole }) => form === 'own' && (whole as { exitCode: number }).exitCode === 0).length).toBeGreaterThan(50)
  }, 60_000)
})
