import { type DestinationStream, pino } from 'pino'
import { withoutSecrets } from './secrets.ts'
import { traceIds } from './tracing/tracer.ts'

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Log = Readonly<Record<Exclude<LogLevel, 'silent'>, (event: string, fields?: object) => void>>

const logThat = (write: (level: keyof Log, event: string, fields?: object) => void): Log => ({
  debug: (event, fields) => write('debug', event, fields),
  info: (event, fields) => write('info', event, fields),
  warn: (event, fields) => write('warn', event, fields),
  error: (event, fields) => write('error', event, fields),
})

/** Names of fields whose values are hidden in the log, at the top level and one level below. */
const SECRET = [
  'apiKey',
  'api_key',
  'authorization',
  'mnemonic',
  'secretKey',
  'x-api-key',
  'X-API-Key',
  'cookie',
  'password',
  'databaseUrl',
  'redisUrl',
]
const redact = SECRET.flatMap((name) => [`["${name}"]`, `*["${name}"]`])

/** Maximum bytes of lines that wait while the log cannot be written, for example because the disk is full. Further lines are dropped. */
const MAX_WAITING = 1 << 20

const standardError = (): DestinationStream => {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MAX_WAITING })
  // The failure of the log cannot be reported anywhere, and the service must continue without its log.
  destination.on('error', () => {})
  return destination
}

/** Formats of the log. `auto`: readable lines if standard error is a terminal, otherwise JSON. */
export const LOG_FORMATS = ['auto', 'json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export const isJson = (format: LogFormat): boolean => format === 'json' || (format === 'auto' && !process.stderr.isTTY)

/** Formats a value for a readable log line: a single word as it is, an error as its message and those of its causes, anything else as JSON. */
const shown = (value: unknown): string => {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const { message } = value as { message?: unknown }
  return JSON.stringify(typeof message === 'string' ? message : value)
}

/** Formats a JSON line of the log for people: `12:00:00.000 info  service.started url=http://127.0.0.1:8081 ms=812`. Text that is not JSON stays as it is. */
const readableLine = (line: string): string => {
  let event: Readonly<Record<string, unknown>>
  try {
    event = JSON.parse(line)
  } catch {
    return line
  }
  const { level, time, event: name, ...fields } = event
  const members = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`)
  return `${[String(time).slice(11, 23), String(level).padEnd(5), name, ...members].join(' ')}\n`
}

const readable = (destination: { write(line: string): unknown }): DestinationStream => ({
  write: (line) => void destination.write(readableLine(line)),
})

/**
 * Creates a log that writes one line for each event to standard error. A line is JSON, whose `err` members have stack and cause, or readable text.
 * `destination`: replaces standard error in tests.
 */
export const createLog = (
  level: LogLevel,
  destination: { write(line: string): unknown } = standardError(),
  format: LogFormat = 'json',
): Log => {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.errWithCause },
      redact: { paths: redact, censor: '[hidden]' },
      // Hides keys and passwords in the whole line, including messages and stacks of errors.
      hooks: { streamWrite: withoutSecrets },
      mixin: () => traceIds() ?? {},
    },
    isJson(format) ? (destination as DestinationStream) : readable(destination),
  )
  return logThat((name, event, fields = {}) => logger[name](fields, event))
}

export const withFields = (log: Log, fields: object): Log => logThat((level, event, more) => log[level](event, { ...fields, ...more }))

export const silentLog: Log = logThat(() => {})
