import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../kit/free-port.ts'
import { projectFolder } from '../kit/project.ts'

/* `npm run dev` in a copy of the project, whose sources the test changes. */

const FILE = 'server/metrics/meter.ts'
let folder: string
let dev: ChildProcess
let url: string
let output = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-dev-'))
  for (const name of ['server', 'shared', 'client', 'package.json', 'package-lock.json', 'LICENSE'])
    cpSync(join(projectFolder, name), join(folder, name), { recursive: true })
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  dev = spawn(process.execPath, ['server/build/dev.mjs', '--inspect=127.0.0.1:0', '--port', String(port)], { cwd: folder })
  for (const stream of [dev.stdout!, dev.stderr!])
    stream.on('data', (chunk) => {
      output += chunk
    })
})
afterAll(async () => {
  const ended = new Promise((resolve) => dev.once('exit', resolve))
  dev.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
})

const patience = { timeout: 120_000, interval: 100 }
const summary = async (): Promise<string | undefined> => {
  const reply = await fetch(`${url}/openrpc.json`).catch(() => undefined)
  const { methods } = ((await reply?.json().catch(() => undefined)) ?? { methods: [] }) as { methods: { name: string; summary: string }[] }
  return methods.find(({ name }) => name === 'getMasterchainInfo')?.summary
}

it(
  'npm run dev starts the service, a debugger reaches its threads, and a change of a source starts it again',
  { timeout: 300_000 },
  async () => {
    await expect.poll(summary, patience).toBeDefined()
    const before = (await summary())!
    const inspector = /Debugger listening on (ws:\S+)/.exec(output)![1]!
    const socket = new WebSocket(inspector)
    const threads: string[] = []
    socket.on('message', (data) => {
      const { method, params } = JSON.parse(String(data))
      if (method === 'NodeWorker.attachedToWorker') threads.push(params.workerInfo.title)
    })
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, method: 'NodeWorker.enable', params: { waitForDebuggerOnStart: false } })))
    await expect.poll(() => threads.length, patience).toBeGreaterThan(0)
    socket.close()

    const file = join(folder, 'shared/v2/blocks.ts')
    writeFileSync(file, readFileSync(file, 'utf8').replace(before, 'What this test has written.'))
    await expect.poll(summary, patience).toBe('What this test has written.')
  },
)

it('a change that cannot be built leaves the service as it is, and the next change starts it again', { timeout: 300_000 }, async () => {
  const file = join(folder, FILE)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, 'export const = 1\n')
  await expect.poll(() => output, patience).toContain('the build failed')
  expect(await summary()).toBeDefined()
  const starts = output.split('Debugger listening').length
  writeFileSync(file, text)
  await expect.poll(() => output.split('Debugger listening').length, patience).toBeGreaterThan(starts)
  await expect.poll(summary, patience).toBeDefined()
})
