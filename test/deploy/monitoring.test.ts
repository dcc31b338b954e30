import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createExposition, type Exposition } from '../../server/metrics/exposition.ts'
import type { AccessFigures, IndexStatus, NetworkFigures } from '../../server/metrics/figures.ts'
import { createMeter } from '../../server/metrics/meter.ts'
import { projectFolder } from '../kit/project.ts'
import { composeWith, configOf, deployFolder, readDeployed } from './compose.ts'

/* Alerts, their runbook, and who is told of them; the dashboard. */

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0
const hasPromtool = isThere('promtool')
const hasAmtool = isThere('amtool')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}
const rules = (parse(readDeployed('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules)

/** The metrics of a process with these parts of its access, and with a network whose index is in this phase. */
const expositionWith = (access: Pick<AccessFigures, 'keys' | 'limits'>, phase?: IndexStatus['phase']): Exposition =>
  createExposition({
    meter: createMeter(),
    networks: () => (phase === undefined ? [] : [{ network: 'mainnet', troubles: [], index: { phase } } as unknown as NetworkFigures]),
    access: () => ({ known_keys: 0, ...access }),
    sockets: () => 0,
    answers: () => ({ unread_bytes: { http: 0, websocket: 0, events: 0 }, batch_bytes: 0, unfinished_bytes: 0 }),
    version: '',
  })
/** Names of our metrics. */
const metricNames = async (): Promise<ReadonlySet<string>> => {
  const { text } = expositionWith({ keys: 'none', limits: 'memory' })
  return new Set([...(await text()).matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!))
}
/** Names of our metrics in an expression. */
const usedIn = (expr: string): string[] => expr.match(/\b(tonway|nodejs|process)_\w+/g) ?? []

const receivers = [...readDeployed('tonway.env.example').matchAll(/^#(ALERT_RECEIVER=.*)$/gm)].map((match) => match[1]!)
const alertmanagerWith = (receiver: string): string =>
  composeWith(`POSTGRES_PASSWORD=x\n${receiver}\n`).configs?.['alertmanager']?.content ?? ''

describe('the alerts', () => {
  it('the alerts use metrics that exist, and there is one for each part that can be away', async () => {
    const names = await metricNames()
    for (const { alert, expr, annotations } of rules) {
      expect(annotations, alert).toHaveProperty('summary')
      expect(
        usedIn(expr).filter((name) => !names.has(name)),
        alert,
      ).toEqual([])
    }
    const used = new Set(rules.flatMap(({ expr }) => usedIn(expr)))
    for (const part of [
      'tonway_ready',
      'tonway_keys_up',
      'tonway_limits_up',
      'tonway_index_up',
      'tonway_data_free_bytes',
      'tonway_database_waiting',
    ])
      expect([...used]).toContain(part)
  })

  it.each(['tonway_keys_up', 'tonway_limits_up'])('%s is 0 if the process has lost its connection, 1 if it has it', async (name) => {
    expect(await expositionWith({ keys: 'away', limits: 'redis away' }).text()).toMatch(new RegExp(`^${name} 0$`, 'm'))
    expect(await expositionWith({ keys: 'ready', limits: 'redis' }).text()).toMatch(new RegExp(`^${name} 1$`, 'm'))
  })

  it.each<[number, IndexStatus['phase'][]]>([
    [1, ['following', 'backfill', 'waiting']],
    [0, ['failing', 'refused', 'starting', 'stopped']],
  ])('tonway_index_up is %s while the index is %j', async (value, phases) => {
    for (const phase of phases) {
      const text = await expositionWith({ keys: 'none', limits: 'memory' }, phase).text()
      expect(text.split('\n'), phase).toContain(`tonway_index_up{network="mainnet"} ${value}`)
    }
  })

  it('each alert names its place in a runbook, and the runbook has no other', () => {
    const places = rules.map(({ alert, annotations }) => {
      const [file = '', anchor = ''] = (annotations['runbook'] ?? '').split('#')
      expect(existsSync(join(projectFolder, file)), alert).toBe(true)
      const headings = [...readFileSync(join(projectFolder, file), 'utf8').matchAll(/^## (.+)$/gm)].map((match) => match[1]!.toLowerCase())
      expect(headings, alert).toContain(anchor)
      return { file, anchor, alert, headings }
    })
    expect(places.map(({ anchor }) => anchor)).toEqual(places.map(({ alert }) => alert.toLowerCase()))
    expect(places[0]?.headings).toEqual(places.map(({ anchor }) => anchor))
  })

  it('Prometheus sends them to the Alertmanager of the compose file', () => {
    const { rule_files, alerting } = configOf('prometheus', 'POSTGRES_PASSWORD=x\n')
    expect(rule_files).toEqual(['alerts.yml'])
    const [host, port] = String(alerting.alertmanagers[0].static_configs[0].targets[0]).split(':')
    expect(composeWith('POSTGRES_PASSWORD=x\n').services[host!]?.ports).toEqual([`127.0.0.1:${port}:${port}`])
  })

  it('every kind of receiver that the example of .env shows is told of every alert', () => {
    expect(receivers.length).toBeGreaterThan(2)
    for (const receiver of [...receivers, '']) {
      const { route, receivers: all } = parse(alertmanagerWith(receiver))
      const names = all.map(({ name }: { name: string }) => name)
      expect(
        [route.receiver, ...route.routes.map((each: { receiver: string }) => each.receiver)].filter((name) => !names.includes(name)),
      ).toEqual([])
      // A receiver has its name and, but for the empty one, a way to it.
      expect(Object.keys(all[0])).toEqual(receiver === '' ? ['name'] : ['name', expect.stringMatching(/^\w+_configs$/)])
    }
    expect(new Set(rules.map(({ labels }) => labels.severity))).toEqual(new Set(['page', 'warn']))
  })

  it.skipIf(!hasPromtool)(hasPromtool ? 'promtool finds nothing wrong with the alerts' : 'promtool: skipped, it is not here', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', join(deployFolder, 'alerts.yml')], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`)
  })

  it.skipIf(!hasAmtool)(hasAmtool ? 'amtool accepts the configuration with each receiver' : 'amtool: skipped, it is not here', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tonway-alerts-'))
    try {
      for (const receiver of [...receivers, '']) {
        const file = join(folder, 'alertmanager.yml')
        await writeFile(file, alertmanagerWith(receiver))
        const { status, stdout, stderr } = spawnSync('amtool', ['check-config', file], { encoding: 'utf8' })
        expect([receiver, status, stderr]).toEqual([receiver, 0, ''])
        expect(stdout).toContain('SUCCESS')
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('the dashboard', () => {
  it('the dashboard shows metrics that exist, in panels with ids of their own', async () => {
    const names = await metricNames()
    const { panels } = JSON.parse(readDeployed('grafana/tonway.json')) as {
      panels: { id: number; title: string; targets: { expr: string }[] }[]
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { title, targets } of panels) {
      const used = targets.flatMap(({ expr }) => usedIn(expr))
      expect(used.length, title).toBeGreaterThan(0)
      for (const name of used) expect([title, names.has(name.replace(/_bucket$/, ''))]).toEqual([title, true])
    }
  })

  it('Grafana of the compose file finds the dashboard and Prometheus by itself', () => {
    const { grafana, prometheus } = composeWith('POSTGRES_PASSWORD=x\n').services
    const mounted = new Map((grafana?.volumes ?? []).map((each) => each.split(':') as [string, string]))
    const at = (file: string): string => mounted.get(`./grafana/${file}`)!
    expect(at('datasources.yml')).toMatch(/^\/etc\/grafana\/provisioning\/datasources\//)
    expect(at('dashboards.yml')).toMatch(/^\/etc\/grafana\/provisioning\/dashboards\//)
    const { providers } = parse(readDeployed('grafana/dashboards.yml'))
    expect(at('tonway.json')).toBe(`${providers[0].options.path}/tonway.json`)
    const [source] = parse(readDeployed('grafana/datasources.yml')).datasources
    expect(source).toMatchObject({ type: 'prometheus', url: 'http://prometheus:9090', isDefault: true })
    expect(prometheus?.ports).toEqual(['127.0.0.1:9090:9090'])
    // Nobody can log in with a password that everybody knows.
    expect(grafana?.environment).toMatchObject({ GF_AUTH_BASIC_ENABLED: 'false', GF_AUTH_DISABLE_LOGIN_FORM: 'true' })
  })
})
