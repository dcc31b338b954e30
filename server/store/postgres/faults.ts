/* Readable reasons of database failures. They contain no host and no file name, so every caller may see them. */

/** The error's code: an SQLSTATE of PostgreSQL, or the operating system's code of a lost connection. */
export const errorCode = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

const TOO_MANY_CONNECTIONS = '53300'
/**
 * SQLSTATE and routine of the error for a prepared statement whose table has other columns now. PostgreSQL uses this SQLSTATE for everything that it does not
 * support, so the routine is compared too.
 */
export const STALE_PLAN = { code: '0A000', routine: 'RevalidateCachedQuery' }
export const UNPREPARED = '26000'
export const READ_ONLY = '25006'
/** SQLSTATE of a statement of a transaction in which an earlier one failed. */
export const ABORTED = '25P02'
export const FILES_OF_ANOTHER = 'FILES_OF_ANOTHER'
export const CLOSED_DIRECTORY = 'CLOSED_DIRECTORY'
/** Message of the driver's error if an answer does not come in time. The error has no code. */
export const READ_TIMEOUT = 'Query read timeout'
/** Message of the driver's error if all connections of the pool are in use, or if the server does not respond. */
export const POOL_TIMEOUT = 'timeout exceeded when trying to connect'

export const NOT_IN_TIME = 'the database did not answer in time'
export const NO_ANSWER = 'the database does not answer'
const DAMAGED = "the database's files are damaged"
const UNREACHABLE = 'the database cannot be reached'
const ENDING = 'the database is shutting down'
const LOST = 'the connection to the database was lost'
const NODE_LOST = "a node of the database's cluster cannot be reached"
const REFUSED = 'the database refuses the user or the password'

const CAUSES: Readonly<Record<string, string>> = {
  [READ_ONLY]: 'the database takes no writes (it is a replica, or set so)',
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': 'the database does not exist',
  '42501': 'the database does not allow its user what the index does',
  '53100': "the database's disk is full",
  '53200': 'the database has no memory left',
  [TOO_MANY_CONNECTIONS]:
    'the database has no connection left: raise max_connections of your PostgreSQL, or take fewer processes (TONWAY_WORKERS)',
  '55000': 'the database accepts no connections at the moment',
  '57014': NOT_IN_TIME,
  '57P01': ENDING,
  '57P02': ENDING,
  '57P03': 'the database is starting, or shutting down',
  '57P04': 'the database does not exist any more',
  '57P05': LOST,
  XX001: DAMAGED,
  XX002: DAMAGED,
  [FILES_OF_ANOTHER]: 'the files of the database belong to another user, as after cp -r: the log says what to do',
  [CLOSED_DIRECTORY]: 'the user of PostgreSQL cannot enter the data directory: the log says what to do',
  ECONNREFUSED: UNREACHABLE,
  ENOENT: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: NO_ANSWER,
  ECONNRESET: LOST,
  EPIPE: LOST,
}
/** Reasons by class of SQLSTATE: its first two characters. */
const CLASSES: Readonly<Record<string, string>> = {
  '08': LOST,
  '53': 'the database has not what it needs (memory, files, connections)',
  '58': 'the database cannot read or write its files',
}
/** Reasons by the driver's error message, for errors without a code. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^${READ_TIMEOUT}$`), NO_ANSWER],
  [/timeout exceeded when trying to connect|timeout expired|connection timeout/i, NO_ANSWER],
  [/Connection terminated|not queryable|connection error|connection to the database was lost/i, LOST],
]

/**
 * Returns whether a node of a Citus cluster cannot be reached. The SQLSTATE is that of a lost connection, although the connection to the coordinator works.
 * Only the message shows the difference.
 */
const isNodeLoss = (error: unknown): boolean =>
  errorCode(error).startsWith('08') && error instanceof Error && /\bremote node\b/.test(error.message)

/** The reason of a database failure; undefined for any other error. 08P01 (protocol violation) is a bug in our code. */
export const databaseFault = (error: unknown): string | undefined => {
  const code = errorCode(error)
  if (code === '08P01') return undefined
  if (isNodeLoss(error)) return NODE_LOST
  const cause = Object.hasOwn(CAUSES, code) ? CAUSES[code] : /^[0-9A-Z]{5}$/.test(code) ? CLASSES[code.slice(0, 2)] : undefined
  if (cause !== undefined || !(error instanceof Error)) return cause
  return TEXTS.find(([pattern]) => pattern.test(error.message))?.[1]
}

/**
 * SQLSTATEs of a lost connection or of a server that is stopping. 08P01 (protocol violation) is missing, because it is a bug in our code. 55000: the
 * database does not accept connections (`allow_connections false`).
 */
const AWAY: ReadonlySet<string> = new Set([
  '55000',
  ...['08000', '08001', '08003', '08004', '08006', '08007'],
  ...['57P01', '57P02', '57P03', '57P04', '57P05'],
])
export const isConnectionLoss = (error: unknown): boolean => {
  if (isNodeLoss(error)) return false
  const code = errorCode(error)
  if (AWAY.has(code) || code === TOO_MANY_CONNECTIONS || /^(E(CONN|PIPE|NOENT|TIMEDOUT)|ECONNRESET)/.test(code)) return true
  if (!(error instanceof Error)) return false
  const { message } = error
  return (
    message === READ_TIMEOUT ||
    /Connection terminated|timeout exceeded when trying to connect|connection (timeout|error)|not queryable/i.test(message)
  )
}
