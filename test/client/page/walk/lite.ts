import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { globalConfig } from '../../../../server/chain/endpoint/write-global-config.ts'
import { type LiteArgs, type LiteServer, LiteServerError } from '../../../../server/chain/liteserver.ts'
import { serve } from '../../../chain/lite/kit.ts'
import { startTonway } from '../../../kit/service/tonway.ts'
import type { Walk } from './walk.ts'

/* The page of a network that is known by its lite-servers alone. */

/** A lite-server over the chain of the walk. States before the masterchain block `oldest` are gone. */
const openForgetful = async (walk: Walk) => {
  const { source } = walk.service.tonway.app.network
  const state = { oldest: 0 }
  const forgetful = {
    ...source,
    async query(fn, args, stop) {
      if (fn === 'getAccountState' && (args as LiteArgs<'getAccountState'>).id.seqno < state.oldest)
        throw new LiteServerError(651, 'state is not in db')
      return source.query(fn, args, stop)
    },
  } as LiteServer
  const endpoint = await serve(forgetful)
  const { port, publicKey } = endpoint
  const text = await globalConfig(source, { host: '127.0.0.1', port, publicKey }, AbortSignal.timeout(60_000), { reverts: true })
  return { state, text, close: endpoint.close }
}

export const lite = (walk: Walk): void => {
  const { says } = walk

  it('the page of a network of lite-servers runs transactions again whose states are kept, and says so where they are not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tonway-page-'))
    const far = await openForgetful(walk)
    const file = join(folder, 'global.config.json')
    await writeFile(file, far.text)
    const copy = await startTonway({ network: ['copy'], globalConfig: file, index: true, databaseUrl: await walk.database() })
    const go = (...parts: string[]) => walk.page.goto(`${copy.url}/#/${parts.join('/')}`)
    try {
      const { seqno } = walk.service.tonway.app.network.chain.head().id
      await copy.app.network.index!.reached(seqno, AbortSignal.timeout(120_000))
      await go()
      await says(/Index\s+up to date/)
      await expect.poll(() => walk.page.locator('.connection').innerText()).toMatch(/copy\s+blocks (live|up to date)/)
      // What is made there is seen here.
      const { block } = await walk.service.call('local.mine', { count: 1 })
      await says(new RegExp(`Masterchain block\\s+${block.seqno}`))
      // The chain of others is not controlled from here; messages can be sent.
      expect(await walk.page.getByRole('link', { name: 'Workbench' }).count()).toBe(0)
      await go('workbench')
      await says('The chain is controlled only where it is embedded', 'Send a BoC')
      await go('account', walk.known.wallet)
      await says('wallet v4R2', 'Jetton mint', /123\.456789\s+ACRN/)
      await go('tx', walk.known.mint)
      await says('3 transactions', 'It is only replayed: nothing is sent to the chain.')
      await walk.page.getByRole('button', { name: 'Show the steps' }).click()
      await says(/\d+ steps/, 'SETCP')
      far.state.oldest = block.seqno
      await go('tx', walk.known.failed)
      await says(
        'one transaction failed',
        'The steps cannot be shown here: the lite-servers of this network no longer keep the states before it',
      )
      expect(await walk.page.getByRole('button', { name: 'Show the steps' }).count()).toBe(0)
    } finally {
      // The page asks this service until it is left.
      await walk.page.goto('about:blank')
      walk.hosts.delete(new URL(copy.url).host)
      await copy.close()
      await far.close()
      await rm(folder, { recursive: true })
    }
  })
}
