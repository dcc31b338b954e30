import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { yieldToEventLoop } from '../../server/base/yield.ts'
import { untilStopped } from '../../server/cli/until-stopped.ts'
import { builtService } from '../kit/service/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tonway-warnings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a warning of node or a dependency is one line of the JSON log', async () => {
  const file = join(folder, 'warns.mjs')
  writeFileSync(file, "process.on('SIGUSR2', () => process.emitWarning('two\\nlines', { type: 'FakeWarning', code: 'FAKE01' }))\n")
  const argv = ['--port', '0', '--liteserver-port', '0', '--block-time', '0', '--index', 'off', '--log-format', 'json']
  const { child, ready, ended } = builtService.start(argv, { env: { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` } })
  const url = await ready
  child.kill('SIGUSR2')
  await expect.poll(async () => (await fetch(`${url}/health`)).status).toBe(200)
  child.kill('SIGTERM')
  const lines = (await ended).err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ event }) => event === 'process.warning')).toEqual([
    { level: 'warn', time: expect.any(String), name: 'FakeWarning', code: 'FAKE01', text: 'two\nlines', event: 'process.warning' },
  ])
})

it('node does not warn of the listeners of a long command, which waits for many answers at a time', async () => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error): number => warnings.push(name)
  process.on('warning', onWarning)
  await untilStopped('wait', 1, async (signal) => {
    for (let i = 0; i < 100; i++) signal.addEventListener('abort', () => {})
    return 0
  })
  await yieldToEventLoop()
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})
