import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { projectFolder } from '../kit/project.ts'

/* What Docker Compose makes of the compose file: values filled in, settings of each container. */

export const deployFolder = join(projectFolder, 'server/deploy')
export const readDeployed = (file: string): string => readFileSync(join(deployFolder, file), 'utf8')

/** The configuration of Prometheus or Alertmanager that stands in the compose file. */
export const configOf = (name: 'prometheus' | 'alertmanager', dotEnv: string) => parse(composeWith(dotEnv).configs?.[name]?.content ?? '')

type Env = Readonly<Record<string, string | undefined>>

/** The place of the brace that ends the one before `from`. */
const endOf = (text: string, from: number): number => {
  let depth = 1
  for (let i = from; i < text.length; i++) {
    if (text.startsWith('${', i)) depth++
    else if (text[i] === '}' && --depth === 0) return i
  }
  throw new Error(`no } in ${text}`)
}

/** A value with its variables filled in: `${NAME}`, `${NAME:-default}` and `${NAME:?error}`, which may stand in each other; `$$` is a dollar sign. */
export const fillIn = (text: string, env: Env): string => {
  const at = text.indexOf('$')
  if (at === -1) return text
  const before = text.slice(0, at)
  if (text[at + 1] === '$') return `${before}$${fillIn(text.slice(at + 2), env)}`
  if (text[at + 1] !== '{') throw new Error(`a lone $ in ${text}`)
  const end = endOf(text, at + 2)
  const [, name = '', how = '', rest = ''] = /^(\w+)(:[-?])?([\s\S]*)$/.exec(text.slice(at + 2, end)) ?? []
  const value = env[name] ?? ''
  if (value === '' && how === ':?') throw new Error(rest)
  const filled = value === '' && how === ':-' ? fillIn(rest, env) : value
  return `${before}${filled}${fillIn(text.slice(end + 1), env)}`
}

const fillAll = (value: unknown, env: Env): unknown => {
  if (typeof value === 'string') return fillIn(value, env)
  if (Array.isArray(value)) return value.map((each) => fillAll(each, env))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillAll(each, env)]))
}

export interface ComposeService {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly env_file?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly command?: readonly string[]
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly configs?: readonly { readonly source: string; readonly target: string }[]
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[]
}
export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly configs?: Readonly<Record<string, { readonly content: string }>>
}

/** The compose file for a `.env` beside it: values filled in, and the file's variables in the environment of the services that take it. */
export const composeWith = (dotEnv: string): ComposeFile => {
  const env = parseEnv(dotEnv)
  const file = fillAll(parse(readDeployed('compose.yaml'), { merge: true }), env) as ComposeFile
  const services = Object.entries(file.services).map(([name, service]): [string, ComposeService] => {
    if (service.env_file !== undefined && service.env_file !== '.env') throw new Error(`${name} takes ${service.env_file}, not .env`)
    return [
      name,
      service.env_file === undefined
        ? service
        : { ...service, environment: { ...env, ...service.environment } as Env as Record<string, string> },
    ]
  })
  return { ...file, services: Object.fromEntries(services) }
}
