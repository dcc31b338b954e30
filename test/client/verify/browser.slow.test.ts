import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, inBrowser, openBrowser } from '../../kit/service/browser.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { playScene, rawOf, STRANGER } from '../../v3/scene.ts'
import { browserSize, root } from '../size.ts'

/* The built module in a page of Chromium, which asks a listening tonway through a proxy that may lie. */

const run = promisify(execFile)
const dist = join(root, 'dist/client')

const textOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

interface Answer {
  readonly result: { readonly transactions?: { total_fees: string; now: number }[]; readonly proof?: { readonly transactions: unknown[] } }
}
/** What the proxy may do to an answer. */
const LIES: Readonly<Record<string, (answer: Answer) => void>> = {
  honest: () => {},
  changed: ({ result: { transactions } }) => {
    if (transactions?.[3]) transactions[3].total_fees = '123456789'
  },
  leftOut: ({ result: { transactions, proof } }) => {
    transactions?.splice(2, 1)
    proof?.transactions.splice(2, 1)
  },
}

let service: V3Service
let site: Server
let url: string
beforeAll(async () => {
  await run(process.execPath, ['server/build/client.mjs'], { cwd: root })
  service = await startV3()
  await playScene(service)
  for (let i = 0; i < 6; i++) await service.call('local.fund', { address: rawOf(STRANGER), amount: '1000' })
  await service.settle()
  site = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://site')
    if (pathname === '/') return void response.setHeader('content-type', 'text/html').end('<!doctype html><title>light</title>')
    if (pathname === '/verify.js')
      return void response.setHeader('content-type', 'text/javascript').end(await readFile(join(dist, 'verify.js')))
    if (pathname !== '/rpc') return void response.writeHead(404).end()
    const answer = await fetch(`${service.url}/jsonRPC`, {
      method: 'POST',
      body: await textOf(request),
      headers: { 'content-type': 'application/json' },
    })
    const body = (await answer.json()) as Answer
    LIES[searchParams.get('lie')!]!(body)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
})
afterAll(async () => {
  site?.close()
  await service?.close()
})

/** Runs in the page. */
const SCRIPT = `async ({ zerostate, account }) => {
  const { createLightClient, verifyPage } = await import('/verify.js')
  const caller = (lie) => async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return (await (await fetch('/rpc?lie=' + lie, { method: 'POST', body })).json()).result
  }
  const light = createLightClient({ call: caller('honest'), trusted: zerostate })
  const head = await light.catchUp()
  const params = { account: [account], limit: 10 }
  const ask = (lie) => caller(lie)('v3.transactions', { ...params, proofs: true })
  const answer = await ask('honest')
  const times = []
  let page
  for (let i = 0; i < 21; i++) {
    const begin = performance.now()
    page = await verifyPage('v3.transactions', params, answer, { head: answer.proof.masterchain })
    times.push(performance.now() - begin)
  }
  const lies = {}
  for (const lie of ['changed', 'leftOut'])
    lies[lie] = await verifyPage('v3.transactions', params, await ask(lie), { head: light }).then(() => 'accepted', ({ name, message }) => name + ': ' + message)
  return { head, rows: page.rows.length, complete: page.complete, uncovered: page.uncovered, first: times[0], median: [...times].sort((a, b) => a - b)[10], lies, buffer: typeof Buffer }
}`

describe('the verifier in a browser', () => {
  it.skipIf(!browserPath)(
    inBrowser('verifies a page from a light client and catches a lying server'),
    async () => {
      const { init } = await service.tonway.app.network.chain.masterchainInfo(AbortSignal.timeout(10_000))
      const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
      const zerostate = { seqno: 0, root_hash: base64(init.rootHash), file_hash: base64(init.fileHash) }
      const browser = await openBrowser()
      try {
        const page = await browser.newPage()
        await page.goto(url)
        const result = (await page.evaluate(`(${SCRIPT})(${JSON.stringify({ zerostate, account: rawOf(STRANGER) })})`)) as Record<
          string,
          unknown
        >
        expect(result).toMatchObject({ rows: 10, complete: 'from_newest', buffer: 'undefined' })
        expect(result['lies']).toEqual({
          changed: expect.stringMatching(/^VerifyError: transactions\[3\]\.total_fees: "123456789", the cells say/),
          leftOut: expect.stringMatching(/^VerifyError: transactions\[2\]: not the next transaction/),
        })
        console.log(
          `a page of 10 in ${browser.version()}: first ${Number(result['first']).toFixed(1)} ms, median ${Number(result['median']).toFixed(1)} ms`,
        )
      } finally {
        await browser.close()
      }
    },
    120_000,
  )

  it('the module has at most 20 KB, gzipped, with everything, and needs nothing of Node', async () => {
    const { gzipped } = await browserSize("export * from './dist/client/verify.js'")
    expect(gzipped).toBeLessThanOrEqual(20_000)
    for (const name of ['verify.js', 'verify.cjs'])
      expect(await readFile(join(dist, name), 'utf8')).not.toMatch(/\bBuffer\b|node:|\brequire\(|\bimport\b.*from|zod/)
  })

  it('the module runs in Node, imported and required', async () => {
    for (const code of [
      `import { verifyPage } from './verify.js'\nconsole.log(typeof verifyPage)`,
      `const { verifyPage } = require('./verify.cjs')\nconsole.log(typeof verifyPage)`,
    ]) {
      const { stdout } = await run(process.execPath, ['--input-type', code.startsWith('import') ? 'module' : 'commonjs', '-e', code], {
        cwd: dist,
      })
      expect(stdout.trim()).toBe('function')
    }
  })
})
