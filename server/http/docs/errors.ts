import type { ErrorKind } from '../../../shared/errors.ts'
import type { MethodDef } from '../../../shared/method.ts'
import { groupsOf } from '../../base/memory/grouped.ts'
import { statusOf } from '../answer-forms.ts'

const DOCS: Readonly<Record<ErrorKind, { readonly what: string; readonly text: string }>> = {
  PARSE: { what: 'The body is not JSON. `data.issues` has the place.', text: 'Parse error' },
  INVALID_REQUEST: { what: 'The body is JSON, but not a JSON-RPC request.', text: 'Invalid Request: method must be a string' },
  INVALID_PARAMS: {
    what: 'A parameter is missing, unknown or has a value that is not accepted. The text names it and says what is accepted.',
    text: 'failed to parse get request: address required',
  },
  METHOD_NOT_FOUND: { what: 'There is no such method.', text: 'Method not found; did you mean getAddressBalance?' },
  METHOD_NOT_ALLOWED: { what: 'The path does not support this HTTP method.', text: 'unsupported http method: PUT' },
  UNAUTHORIZED: { what: 'The API key is unknown, expired or revoked.', text: 'API key does not exist' },
  FORBIDDEN: { what: 'The API key belongs to another network, or the caller may not call local.*.', text: 'Network not allowed' },
  NOT_FOUND: {
    what: 'What was asked for does not exist: a transaction, a block, a snapshot, a path or a network.',
    text: 'transaction was not found',
  },
  NOT_A_TOKEN: { what: 'The account is neither a jetton nor an NFT contract.', text: 'Smart contract is not Jetton or NFT' },
  NOT_A_WALLET: { what: 'The account is not a wallet.', text: 'not a wallet' },
  MISSING_INPUT: { what: 'A required parameter is missing.', text: 'address is required' },
  TOO_LARGE: { what: 'The body, the batch or its answer is over a limit.', text: 'request body is over 1048576 bytes' },
  URI_TOO_LONG: { what: 'The URL is over a limit.', text: 'URL is over 8192 bytes' },
  RATE_LIMITED: { what: 'There were too many calls. Retry-After says after how many seconds to try again.', text: 'Ratelimit exceeded' },
  CHAIN: {
    what: "The chain refused. The text is the lite-server's or the TVM's own.",
    text: 'LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted',
  },
  CHAIN_400: {
    what: "The chain refused. The text is the lite-server's or the TVM's own.",
    text: 'LITE_SERVER_UNKNOWN: cannot apply external message to current state',
  },
  EMULATION: {
    what: 'The message cannot be emulated: its account does not accept it, or it is not a message.',
    text: 'failed to emulate shard block: EmulationExternalNotAccepted: 35',
  },
  INTERNAL: { what: "A fault of the service, with the request's id.", text: 'internal error, request Q3xzV1aB-4f' },
  NOT_SERVED: { what: 'The method is not served here.', text: 'v3.blocks is not served here: there is no index' },
  UNAVAILABLE: { what: 'Not ready, or shutting down.', text: 'the index is starting' },
  SOURCE_TIMEOUT: { what: 'Nobody answered in time.', text: 'LITE_SERVER_NETWORK timeout' },
  STACK_TOO_DEEP: { what: 'The resulting stack is nested too deep.', text: 'Result stack depth >= 100' },
  UNSUPPORTED_STACK: { what: 'A stack entry of a type that cannot be given.', text: 'Unsupported stack entry' },
  NO_WORKERS: { what: 'No lite-server or no TVM is free.', text: 'no workers available (archival=0 mode=Single)' },
}

const COMMON: readonly ErrorKind[] = [
  'INVALID_PARAMS',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMITED',
  'CHAIN',
  'INTERNAL',
  'NOT_SERVED',
  'UNAVAILABLE',
  'SOURCE_TIMEOUT',
  'NO_WORKERS',
]

/** Kinds of error of a method. Those that its definition declares come first. */
export const failuresOf = (def: MethodDef): readonly ErrorKind[] => [...new Set([...(def.errors ?? []), ...COMMON])]

export const errorDoc = (kind: ErrorKind) => DOCS[kind]

/** Kinds of error of a method by HTTP status, in ascending order of the status. */
export const failuresByStatus = (def: MethodDef): ReadonlyMap<number, readonly ErrorKind[]> =>
  new Map([...groupsOf(failuresOf(def), (kind) => statusOf(kind, def))].sort(([a], [b]) => a - b))
