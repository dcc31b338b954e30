import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ask, rpc } from '../kit/service/client.ts'
import { builtService } from '../kit/service/process.ts'

let folder: string | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-process-'))
})
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true })
})

describe('the process', () => {
  it('the process starts, tells its URL, and answers', async () => {
    const { ready, child, ended } = builtService.start(['--port', '0'])
    const url = await ready
    const { wallets } = await rpc<{ wallets: { address: string; mnemonic: string[]; balance: string }[] }>(url, 'local.wallets')
    expect(wallets.length).toBeGreaterThanOrEqual(2)
    child.kill('SIGTERM')
    const { code, out, err } = await ended
    expect(code).toBe(0)
    // What is for people is printed on a terminal, or beside a log in text (cli/banner.slow.test.ts).
    expect(out).toBe('')
    // The log is JSON lines on standard error, and mnemonics are not in it.
    for (const line of err.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: 'info', event: expect.any(String) })
    expect(err).not.toContain(wallets[0]!.mnemonic.slice(0, 3).join(' '))
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('the process ends on %s after the running answers', async (signal) => {
    const { ready, child, ended } = builtService.start(['--port', '0', '--block-time', '0', '--log', 'error'])
    const url = await ready
    const socket = new WebSocket(`${url.replace('http', 'ws')}/jsonRPC`)
    await new Promise((open) => socket.once('open', open))
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    const heard = new Map<unknown, unknown>()
    socket.on('message', (data) => {
      const answer = JSON.parse(String(data)) as { id: unknown }
      heard.set(answer.id, answer)
    })
    const mined = rpc<{ block: { seqno: number } }>(url, 'local.mine', { count: 25 })
    // The call by HTTP is under way when the chain has begun to move, the one by the socket when the call behind it is answered.
    await expect
      .poll(async () => (await ask<{ head: { seqno: number } }>(`${url}/status`)).body.head.seqno, { interval: 2 })
      .toBeGreaterThan(1)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'local.mine', params: { count: 25 } }))
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'behind', method: 'detectHash', params: { hash: 'A'.repeat(43) } }))
    await expect.poll(() => heard.has('behind'), { interval: 2 }).toBe(true)
    child.kill(signal)
    expect((await mined).block.seqno).toBeGreaterThanOrEqual(25)
    expect(await closed).toBe(1001)
    expect(heard.get('mine')).toMatchObject({ result: { block: expect.any(Object) } })
    const { code, err } = await ended
    expect(err).toBe('')
    expect(code).toBe(0)
    await expect(ask(`${url}/health`)).rejects.toThrow()
  })

  it.skipIf(!existsSync('/dev/full'))('the process goes on if its log cannot be written', async () => {
    // Standard error is a disk without room, from before the first line on.
    const full = "import fs from 'node:fs'; fs.closeSync(2); fs.openSync('/dev/full', 'w')"
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(full)}` }
    const { ready, child, ended } = builtService.start(['--port', '0', '--index', 'off', '--log-format', 'text', '--access-log', 'on'], {
      env,
    })
    const url = await ready
    for (let i = 0; i < 5; i++) expect((await ask(`${url}/status`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  it('the process continues with a data directory, which one process has at a time', async () => {
    const settings = ['--port', '0', '--data-dir', join(folder!, 'chain'), '--block-time', '0', '--index', 'off', '--log', 'silent']
    const first = builtService.start(settings)
    const url = await first.ready
    await rpc(url, 'local.mine', { count: 7 })
    const { last } = await rpc<{ last: { seqno: number; root_hash: string } }>(url, 'getMasterchainInfo')

    const second = await builtService.start(settings).ended
    expect(second.code).toBe(1)
    expect(second.err).toMatch(/^tonway: cannot start: .*in use/)

    first.child.kill('SIGKILL')
    await first.ended
    const third = builtService.start(settings)
    const block = { workchain: -1, shard: '-9223372036854775808', seqno: last.seqno }
    expect(await rpc(await third.ready, 'lookupBlock', block)).toMatchObject({ root_hash: last.root_hash })
    third.child.kill('SIGTERM')
    expect((await third.ended).code).toBe(0)
  })

  it('the process says clearly that its port is in use', async () => {
    const first = builtService.start(['--port', '0', '--log', 'silent'])
    const { port } = new URL(await first.ready)
    const { code, err, out } = await builtService.start(['--port', port]).ended
    expect(code).toBe(1)
    expect(err).toContain(`tonway: port ${port} of 127.0.0.1 is in use by another process; choose another one with --port`)
    expect(out).toBe('')
    const third = await builtService.start(['--port', '0', '--liteserver-port', port, '--index', 'off']).ended
    expect(third.err).toContain(`tonway: port ${port} of 127.0.0.1 is in use by another process; choose another one with --liteserver-port`)
    first.child.kill('SIGTERM')
    await first.ended
  })

  it.each([
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [['--help'], 0, /TONWAY_DATA_DIR/, /^$/],
    [['--print-config', '--port', '9'], 0, /port\s+9\s+\(flag\)/, /^$/],
    [['--prot', '9'], 2, /^$/, /^tonway: unknown setting --prot; did you mean --port\?\ntonway: unexpected argument 9\n/],
    [['--network', 'mine'], 2, /^$/, /network mine needs a global config: --global-config, a path or URL/],
    [['--host', '203.0.113.7'], 1, /^$/, /^tonway: 203\.0\.113\.7 is not an address of this machine/],
    [['--data-dir', '/dev/null/data'], 1, /^$/, /^tonway: cannot use the data directory \/dev\/null\/data of --data-dir: ENOTDIR/],
  ] as const)('the process with %j ends with exit code %d', async (argv, exit, says, complains) => {
    const { code, out, err } = await builtService.start(argv).ended
    expect(out).toMatch(says)
    expect(err).toMatch(complains)
    expect(code).toBe(exit)
  })

  it('the process reads its configuration file in the working directory', async () => {
    writeFileSync(join(folder!, 'tonway.config.json'), '{"port":1234,"logs":"info"}')
    const bad = await builtService.start(['--print-config'], { cwd: folder! }).ended
    expect(bad.err).toContain('tonway.config.json: unknown setting logs; did you mean log?')
    writeFileSync(join(folder!, 'tonway.config.json'), '{"port":1234}')
    const good = await builtService.start(['--print-config'], { cwd: folder!, env: { TONWAY_LOG: 'warn' } }).ended
    expect(good.out).toMatch(/port\s+1234\s+\(file\)/)
    expect(good.out).toMatch(/log\s+"warn"\s+\(environment\)/)
  })
})
