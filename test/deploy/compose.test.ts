import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/cli/load-config.ts'
import { SETTINGS, settingNames } from '../../server/config/settings.ts'
import { connectionsFor } from '../../server/store/postgres/connection-budget.ts'
import { type ComposeFile, composeWith, configOf, deployFolder, fillIn, readDeployed } from './compose.ts'

const PASSWORD = 'POSTGRES_PASSWORD=x\n'
/** A value of its own for each setting. Numbers, because compose takes one of them for a port. */
const values = Object.fromEntries(settingNames.map((name, i) => [SETTINGS[name].env, String(20_000 + i)]))
const allSettings = `${PASSWORD}${Object.entries(values)
  .map(([name, value]) => `${name}=${value}\n`)
  .join('')}`
const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0

describe('the compose file', () => {
  it('every setting in .env reaches the service', () => {
    expect(composeWith(allSettings).services['tonway']?.environment).toMatchObject(values)
  })

  it('a setting that .env misspells reaches the service too, which refuses it', () => {
    const { environment = {} } = composeWith(`${PASSWORD}TONWAY_INDEX_KEP=30d\n`).services['tonway']!
    expect(() => loadConfig({ argv: [], env: environment, file: undefined })).toThrow(/TONWAY_INDEX_KEP.*TONWAY_INDEX_KEEP/)
  })

  it('its own settings and those of the example are accepted', () => {
    const example = readDeployed('tonway.env.example')
    const uncommented = example.replaceAll(/^#([A-Z_]+=)/gm, '$1').replace('TONWAY_NETWORK=local', 'TONWAY_NETWORK=mainnet')
    for (const text of [PASSWORD, example.replace('POSTGRES_PASSWORD=', PASSWORD), uncommented.replace('POSTGRES_PASSWORD=', PASSWORD)]) {
      const { environment = {} } = composeWith(text).services['tonway']!
      const { config } = loadConfig({ argv: [], env: environment, file: undefined })
      expect(config).toMatchObject({
        metrics: 9464,
        databaseUrl: 'postgres://tonway:x@postgres:5432/tonway',
        redisUrl: 'redis://redis:6379',
      })
    }
    expect(() => composeWith(example)).toThrow('set POSTGRES_PASSWORD in server/deploy/.env')
  })

  it('the port that is published is that of the service', () => {
    expect(composeWith(PASSWORD).services['tonway']?.ports).toEqual(['127.0.0.1:8081:8081'])
    expect(composeWith(`${PASSWORD}TONWAY_PORT=9000\n`).services['tonway']?.ports).toEqual(['127.0.0.1:9000:9000'])
  })

  it('PostgreSQL has a connection for every one that the service may open', () => {
    const allowed = (text: string): number =>
      Number(/max_connections=(\d+)/.exec(composeWith(text).services['postgres']?.command?.join(' ') ?? '')?.[1])
    for (let workers = 1; workers <= 16; workers++)
      for (const networks of [1, 2])
        expect(allowed(PASSWORD), `${workers} workers`).toBeGreaterThanOrEqual(connectionsFor(workers, networks))
    expect(allowed(`${PASSWORD}POSTGRES_MAX_CONNECTIONS=900\n`)).toBe(900)
  })

  it('it is sound: everything that it mentions exists, and nothing is open to other machines', () => {
    const { services, volumes: volumesOf, configs: contents = {} } = composeWith(PASSWORD)
    expect(Object.keys(services).sort()).toEqual(['alertmanager', 'grafana', 'postgres', 'prometheus', 'redis', 'tonway'])
    for (const [name, { ports = [], volumes = [], configs = [], depends_on = {}, image, build }] of Object.entries(services)) {
      expect([name, image ?? build]).not.toEqual([name, undefined])
      if (!build) expect(image, name).toMatch(/:[^:]*\d/)
      else expect(existsSync(join(deployFolder, build.context, build.dockerfile))).toBe(true)
      for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/)
      for (const { source } of configs) expect(Object.keys(contents)).toContain(source)
      for (const volume of volumes) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('.')) expect(existsSync(join(deployFolder, source)), volume).toBe(true)
        else expect(Object.keys(volumesOf)).toContain(source)
      }
      for (const other of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)) expect(Object.keys(services)).toContain(other)
    }
    // No password stands in the file.
    expect(readDeployed('compose.yaml')).not.toMatch(/PASSWORD: (?!\$\{)/)
  })

  it('Prometheus scrapes the metrics of the service, and those of each worker of the example', () => {
    const targets = (dotEnv: string): string[] => configOf('prometheus', dotEnv).scrape_configs[0].static_configs[0].targets
    expect(targets(PASSWORD)).toEqual(['tonway:9464'])
    const [, workers] = /^#TONWAY_WORKERS=(\d+)$/m.exec(readDeployed('tonway.env.example'))!
    const [, given] = /^#(METRICS_TARGETS=.*)$/m.exec(readDeployed('tonway.env.example'))!
    expect(targets(`${PASSWORD}${given}\n`)).toEqual(Array.from({ length: Number(workers) }, (_, i) => `tonway:${9464 + i}`))
  })

  it('values are filled in as compose does it', () => {
    const env = { A: 'a', EMPTY: '' }
    expect(fillIn(`$$x \${A}-\${B}-\${B:-\${A}\${C:-c}}-\${EMPTY:-e}.`, env)).toBe('$x a--ac-e.')
    expect(() => fillIn(`\${B:?say B}`, env)).toThrow('say B')
  })

  it.skipIf(!hasCompose)(
    hasCompose ? 'Docker Compose itself gives the service every setting' : 'Docker Compose itself: skipped, it is not here',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'tonway-compose-'))
      try {
        await cp(deployFolder, folder, { recursive: true })
        await writeFile(join(folder, '.env'), allSettings)
        const { status, stdout, stderr } = spawnSync('docker', ['compose', '-f', 'compose.yaml', 'config', '--format', 'json'], {
          cwd: folder,
          encoding: 'utf8',
        })
        expect([status, stderr]).toEqual([0, ''])
        const { services, configs } = JSON.parse(stdout) as ComposeFile
        const own = composeWith(allSettings)
        for (const name of Object.keys(own.services))
          expect(services[name]?.environment ?? {}, name).toEqual(own.services[name]?.environment ?? {})
        for (const [name, { content }] of Object.entries(own.configs ?? {})) expect(configs?.[name]?.content).toBe(content)
        expect(parseEnv(allSettings)).toMatchObject(values)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})
