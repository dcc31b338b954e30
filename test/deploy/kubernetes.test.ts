import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { VERSION } from '../../server/base/version.ts'
import { commandNames } from '../../server/cli/commands.ts'
import { loadConfig } from '../../server/cli/load-config.ts'
import { connectionsFor } from '../../server/store/postgres/connection-budget.ts'
import { hasKubernetesValidate, KUBERNETES_PYTHON, orSkipped } from '../kit/generators/generators.ts'
import { startTonway } from '../kit/service/tonway.ts'
import { deployFolder, readDeployed } from './compose.ts'

/* The manifests of Kubernetes, as `kubectl kustomize` makes them. They were never deployed. */

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
const PARTS = ['.', 'migrate', 'backfill'] as const

type Labels = Readonly<Record<string, string>>
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface Container {
  readonly image: string
  readonly args: readonly string[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly envFrom: readonly { readonly configMapRef?: { readonly name: string }; readonly secretRef?: { readonly name: string } }[]
  readonly [probe: `${string}Probe`]: Probe | undefined
}
interface Pod {
  readonly enableServiceLinks?: boolean
  readonly containers: readonly Container[]
}
interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data: Readonly<Record<string, string>>
  readonly spec: {
    readonly selector?: Labels & { readonly matchLabels?: Labels }
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod }
  }
}

const builtText = (part: string): string => {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(deployFolder, 'kubernetes', part)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
const built = hasKubectl ? PARTS.flatMap((part) => parseAllDocuments(builtText(part)).map((each) => each.toJS() as Resource)) : []
const of = (...kinds: readonly string[]): readonly Resource[] => built.filter(({ kind }) => kinds.includes(kind))
const workloads = of('Deployment', 'Job')
const containers = workloads.flatMap(({ spec }) => spec.template.spec.containers)
const settings = parseEnv(readDeployed('kubernetes/common/tonway.env'))
const SECRET = { DATABASE_URL: 'postgres://tonway:x@postgres/tonway', REDIS_URL: 'redis://redis' }
const configWith = (env: object) => loadConfig({ argv: [], env: { ...settings, ...SECRET, ...env }, file: undefined }).config

const matches = (labels: Labels, selector: Labels): boolean => Object.entries(selector).every(([name, value]) => labels[name] === value)
/** Names of the Deployments whose pods have these labels. */
const selectedBy = (selector: Labels): readonly string[] =>
  of('Deployment')
    .filter(({ spec }) => matches(spec.template.metadata.labels, selector))
    .map(({ metadata }) => metadata.name)

describe.skipIf(!hasKubectl)(hasKubectl ? 'manifests of Kubernetes' : 'manifests of Kubernetes: skipped, kubectl is not here', () => {
  it.skipIf(!hasKubernetesValidate)(
    orSkipped('kubernetes-validate --strict accepts each part', hasKubernetesValidate),
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'tonway-kubernetes-'))
      try {
        for (const part of PARTS) {
          const file = join(folder, 'part.yaml')
          writeFileSync(file, builtText(part))
          const command = ['-m', 'kubernetes_validate', '--strict', file]
          const { status, stdout, stderr } = spawnSync(KUBERNETES_PYTHON, command, { encoding: 'utf8' })
          expect([part, status, stdout + stderr]).toEqual([part, 0, expect.stringContaining('passed for resource')])
        }
        writeFileSync(join(folder, 'wrong.yaml'), builtText('migrate').replace('backoffLimit', 'backOffLimit'))
        expect(spawnSync(KUBERNETES_PYTHON, ['-m', 'kubernetes_validate', '--strict', join(folder, 'wrong.yaml')]).status).not.toBe(0)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    120_000,
  )

  it('there are pods that serve each interface, that index, and jobs that migrate and backfill, of this release', () => {
    expect(workloads.map(({ metadata, spec }) => [metadata.name, spec.template.spec.containers[0]!.args[0]])).toEqual([
      ['tonway-index', 'index'],
      ['tonway-v2', 'serve'],
      ['tonway-v3', 'serve'],
      ['tonway-migrate', 'migrate'],
      ['tonway-backfill', 'backfill'],
    ])
    for (const { args, image } of containers) expect([commandNames.includes(args[0] as never), image]).toEqual([true, `tonway:${VERSION}`])
    expect(readDeployed('README.md')).toContain('they were deployed nowhere')
  })

  it('their settings are accepted, and no variable of Kubernetes is taken for a setting', () => {
    expect(configWith({})).toMatchObject({ network: ['mainnet'], port: 8081, metrics: 9464 })
    // Kubernetes would tell the pods of the service tonway-v2 by such variables, and the process would not start.
    expect(() => configWith({ TONWAY_V2_PORT: 'tcp://10.0.0.1:80' })).toThrow('TONWAY_V2_PORT')
    const maps = new Map(of('ConfigMap').map(({ metadata, data }) => [metadata.name, data]))
    for (const { spec } of workloads) {
      const [container] = spec.template.spec.containers
      expect(spec.template.spec.enableServiceLinks).toBe(false)
      expect(maps.get(container!.envFrom[0]!.configMapRef!.name)).toEqual(settings)
      expect(container!.envFrom[1]!.secretRef!.name).toBe('tonway')
    }
    expect(readDeployed('README.md')).toContain(`at most ${connectionsFor(1, 1) - connectionsFor(0, 1)} connections`)
  })

  it('probes ask paths that the service has, readiness by interface, at the ports of its settings', async () => {
    const { port, metrics } = configWith({})
    const serving = of('Deployment').filter(({ metadata }) => /-v[23]$/.test(metadata.name))
    await using tonway = await startTonway({ blockTime: 0 })
    for (const { metadata, spec } of serving) {
      const [container] = spec.template.spec.containers
      expect(container!.ports).toEqual([
        { name: 'http', containerPort: port },
        { name: 'metrics', containerPort: metrics },
      ])
      const version = metadata.name.slice(-2)
      expect(container!.readinessProbe?.httpGet).toEqual({ path: `/ready?for=${version}`, port: 'http' })
      for (const probe of [container!.startupProbe, container!.livenessProbe])
        expect(probe?.httpGet).toEqual({ path: '/health', port: 'http' })
    }
    const statuses = await Promise.all(
      ['/health', '/ready?for=v2', '/ready?for=v3'].map(async (path) => (await fetch(tonway.url + path)).status),
    )
    // This service has no index.
    expect(statuses).toEqual([200, 200, 503])
  })

  it('each service and each disruption budget is about the pods of one deployment', () => {
    for (const { kind, metadata, spec } of of('Service', 'PodDisruptionBudget', 'Deployment')) {
      const { matchLabels, ...plain } = spec.selector!
      expect([kind, metadata.name, selectedBy(matchLabels ?? (plain as Labels))]).toEqual([kind, metadata.name, [metadata.name]])
    }
    expect(of('PodDisruptionBudget').map(({ metadata }) => metadata.name)).toEqual(of('Deployment').map(({ metadata }) => metadata.name))
    const paths = JSON.stringify(of('Ingress'))
    const backends = new Set([...paths.matchAll(/"service":\{"name":"([^"]+)"/g)].map(([, name]) => name))
    expect([...backends].sort()).toEqual(of('Service').map(({ metadata }) => metadata.name))
  })
})
