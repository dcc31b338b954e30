import type { ClientConfig } from 'pg'
import { errorText } from '../../base/error-text.ts'

/* Readable reasons of database failures. They contain no host and no file name, so every caller may see them. */

/** The error's code: an SQLSTATE of PostgreSQL, or the operating system's code of a lost connection. */
export const errorCode = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

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

interface Fault {
  readonly text: string
  /** True if the connection is lost, or the server is stopping: another connection or server may answer. */
  readonly isLoss: boolean
}
const lost = (text: string): Fault => ({ text, isLoss: true })
const failed = (text: string): Fault => ({ text, isLoss: false })

export const NOT_IN_TIME = 'the database did not answer in time'
export const NO_ANSWER = 'the database does not answer'
const UNREACHABLE = 'the database cannot be reached'
const DAMAGED = failed("the database's files are damaged")
const ENDING = lost('the database is shutting down')
const LOST = lost('the connection to the database was lost')
const NODE_LOST = failed("a node of the database's cluster cannot be reached")
const REFUSED = failed('the database refuses the user or the password')

const CAUSES: Readonly<Record<string, Fault>> = {
  [READ_ONLY]: failed('the database takes no writes (it is a replica, or set so)'),
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': failed('the database does not exist'),
  '42501': failed(
    'the database does not allow its user what the index does: the user must own the database, or have CREATE on its schema public',
  ),
  '53100': failed("the database's disk is full"),
  '53200': failed('the database has no memory left'),
  '53300': lost('the database has no connection left: raise max_connections of your PostgreSQL, or take fewer processes (TONWAY_WORKERS)'),
  '55000': lost('the database accepts no connections at the moment'),
  '57014': failed(NOT_IN_TIME),
  '57P01': ENDING,
  '57P02': ENDING,
  '57P03': lost('the database is starting, or shutting down'),
  '57P04': lost('the database does not exist any more'),
  '57P05': LOST,
  XX001: DAMAGED,
  XX002: DAMAGED,
  [FILES_OF_ANOTHER]: failed('the files of the database belong to another user, as after cp -r: the log says what to do'),
  [CLOSED_DIRECTORY]: failed('the user of PostgreSQL cannot enter the data directory: the log says what to do'),
  ECONNREFUSED: lost(UNREACHABLE),
  ENOENT: lost(UNREACHABLE),
  ENOTFOUND: failed(UNREACHABLE),
  EAI_AGAIN: failed(UNREACHABLE),
  EHOSTUNREACH: failed(UNREACHABLE),
  ENETUNREACH: failed(UNREACHABLE),
  ETIMEDOUT: lost(NO_ANSWER),
  ECONNRESET: LOST,
  EPIPE: LOST,
}
/** Reasons by class of SQLSTATE: its first two characters. */
const CLASSES: Readonly<Record<string, Fault>> = {
  '08': LOST,
  '53': failed('the database has not what it needs (memory, files, connections)'),
  '58': failed('the database cannot read or write its files'),
}
/** Reasons by the driver's error message, for errors without a code. */
const TEXTS: readonly (readonly [RegExp, Fault])[] = [
  [new RegExp(`^${READ_TIMEOUT}`), lost(NO_ANSWER)],
  [/timeout exceeded when trying to connect|timeout expired|connection timeout/i, lost(NO_ANSWER)],
  [/Connection terminated|not queryable|connection error|connection to the database was lost/i, LOST],
]

/**
 * Returns whether a node of a Citus cluster cannot be reached. The SQLSTATE is that of a lost connection, although the connection to the coordinator works.
 * Only the message shows the difference.
 */
const isNodeLoss = (error: unknown): boolean =>
  errorCode(error).startsWith('08') && error instanceof Error && /\bremote node\b/.test(error.message)

const faultOf = (error: unknown): Fault | undefined => {
  const code = errorCode(error)
  // A violation of the protocol is a bug in our code.
  if (code === '08P01') return undefined
  if (isNodeLoss(error)) return NODE_LOST
  const ofClass = /^[0-9A-Z]{5}$/.test(code) ? CLASSES[code.slice(0, 2)] : undefined
  const cause = Object.hasOwn(CAUSES, code) ? CAUSES[code] : ofClass
  if (cause !== undefined || !(error instanceof Error)) return cause
  return TEXTS.find(([pattern]) => pattern.test(error.message))?.[1]
}

/**
 * The error of a connection that could not be opened, with the name of the setting that an operator has to look at. Only databases of an operator are named
 * by a URL.
 */
export const nameSetting = (error: unknown, { connectionString }: ClientConfig): unknown =>
  error instanceof Error && connectionString !== undefined && !('setting' in error)
    ? Object.assign(error, { message: `${errorText(error)} (DATABASE_URL)`, setting: 'DATABASE_URL' })
    : error

/** The reason of a database failure, with the setting if the error has one (`nameSetting`); undefined for any other error. */
export const databaseFault = (error: unknown): string | undefined => {
  const text = faultOf(error)?.text
  const { setting } = (error ?? {}) as { readonly setting?: string }
  return text === undefined || setting === undefined ? text : `${text} (${setting})`
}

export const isConnectionLoss = (error: unknown): boolean => faultOf(error)?.isLoss === true
