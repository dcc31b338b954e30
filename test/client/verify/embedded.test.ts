import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createLightClient, verifyPage } from '../../../client/verify/index.ts'
import type { MethodName, ParamsIn } from '../../../shared/registry.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { playScene, rawOf, type Scene, STRANGER } from '../../v3/scene.ts'

let service: V3Service
let scene: Scene
let me: string
beforeAll(async () => {
  service = await startV3()
  scene = await playScene(service)
  me = rawOf(scene.wallet.address)
})
afterAll(() => service?.close())

const pagesDump: unknown[] = []
const call = (method: string, params: object) => service.call(method as MethodName, params as ParamsIn<MethodName>) as Promise<object>
const client = async () => {
  const { first } = await service.call('v3.masterchainInfo', {})
  const { chain } = service.tonway.app.network
  const { init } = await chain.masterchainInfo(AbortSignal.timeout(10_000))
  void first
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  return createLightClient({ call, trusted: { seqno: 0, root_hash: base64(init.rootHash), file_hash: base64(init.fileHash) } })
}

describe('pages of an embedded chain', () => {
  it('x', async () => {
    const light = await client()
    console.log(await light.catchUp())
    for (const [method, params] of [
      ['v3.transactions', { account: [me], limit: 5 }],
      ['v3.transactions', { limit: 10 }],
      ['v3.transactions', { account: [me], limit: 10 }],
      ['v3.messages', { limit: 20 }],
      ['v3.accountStates', { address: [me, rawOf(STRANGER)], include_boc: true }],
    ] as const) {
      const answer = await service.call(method as MethodName, { ...params, proofs: true } as never)
      pagesDump.push({ method, params, answer })
      const t = performance.now()
      const page = await verifyPage(method, params, answer as object, { head: light })
      writeFileSync('/tmp/verify-pages.json', JSON.stringify(pagesDump))
      console.log(method, performance.now() - t, (page.rows as readonly unknown[]).length, { ...page, rows: 0 })
    }
  })
})
