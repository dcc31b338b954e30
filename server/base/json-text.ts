import { setImmediate } from 'node:timers/promises'

/** A result that is JSON text already: it is sent as it is. A class: nothing that a handler answers otherwise is one. */
export class ReadyJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const LONG = Symbol('long')

/** Marks a list or an object as long: its JSON is written member by member, and others run in between. Members that are long themselves are marked too. */
export const long = <T extends object>(value: T): T => Object.defineProperty(value, LONG, { value: true })

const isLong = (value: unknown): value is object => typeof value === 'object' && value !== null && LONG in value

/** Milliseconds that one text may hold the event loop at a time. */
const TURN = 8

const writeLong = async (value: object, signal: AbortSignal): Promise<string> => {
  const parts: string[] = []
  let until = performance.now() + TURN
  const write = async (member: unknown): Promise<void> => {
    if (isLong(member)) await (Array.isArray(member) ? writeList(member) : writeObject(member))
    else parts.push(JSON.stringify(member))
    if (performance.now() < until) return
    await setImmediate()
    signal.throwIfAborted()
    until = performance.now() + TURN
  }
  const writeList = async (list: readonly unknown[]): Promise<void> => {
    parts.push('[')
    for (const [i, member] of list.entries()) {
      if (i > 0) parts.push(',')
      await write(member ?? null)
    }
    parts.push(']')
  }
  const writeObject = async (object: object): Promise<void> => {
    let before = '{'
    for (const [name, member] of Object.entries(object)) {
      if (member === undefined) continue
      parts.push(before, JSON.stringify(name), ':')
      before = ','
      await write(member)
    }
    parts.push(before === '{' ? '{}' : '}')
  }
  await write(value)
  return parts.join('')
}

/** JSON text of a result: at once, or in turns where it is marked as long. Throws for what JSON does not know: a bigint, undefined. */
export const jsonText = (result: unknown, signal: AbortSignal): string | Promise<string> => {
  if (result instanceof ReadyJson) return result.text
  if (isLong(result)) return writeLong(result, signal)
  const text = JSON.stringify(result)
  if (text === undefined) throw new TypeError(`JSON knows no ${typeof result}`)
  return text
}
