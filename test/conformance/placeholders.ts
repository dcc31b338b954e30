/* Members of answers that cannot be fixed. In the files they have the name in angle brackets; everywhere else answers are compared to the last digit. */

interface Placeholder {
  readonly method: string
  /** Members from the answer's result on. */
  readonly path: readonly string[]
  readonly is: 'number' | 'string' | 'object'
  readonly name: string
  readonly why: string
}

const PLACEHOLDERS: readonly Placeholder[] = [
  { method: 'getConsensusBlock', path: ['timestamp'], is: 'number', name: 'now', why: 'the time of the machine' },
  { method: 'local.exportState', path: ['offset'], is: 'number', name: 'offset', why: 'how far the chain is ahead of the machine' },
  { method: 'local.exportState', path: ['boc'], is: 'string', name: 'state', why: 'megabytes; other cases show its parts' },
  { method: 'local.snapshot', path: ['snapshot'], is: 'string', name: 'snapshot', why: 'counts all marks of the chain' },
  { method: 'rpc.discover', path: ['info', 'version'], is: 'string', name: 'version', why: 'the version of the service' },
  { method: 'rpc.discover', path: ['servers'], is: 'object', name: 'servers', why: 'the URL of the service' },
  { method: 'rpc.discover', path: ['methods'], is: 'object', name: 'methods', why: 'grows with each method; tests of documents check it' },
  { method: 'rpc.discover', path: ['components'], is: 'object', name: 'components', why: 'the same' },
  { method: 'rpc.about', path: ['version'], is: 'string', name: 'version', why: 'the version of the service' },
]

type Members = Record<string, unknown>
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

const masked = (value: unknown, [name, ...rest]: readonly string[], { is, name: placeholder }: Placeholder): unknown => {
  if (name === undefined) return typeof value === is ? `<${placeholder}>` : value
  return isMembers(value) && name in value
    ? { ...value, [name]: masked(value[name], rest, { is, name: placeholder } as Placeholder) }
    : value
}

/** A result with its placeholders. A value of another type stays, and so differs from them. */
export const withPlaceholders = (method: string, result: unknown): unknown =>
  PLACEHOLDERS.filter((each) => each.method === method).reduce((value, each) => masked(value, each.path, each), result)

/** Whether a method has placeholders. */
export const hasPlaceholders = (method: string): boolean => PLACEHOLDERS.some((each) => each.method === method)
