import type { Service } from './service.ts'
import { running, type World } from './world.ts'

/* API keys: clients create them, revoke them, and show them to a process. */

export interface Key {
  readonly id: string
  readonly text: string
  /** `begun`: somebody has begun to revoke it. `acknowledged`: and was told that it is revoked. */
  revoked: 'no' | 'begun' | 'acknowledged'
}

/** A key that a client showed to a process. */
export interface Shown {
  readonly key: Key
  readonly service: Service
  readonly revokedBefore: Key['revoked']
  /** Whether it was shown at rest, when every process has had time to hear of all revoked keys. */
  readonly isAtRest: boolean
  /** Undefined until the process has answered. Otherwise `admitted`, or the kind of the error. */
  answer: string | undefined
}

const storeOf = async (service: Service) => service.app()!.access.store!()
const textOf = (error: unknown): string => String((error as { readonly kind?: unknown }).kind ?? error)

export const createKey = async (world: World): Promise<void> => {
  const service = world.random.pick(running(world))
  world.log(`a key is created at ${service.name}`)
  const owner = `owner ${world.step}`
  const created = service.as(async () => (await storeOf(service)).create({ network: service.network, plan: 'advanced', owner }))
  created.then(
    ({ key, record }) => {
      if (service.isAlive) world.keys.push({ id: record.id, text: key, revoked: 'no' })
    },
    (error: unknown) => service.isAlive && world.log(`no key: ${textOf(error)}`),
  )
}

export const revokeKey = async (world: World): Promise<void> => {
  const service = world.random.pick(running(world))
  const key = world.random.pick(world.keys)
  world.log(`key ${world.keys.indexOf(key)} is revoked at ${service.name}`)
  if (key.revoked === 'no') key.revoked = 'begun'
  const revoked = service.as(async () => (await storeOf(service)).revoke(key.id))
  revoked.then(
    () => {
      if (service.isAlive) key.revoked = 'acknowledged'
    },
    (error: unknown) => service.isAlive && world.log(`not revoked: ${textOf(error)}`),
  )
}

/** Shows a key to a process. */
export const showKey = (world: World, key: Key, service: Service, isAtRest: boolean): void => {
  const shown: Shown = { key, service, revokedBefore: key.revoked, isAtRest, answer: undefined }
  world.shown.push(shown)
  const end = (answer: string): void => {
    if (!service.isAlive) return
    shown.answer = answer
    world.log(`key ${world.keys.indexOf(key)} at ${service.name}: ${answer}`)
  }
  const request = { headers: { 'x-api-key': key.text }, socket: { remoteAddress: '127.0.0.1' } }
  const admitted = service.as(async () => service.app()!.access.gate.admit(request, service.network))
  admitted.then(
    () => end('admitted'),
    (error: unknown) => end(textOf(error)),
  )
}

export const showAnyKey = async (world: World): Promise<void> =>
  showKey(world, world.random.pick(world.keys), world.random.pick(running(world)), false)
