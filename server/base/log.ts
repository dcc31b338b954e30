import { type DestinationStream, type Logger, pino } from 'pino'
import { readableLine } from './log-line.ts'
import { withoutSecrets } from './secrets.ts'
import { traceIds } from './tracing/tracer.ts'

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Log {
  debug(event: string, fields?: object): void
  info(event: string, fields?: object): void
  warn(event: string, fields?: object): void
  error(event: string, fields?: object): void
}

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

const wrap = (logger: Logger): Log => ({
  debug: (event, fields) => logger.debug(fields ?? {}, event),
  info: (event, fields) => logger.info(fields ?? {}, event),
  warn: (event, fields) => logger.warn(fields ?? {}, event),
  error: (event, fields) => logger.error(fields ?? {}, event),
})

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
        // Hides keys and passwords in the whole line, including messages and stacks of errors.
        hooks: { streamWrite: withoutSecrets },
        mixin: () => traceIds() ?? {},
      },
      isJson(format) ? (destination as DestinationStream) : readable(destination),
    ),
  )

export const withFields = (log: Log, fields: object): Log => ({
  debug: (event, more) => log.debug(event, { ...fields, ...more }),
  info: (event, more) => log.info(event, { ...fields, ...more }),
  warn: (event, more) => log.warn(event, { ...fields, ...more }),
  error: (event, more) => log.error(event, { ...fields, ...more }),
})

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
