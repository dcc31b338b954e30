import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startApp } from '../../server/app.ts'
import { silentLog } from '../../server/base/log.ts'
import { showStatus } from '../../server/cli/status.ts'
import { networkConfigs } from '../../server/config/networks.ts'
import { planSharedSource, type SharedSource } from '../../server/network/shared-lite-server.ts'
import { configOf, runWith } from '../cli/kit.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { ask } from '../kit/service/client.ts'
import { startTonway } from '../kit/service/tonway.ts'

/* Two workers, as processes of TONWAY_WORKERS are started, in this process. */

it('with two workers the loss of the last lite-server is answered, shown and counted alike by both', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonway-shared-'))
  const tvm = createTestTvm({ workers: 1 })
  const maker = await startTonway({ blockTime: 0, liteserverPort: 0 })
  const file = join(folder, 'global.config.json')
  await writeFile(file, (await ask(`${maker.url}/global.config.json`)).text)
  const config = configOf('--port', '0', '--network', 'copy', '--global-config', file, '--index', 'off', '--liteserver-port', 'off')
  const source = await planSharedSource(networkConfigs(config)[0]!)
  const start = (worker: number) => {
    const sources = new Map<string, SharedSource>([['copy', { ...source, opens: worker === 1 }]])
    return startApp(config, { log: silentLog, tvm, worker, sources })
  }
  const first = await start(1)
  const second = await start(2)
  const { port } = maker.app.network.endpoint!
  await maker.close()
  const address = `0:${'1'.repeat(64)}`
  const answer = async ({ url }: { url: string }): Promise<unknown> => {
    const { status, body } = await ask<{ error?: string }>(`${url}/api/v2/getAddressInformation?address=${address}`)
    return [status, body.error]
  }
  try {
    const reason = expect.stringMatching(`^no working lite-server \\(127\\.0\\.0\\.1:${port}: `)
    for (const worker of [first, second]) expect(await answer(worker)).toEqual([542, reason])
    const upOf = async ({ url }: { url: string }): Promise<string[]> =>
      (await ask(`${url}/metrics`)).text.split('\n').filter((line) => line.startsWith('tonway_liteserver_up{'))
    expect([await upOf(first), await upOf(second)]).toEqual([[expect.stringMatching(/ 0$/)], []])
    const shown = async ({ url }: { url: string }): Promise<string> =>
      (await runWith((streams) => showStatus({ config, flags: { url } }, streams))).out.join('\n')
    expect(await shown(first)).toContain('lite-servers  0 of 1 working\n')
    expect(await shown(second)).toMatch(/lite-servers {2}worker 1 has those without a group$/)
  } finally {
    await second.close(1_000)
    await first.close(1_000)
    await tvm.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)
