import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SETTINGS, settingNames } from '../../server/config/settings.ts'

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(join(root, 'server/deploy', file), 'utf8')
const known = new Set<string>(settingNames.map((name) => SETTINGS[name].env))
/** Names of settings in a text; the compose file's own variables are not among them. */
const settingsIn = (text: string): string[] => [...new Set(text.match(/\b(TONWAY_[A-Z_]+|DATABASE_URL|REDIS_URL)\b/g) ?? [])]

/** Sections of a systemd unit: keys with all their values. */
const unit = (text: string): Map<string, Map<string, string[]>> => {
  const sections = new Map<string, Map<string, string[]>>()
  let section = new Map<string, string[]>()
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const heading = /^\[(\w+)\]$/.exec(line)
    if (heading) {
      section = new Map()
      sections.set(heading[1]!, section)
      continue
    }
    const split = line.indexOf('=')
    expect(split, line).toBeGreaterThan(0)
    const key = line.slice(0, split)
    section.set(key, [...(section.get(key) ?? []), line.slice(split + 1)])
  }
  return sections
}

describe('server/deploy/', () => {
  it('the files of server/deploy/ name only settings that exist', () => {
    const all = readdirSync(join(root, 'server/deploy'), { withFileTypes: true })
    for (const { name: file } of all.filter((each) => each.isFile())) {
      const unknown = settingsIn(read(file)).filter((name) => !known.has(name))
      expect([file, unknown]).toEqual([file, []])
    }
    expect(settingsIn(read('compose.yaml'))).toEqual(expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'TONWAY_METRICS']))
  })

  it('the Dockerfile copies files that exist, does not run as root, and starts the service', () => {
    const text = read('Dockerfile')
    const lines = text.split('\n').filter((line) => /^[A-Z]+ /.test(line))
    const allowed = read('Dockerfile.dockerignore').split('\n')
    for (const line of lines.filter((each) => each.startsWith('COPY ') && !each.includes('--from')))
      for (const source of line.split(' ').slice(1, -1)) expect(source === '.' || allowed.includes(`!${source}`), line).toBe(true)
    for (const entry of allowed.filter((each) => each.startsWith('!'))) expect(existsSync(join(root, entry.slice(1))), entry).toBe(true)
    expect(lines.findLast((line) => line.startsWith('USER '))).toBe('USER 1000')
    expect(lines.filter((line) => line.startsWith('FROM ')).every((line) => /^FROM node:24-bookworm-slim( AS build)?$/.test(line))).toBe(
      true,
    )
    expect(text).toContain('ENTRYPOINT ["node", "/app/dist/server/main.js"]')
    expect(text).toContain('STOPSIGNAL SIGTERM')
    expect(text).toContain('HEALTHCHECK --interval=10s')
  })

  it('the service can be built from what the image is built from', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tonway-image-'))
    try {
      for (const entry of read('Dockerfile.dockerignore').split('\n'))
        if (entry.startsWith('!')) await cp(join(root, entry.slice(1)), join(folder, entry.slice(1)), { recursive: true })
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
      const { status, stderr } = spawnSync(process.execPath, ['server/build/build.mjs'], { cwd: folder, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
      expect(existsSync(join(folder, 'dist/server/main.js'))).toBe(true)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('systemd accepts the unit, which leaves the service time to drain', () => {
    const sections = unit(read('tonway.service'))
    expect([...sections.keys()]).toEqual(['Unit', 'Service', 'Install'])
    const service = sections.get('Service')!
    expect(service.get('ExecStart')).toEqual(['/usr/bin/node /opt/tonway/dist/server/main.js serve'])
    expect(Number(service.get('TimeoutStopSec'))).toBeGreaterThan(5)
    for (const key of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'DynamicUser']) expect(service.get(key), key).toEqual(['yes'])
    expect(service.get('ProtectSystem')).toEqual(['strict'])
  })

  it.skipIf(!hasSystemd)(hasSystemd ? 'systemd-analyze finds nothing wrong with it' : 'systemd-analyze: skipped, it is not here', () => {
    const { stderr } = spawnSync('systemd-analyze', ['verify', join(root, 'server/deploy/tonway.service')], { encoding: 'utf8' })
    // The program is not installed where it will be.
    const said = stderr.split('\n').filter((line) => line !== '' && !/\/usr\/bin\/node is not executable|\/opt\/tonway/.test(line))
    expect(said).toEqual([])
  })
})
