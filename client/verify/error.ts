/**
 * Why a page or a block is not accepted. REFUTED: it does not prove what it says. NO_PROOF: the server has no proof, or less of one than the request allows.
 * NO_ED25519: this browser cannot check signatures of validators.
 */
export type VerifyErrorKind = 'REFUTED' | 'NO_PROOF' | 'NO_ED25519'

/** The only error that this module throws for what a server sends. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError'
  readonly kind: VerifyErrorKind
  /** The part of the answer that is wrong, such as `transactions[3].in_msg.value` or `proof.blocks[0].links[1]`. */
  readonly at: string
  /** Number of the wrong row; undefined if the wrong part is not in a row. */
  readonly row: number | undefined
  /** The field in the row, such as `in_msg.value`. */
  readonly field: string | undefined

  constructor(at: string, what: string, kind: VerifyErrorKind = 'REFUTED', options?: ErrorOptions) {
    super(at === '' ? what : `${at}: ${what}`, options)
    const [, row, field] = /^\w+\[(\d+)\]\.?(.*)$/.exec(at) ?? []
    this.kind = kind
    this.at = at
    this.row = row === undefined ? undefined : Number(row)
    this.field = field || undefined
  }
}

/** Throws a VerifyError without a path. `within` adds the path. */
export const fail = (what: string): never => {
  throw new VerifyError('', what)
}

/** Throws VerifyError unless the condition holds. */
export function must(condition: boolean, what: string | (() => string)): asserts condition {
  if (!condition) fail(typeof what === 'string' ? what : what())
}

const joined = (at: string, inner: string): string => (inner === '' || inner.startsWith('[') ? at + inner : `${at}.${inner}`)

/** Adds `at` to an error. If malformed data made our own code throw, the result is a VerifyError too. */
export const placed = (at: string, error: unknown): VerifyError => {
  if (!(error instanceof VerifyError)) return new VerifyError(at, `malformed: ${String(error)}`, 'REFUTED', { cause: error })
  if (at === '') return error
  const what = error.at === '' ? error.message : error.message.slice(error.at.length + 2)
  return new VerifyError(joined(at, error.at), what, error.kind, { cause: error })
}

/** Runs a check of the part of an answer at `at`. Its errors get this path. */
export const within = <T>(at: string, check: () => T): T => {
  try {
    return check()
  } catch (error) {
    throw placed(at, error)
  }
}
