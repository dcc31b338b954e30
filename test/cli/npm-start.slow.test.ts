import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { ask } from '../kit/service/client.ts'
import { printedUrl } from '../kit/service/printed-url.ts'
import { builtService } from '../kit/service/process.ts'

let folder: string
beforeAll(async () => {
  // A project with the start script of this one, whose dist/ is what was just built.
  folder = mkdtempSync(join(tmpdir(), 'tonway-npm-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts: { start: manifest.scripts.start } }))
  symlinkSync(builtService.folder, join(folder, 'dist'))
})
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const groups: number[] = []
afterEach(() => {
  for (const group of groups.splice(0)) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  }
})

const startNpm = async (): Promise<{ readonly npm: ChildProcess; readonly url: string; readonly said: () => string }> => {
  const env = { ...process.env, TONWAY_PORT: '0', TONWAY_INDEX: 'off' }
  // A process group of its own, as a terminal gives it.
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, env, detached: true })
  groups.push(npm.pid!)
  let said = ''
  npm.stderr.on('data', (chunk) => {
    said += chunk
  })
  return { npm, url: await printedUrl(npm), said: () => said }
}

describe('npm start', () => {
  it('npm start ends the server with SIGTERM to the npm process', async () => {
    const { npm, url, said } = await startNpm()
    expect((await ask(`${url}/health`)).status).toBe(200)
    npm.kill('SIGTERM')
    await once(npm, 'close')
    await expect(ask(`${url}/health`)).rejects.toThrow()
    expect(said()).toContain('shutdown.finished')
  })

  it('npm start ends gracefully on Ctrl-C, which reaches the server twice', async () => {
    const { npm, url, said } = await startNpm()
    process.kill(-npm.pid!, 'SIGINT')
    await once(npm, 'close')
    await expect(ask(`${url}/health`)).rejects.toThrow()
    expect(said()).toContain('shutdown.finished')
  })
})
