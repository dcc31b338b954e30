import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { builtService } from '../kit/service/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonway-rejections-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a test fails if the service that it started leaves a rejection to nobody, whatever its log says', async () => {
  const file = join(folder, 'rejects.mjs')
  writeFileSync(file, "process.on('SIGUSR2', () => void Promise.reject(new Error('of nobody')))\n")
  const argv = ['--port', '0', '--liteserver-port', '0', '--block-time', '0', '--index', 'off', '--log', 'silent']
  const { child, ready, ended } = builtService.start(argv, { env: { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` } })
  const failed = expect(ended).rejects.toThrow(/UNHANDLED REJECTION Error: of nobody/)
  const url = await ready
  child.kill('SIGUSR2')
  // The service goes on after it.
  await expect.poll(async () => (await fetch(`${url}/health`)).status).toBe(200)
  child.kill('SIGTERM')
  await failed
})
