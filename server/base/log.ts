import { type DestinationStream, type Logger, pino } from 'pino'
import { readableLine } from './log-line.ts'
import { withoutSecrets } from './secrets.ts'
import { traceIds } from './tracing/tracer.ts'

/** Levels of the log, the quietest first. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Log {
  debug(event: string, fields?: object): void
  info(event: string, fields?: object): void
  warn(event: string, fields?: object): void
  error(event: string, fields?: object): void
  /** Whether lines of level debug are written. Code on the way of every call reads this before it makes their fields. */
  readonly debugs?: boolean
}

/** Fields whose values never reach the log, at the top and one level down. */
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

const wrap = (logger: Logger): Log => ({
  debug: (event, fields) => logger.debug(fields ?? {}, event),
  info: (event, fields) => logger.info(fields ?? {}, event),
  warn: (event, fields) => logger.warn(fields ?? {}, event),
  error: (event, fields) => logger.error(fields ?? {}, event),
  debugs: logger.isLevelEnabled('debug'),
})

/** Largest number of bytes of lines that wait while they cannot be written (a full disk, for example). Further lines are dropped. */
const MAX_WAITING = 1 << 20

const standardError = (): DestinationStream => {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MAX_WAITING })
  // The failure cannot be reported anywhere, and the service must go on without its log.
  destination.on('error', () => {})
  return destination
}

/** Forms of the log; `auto`: readable lines if standard error is a terminal, JSON otherwise. */
export const LOG_FORMATS = ['auto', 'json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** Whether the log on standard error is JSON. */
export const isJson = (format: LogFormat): boolean => format === 'json' || (format === 'auto' && !process.stderr.isTTY)

/** A destination that turns the log's JSON lines into readable ones. */
const readable = (destination: { write(line: string): unknown }): DestinationStream => ({
  write: (line) => void destination.write(readableLine(line)),
})

/**
 * One line on standard error for each event (standard output is for people): JSON, its `err` members with stack and cause, or a readable line.
 * `destination` stands for standard error in tests.
 */
export const createLog = (
  level: LogLevel,
  destination: { write(line: string): unknown } = standardError(),
  format: LogFormat = 'json',
): Log =>
  wrap(
    pino(
      {
        level,
        base: null,
        messageKey: 'event',
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        serializers: { err: pino.stdSerializers.errWithCause },
        redact: { paths: redact, censor: '[hidden]' },
        // Hides keys and passwords anywhere in the line, also in the message and the stack of an error.
        hooks: { streamWrite: withoutSecrets },
        mixin: () => traceIds() ?? {},
      },
      isJson(format) ? (destination as DestinationStream) : readable(destination),
    ),
  )

/** A class, because each request makes one: four functions would take as long as parsing the request's parameters. */
class FieldsLog implements Log {
  readonly #log: Log
  readonly #fields: object
  constructor(log: Log, fields: object) {
    this.#log = log
    this.#fields = fields
  }
  get debugs(): boolean {
    return this.#log.debugs === true
  }
  debug(event: string, more?: object): void {
    this.#log.debug(event, { ...this.#fields, ...more })
  }
  info(event: string, more?: object): void {
    this.#log.info(event, { ...this.#fields, ...more })
  }
  warn(event: string, more?: object): void {
    this.#log.warn(event, { ...this.#fields, ...more })
  }
  error(event: string, more?: object): void {
    this.#log.error(event, { ...this.#fields, ...more })
  }
}

/** The same log with fields that every line carries. */
export const withFields = (log: Log, fields: object): Log => new FieldsLog(log, fields)

/** Drops everything; for tests only. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
