import { Fault } from '../../base/fault.ts'

/** Thrown for an answer that does not prove its content. `what` names the content, for example `account state`. */
export class ProofError extends Fault {
  override readonly name = 'ProofError'
  readonly answeredAs = 'CHAIN'
  override readonly isLogged = true
  readonly what: string
  constructor(what: string, detail: string, options?: ErrorOptions) {
    super(`${what}: ${detail}`, options)
    this.what = what
  }
}

const asProofError = (what: string, error: unknown): ProofError =>
  error instanceof ProofError ? error : new ProofError(what, error instanceof Error ? error.message : String(error), { cause: error })

/** Runs a check. Any error in the check (a pruned branch, a record that does not parse) becomes a ProofError that names `what`. */
export const proving = <T>(what: string, check: () => T): T => {
  try {
    return check()
  } catch (error) {
    throw asProofError(what, error)
  }
}

export function* provingSteps<T>(what: string, check: Generator<void, T>): Generator<void, T> {
  try {
    return yield* check
  } catch (error) {
    throw asProofError(what, error)
  }
}

export function must(condition: boolean, what: string, detail: string | (() => string)): asserts condition {
  if (!condition) throw new ProofError(what, typeof detail === 'string' ? detail : detail())
}
