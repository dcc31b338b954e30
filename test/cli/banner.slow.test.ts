import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startTestServer, urlOf } from '../kit/index/database.ts'
import { builtService } from '../kit/service/process.ts'
import { until } from '../kit/wait.ts'

/* What a start prints: a banner for people, and nothing but JSON where the log is JSON. */

const FLAGS = ['--port', '0', '--index', 'off', '--liteserver-port', 'off', '--block-time', '0']
/** Twenty-four words of a mnemonic, as the banner prints them: eight in a line. */
const WORDS = /^ {6}[a-z]+( [a-z]+){7}\r?$/m
const hasScript = spawnSync('script', ['--version']).status === 0

const started = async (...flags: readonly string[]) => {
  const { ready, child, ended } = builtService.start(['serve', ...FLAGS, ...flags])
  const url = await ready
  child.kill('SIGTERM')
  return { url, ...(await ended) }
}

describe('the start of a service', () => {
  it('the start prints no banner where the log is JSON: every line is JSON, and service.started has the URL', async () => {
    const { url, out, err } = await started()
    expect(out).toBe('')
    const lines = err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'service.started', url, networks: ['local'], index: { local: 'off' }, version: expect.any(String) }),
    )
    expect(err).not.toContain('mnemonic')
    // A log that leaves the line out has it on standard output.
    const quiet = await started('--log', 'error')
    expect(quiet.err).toBe('')
    expect(JSON.parse(quiet.out)).toMatchObject({ event: 'service.started', url: quiet.url })
  })

  it('a start without its database says so with the setting, in one line each and without a stack, and claims no index', async () => {
    const server = await startTestServer()
    try {
      for (const [databaseUrl, text] of [
        ['postgres://tonway:hunter2@127.0.0.1:1/none', /^connect ECONNREFUSED 127\.0\.0\.1:1 \(DATABASE_URL\)$/],
        [urlOf({ ...(await server.database()), password: 'hunter2' }), /^password authentication failed for user "\w+" \(DATABASE_URL\)$/],
      ] as const) {
        const flags = ['--port', '0', '--liteserver-port', 'off', '--block-time', '0', '--keys', 'on', '--database-url', databaseUrl]
        const { child, ended } = builtService.start(flags)
        let said = ''
        child.stderr!.on('data', (chunk) => {
          said += chunk
        })
        await until(() => ['service.started', 'keys.unavailable', 'index.unavailable'].every((event) => said.includes(event)))
        child.kill('SIGTERM')
        const { err } = await ended
        expect(err).not.toMatch(/stack|hunter2/)
        const events = err
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
        for (const event of ['keys.unavailable', 'index.unavailable'])
          expect(events.filter((each) => each['event'] === event)).toEqual([
            expect.objectContaining({ level: 'error', text: expect.stringMatching(text) }),
          ])
        expect(events.find(({ event }) => event === 'service.started')).toMatchObject({
          index: { local: expect.stringMatching(/^(starting|failing: .*\(DATABASE_URL\))$/) },
        })
      }
    } finally {
      await server.close()
    }
  })

  it('the start prints the banner beside a log in text, without the words of wallets, because it may be a file', async () => {
    const { url, out } = await started('--log-format', 'text')
    expect(out).toContain(`JSON-RPC      ${url}/jsonRPC`)
    expect(out).toMatch(/Funded wallets[\s\S]*UQ/)
    expect(out).not.toMatch(WORDS)
  })

  it.skipIf(!hasScript)(
    hasScript ? 'the start prints the words of wallets on a terminal' : 'a terminal: skipped, there is no `script`',
    async () => {
      const command = [process.execPath, join(builtService.folder, 'server/main.js'), 'serve', ...FLAGS].join(' ')
      const terminal = spawn('script', ['-qec', command, '/dev/null'])
      let said = ''
      terminal.stdout.on('data', (chunk) => {
        said += chunk
      })
      try {
        await until(() => WORDS.test(said))
        expect(said).toMatch(/JSON-RPC +http/)
      } finally {
        terminal.kill('SIGTERM')
        await once(terminal, 'close')
      }
    },
  )
})
