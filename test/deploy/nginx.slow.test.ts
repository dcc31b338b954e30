import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../kit/free-port.ts'
import { builtService } from '../kit/service/process.ts'
import { until } from '../kit/wait.ts'
import { readDeployed } from './compose.ts'

/* The configuration of nginx in the deploy README, in front of a running service. */

const hasNginx = ['nginx', 'openssl'].every((program) => spawnSync(program, ['-v']).error === undefined)
const inNginx = (title: string): string => (hasNginx ? title : `${title}: skipped, nginx or openssl is not here`)

/** The first bytes of an answer, its status and headers. */
const ask = async (url: string, options: object = {}, body = '') => {
  const sent = request(url, { rejectUnauthorized: false, ...options })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const [first] = (await once(answer, 'data')) as [Buffer]
  sent.destroy()
  return { status: answer.statusCode, headers: answer.headers, text: first.toString() }
}

describe('the configuration of nginx in the deploy README', () => {
  it.skipIf(!hasNginx)(inNginx('nginx accepts it, and passes calls, WebSockets, events and addresses of clients on'), async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tonway-nginx-'))
    const service = builtService.start(['--port', '0', '--liteserver-port', 'off', '--access-log', 'on', '--trusted-proxies', 'loopback'])
    const [, given] = /^```nginx\n([\s\S]*?)^```$/m.exec(readDeployed('README.md'))!
    const port = await freePort()
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-keyout', key, '-out', certificate]
    expect(spawnSync('openssl', made).status).toBe(0)
    const site = given!
      .replace('127.0.0.1:8081', new URL(await service.ready).host)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
    const file = join(folder, 'nginx.conf')
    await writeFile(file, `daemon off; pid ${folder}/pid; error_log stderr warn; events {} http { access_log off; ${paths}\n${site}}`)
    const { status, stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', file], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')])
    const nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' })
    const url = `https://127.0.0.1:${port}`
    try {
      await until(() =>
        ask(`${url}/health`).then(
          () => true,
          () => false,
        ),
      )
      const call = await ask(`${url}/api/v2/getMasterchainInfo`, { headers: { 'X-Forwarded-For': '203.0.113.9' } })
      expect([call.status, call.text]).toEqual([200, expect.stringContaining('"last"')])

      const socket = new WebSocket(`${url.replace('https', 'wss')}/jsonRPC`, { rejectUnauthorized: false })
      await once(socket, 'open')
      socket.send('{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo","params":{}}')
      const [message] = (await once(socket, 'message')) as [Buffer]
      expect(JSON.parse(message.toString())).toMatchObject({ id: 1, result: { last: expect.anything() } })
      socket.terminate()

      const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream' }
      await until(async () => (await ask(`${url}/api/streaming/healthz`)).status === 200)
      const events = await ask(`${url}/api/streaming/v2/sse`, { method: 'POST', headers }, '{"types":["blocks"]}')
      expect([events.status, events.headers['content-type']]).toEqual([200, expect.stringContaining('text/event-stream')])

      const local = { jsonrpc: '2.0', id: 1, method: 'local.wallets', params: {} }
      const refused = await ask(
        `${url}/jsonRPC`,
        { method: 'POST', headers: { 'Content-Type': 'application/json' } },
        JSON.stringify(local),
      )
      expect(refused.text).toContain('FORBIDDEN')
    } finally {
      nginx.kill()
      await once(nginx, 'exit')
      service.child.kill('SIGTERM')
      // The address that nginx adds is that of a trusted proxy here, so the one before it is the client's.
      expect((await service.ended).err).toMatch(/"http\.request"[^\n]*203\.0\.113\.9|203\.0\.113\.9[^\n]*"http\.request"/)
      await rm(folder, { recursive: true, force: true })
    }
  })
})
