import type { ErrorKind } from '../../../shared/errors.ts'
import type { MethodDef } from '../../../shared/method.ts'

/** What an error of each kind means. */
export const ERROR_DOCS: Readonly<Record<ErrorKind, string>> = {
  PARSE: 'The body is not JSON. `data.issues` has the place.',
  INVALID_REQUEST: 'The body is JSON, but not a JSON-RPC request.',
  INVALID_PARAMS: 'A parameter is missing, unknown or has a value that is not accepted. The text names it and says what is accepted.',
  METHOD_NOT_FOUND: 'There is no such method.',
  METHOD_NOT_ALLOWED: 'The path does not support this HTTP method.',
  UNAUTHORIZED: 'The API key is unknown, expired or revoked.',
  FORBIDDEN: 'The API key belongs to another network, or the caller may not call local.*.',
  NOT_FOUND: 'What was asked for does not exist: a transaction, a block, a snapshot, a path or a network.',
  NOT_A_TOKEN: 'The account is neither a jetton nor an NFT contract.',
  NOT_A_WALLET: 'The account is not a wallet.',
  MISSING_INPUT: 'A required parameter is missing.',
  TOO_LARGE: 'The body, the batch or its answer is over a limit.',
  URI_TOO_LONG: 'The URL is over a limit.',
  RATE_LIMITED: 'There were too many calls. Retry-After says after how many seconds to try again.',
  CHAIN: "The chain refused. The text is the lite-server's or the TVM's own.",
  CHAIN_400: "The chain refused. The text is the lite-server's or the TVM's own.",
  EMULATION: 'The message cannot be emulated: its account does not accept it, or it is not a message.',
  INTERNAL: "A fault of the service, with the request's id.",
  NOT_SERVED: 'The method is not served here.',
  UNAVAILABLE: 'Not ready, or shutting down.',
  SOURCE_TIMEOUT: 'Nobody answered in time.',
  STACK_TOO_DEEP: 'The resulting stack is nested too deep.',
  UNSUPPORTED_STACK: 'A stack entry of a type that cannot be given.',
  NO_WORKERS: 'No lite-server or no TVM is free.',
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
