import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../kit/free-port.ts'
import { createRandom } from '../kit/random.ts'
import { rpc } from '../kit/service/client.ts'
import { builtService, childrenOf, type Started } from '../kit/service/process.ts'
import { sleep, until } from '../kit/wait.ts'

/* A receiver, the service and its database are killed by turns. The receiver writes each masterchain block to a file before it answers. */

const ROUNDS = Number(process.env['TONWAY_CRASH_ROUNDS'] ?? 3)

const RECEIVER = `
const { appendFileSync } = require('node:fs')
require('node:http').createServer(async (req, res) => {
  let body = ''
  for await (const chunk of req) body += chunk
  const { workchain, seqno } = JSON.parse(body)
  if (workchain === -1) appendFileSync(process.argv[1], seqno + ' ' + req.headers['webhook-id'] + '\\n')
  res.end()
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))`

let folder: string
let file: string
let port: number
let receiver: ChildProcess
let service: Started
let url: string

const startReceiver = async (): Promise<void> => {
  receiver = spawn(process.execPath, ['-e', RECEIVER, file, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(receiver.stdout!, 'data')
}
const start = async (): Promise<void> => {
  const dataDir = join(folder, 'data')
  service = builtService.start([
    '--port',
    '0',
    '--liteserver-port',
    'off',
    '--block-time',
    '100ms',
    '--data-dir',
    dataDir,
    '--log',
    'error',
  ])
  url = await service.ready
}
const kill = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonway-hooks-'))
  await chmod(folder, 0o711)
  file = join(folder, 'received')
  port = await freePort()
  await startReceiver()
  await start()
  await until(async () => (await fetch(`${url}/ready`)).ok)
})
afterAll(async () => {
  receiver?.kill('SIGKILL')
  service?.child.kill('SIGTERM')
  await service?.ended
  await rm(folder, { recursive: true, force: true })
})

interface Received {
  readonly seqno: number
  readonly id: string
}
const received = (): Received[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => ({ seqno: Number(line.split(' ')[0]), id: line.split(' ')[1]! }))
    : []

const VICTIMS = {
  async receiver() {
    await kill(receiver)
    await sleep(300)
    await startReceiver()
  },
  async service() {
    await kill(service.child)
    await start()
  },
  async database() {
    const [pid] = childrenOf(service.child.pid!, 'postgres')
    process.kill(pid!, 'SIGKILL')
  },
}

describe('kill -9 of the receiver, the service and the database', () => {
  it('kill -9 of any of them loses no event, and the receiver gets them in order, each with one id', async () => {
    await rpc(url, 'hooks.create', { url: `http://127.0.0.1:${port}/`, types: ['blocks'] })
    const random = createRandom(11)
    const names = Object.keys(VICTIMS) as (keyof typeof VICTIMS)[]
    for (let round = 0; round < ROUNDS; round++) {
      const { length } = received()
      await until(() => received().length > length + 5)
      await sleep(random.below(100))
      await VICTIMS[names[round % names.length]!]()
    }
    const { length } = received()
    await until(() => received().length > length + 5)
    const all = received()
    const first = new Map<number, string>()
    for (const { seqno, id } of all) {
      if (!first.has(seqno)) first.set(seqno, id)
      expect(first.get(seqno)).toBe(id)
    }
    const seqnos = [...first.keys()]
    expect(seqnos).toEqual(Array.from({ length: seqnos.length }, (_, i) => seqnos[0]! + i))
    console.log(`${seqnos.length} blocks, ${all.length - seqnos.length} of them delivered again`)
  })
})
