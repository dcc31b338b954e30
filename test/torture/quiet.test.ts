import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PublishedTrace, pack } from '../../server/live/pending/published-trace.ts'
import { isPassing, untilQuiet } from './simulation/quiet.ts'
import { installTime } from './simulation/virtual-time.ts'

/* What a simulation waits for after each step. What it does not wait for ends in a later step, and not in the same one each time. */

describe('a simulation waits for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-quiet-'))
  const path = join(folder, 'socket')
  let server: Server
  beforeAll(async () => {
    server = createServer((socket) => void socket.resume()).listen(path)
    await once(server, 'listening')
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  it('a file that is closed', async () => {
    const file = await open(import.meta.filename)
    await untilQuiet(() => 0)
    expect(isPassing()).toBe(false)
    const closed = file.close()
    expect(isPassing()).toBe(true)
    await closed
  })

  it('a socket that connects, and what is written to it', async () => {
    const socket = createConnection(path)
    expect(isPassing()).toBe(true)
    await once(socket, 'connect')
    await untilQuiet(() => 0)
    socket.write(Buffer.alloc(10_000_000))
    expect(isPassing()).toBe(true)
    await untilQuiet(() => 0)
    expect(socket.writableLength).toBe(0)
    socket.end()
    expect(isPassing()).toBe(true)
    await once(socket, 'close')
  })

  it('the compression of a pending trace', async () => {
    const time = installTime(0, (count) => new Uint8Array(count))
    try {
      const text = 'compressed for longer than a few turns'.repeat(300_000)
      const published = { transactions: [], actions: [], tree: { text } } as unknown as PublishedTrace
      let isOver = false
      const work = pack(published, 20_000_000).finally(() => {
        isOver = true
      })
      await untilQuiet(() => 0)
      expect(isOver).toBe(true)
      await work
    } finally {
      time.uninstall()
    }
  })
})
