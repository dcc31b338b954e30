import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Address, beginCell, Cell, contractAddress, type Sender } from '@ton/core'
import { TonClient } from '@ton/ton'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { expectTrace } from '../../server/start/expect.ts'
import type { Tonway } from '../../server/start/types.ts'
import { useTonway } from '../../server/start/vitest.ts'

/* The sender of server/start/tools/sandbox.md, taken from that page. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const chain = useTonway({ port: 'off' })

type SenderOf = (tonway: Pick<Tonway, 'client'>, address: Address) => Sender

const senderOfPage = async (): Promise<SenderOf> => {
  const page = await readFile(join(root, 'server/start/tools/sandbox.md'), 'utf8')
  const [, text] = /^```ts sender\.ts\n([\s\S]*?)^```$/m.exec(page)!
  const { code } = await transform(text!, { loader: 'ts' })
  // Inside the project, so that it finds @ton/core.
  const folder = await mkdtemp(join(root, 'node_modules/.sender-'))
  try {
    await writeFile(join(folder, 'sender.mjs'), code)
    return ((await import(pathToFileURL(join(folder, 'sender.mjs')).href)) as { readonly senderOf: SenderOf }).senderOf
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

it('the sender of the page about sandbox deploys and sends after the time was moved by a year', async () => {
  const senderOf = await senderOfPage()
  const via = senderOf(chain, Address.parse(chain.wallets[0]!.address))
  await chain.client.local.increaseTime({ seconds: 365 * 86_400 })
  // NOP
  const init = { code: beginCell().storeUint(0, 8).endCell(), data: Cell.EMPTY }
  const to = contractAddress(0, init)
  const opened = new TonClient({ endpoint: chain.endpoint, httpAdapter: chain.httpAdapter }).provider(to, init)
  const body = beginCell().storeUint(7, 32).endCell()
  const trace = await chain.record(() => opened.internal(via, { value: '1', body, bounce: false }))
  expectTrace(trace).toHaveTransaction({ from: via.address!, to, value: 1_000_000_000n, deploy: true, success: true, op: 7 })
  const again = await chain.record(() => opened.internal(via, { value: '2' }))
  expectTrace(again).toHaveTransaction({ to, value: 2_000_000_000n, deploy: false, inMessageBounceable: true })
  expect(via.address!.toRawString()).toBe(Address.parse(chain.wallets[0]!.address).toRawString())
})
