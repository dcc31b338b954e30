import type { Cell } from '../../cell/cell.ts'
import type { Block } from './decoded-code.ts'
import type { Tuple, Value } from './value.ts'

/** Kinds of continuations, by what a jump to them does. */
export const ORDINARY = 0
export const QUIT = 1
export const QUIT_EXCEPTION = 2
export const REPEAT = 3
export const UNTIL = 4
export const AGAIN = 5
export const WHILE_CONDITION = 6
export const WHILE_BODY = 7
export const PUSH_INT = 8
export const ENVELOPE = 9

/**
 * The part of a continuation besides its code: saved stack values, the number of arguments, and control registers. Registers that are not saved are null. A
 * Control must not be changed after a continuation was made with it.
 */
export class Control {
  /** Number of arguments; -1 for any number. */
  nargs = -1
  stack: readonly Value[] | null = null
  c1: Continuation | null = null
  c2: Continuation | null = null
  c3: Continuation | null = null
  c4: Cell | null = null
  c5: Cell | null = null
  c7: Tuple | null = null

  copy(): Control {
    const copy = new Control()
    copy.nargs = this.nargs
    copy.stack = this.stack
    copy.c1 = this.c1
    copy.c2 = this.c2
    copy.c3 = this.c3
    copy.c4 = this.c4
    copy.c5 = this.c5
    copy.c7 = this.c7
    return copy
  }
}

/** An immutable continuation. All kinds are one class, because this makes the machine's jumps fast. */
export class Continuation {
  readonly kind: number
  /** The code; null unless the continuation is ordinary. */
  readonly block: Block | null
  /** The next instruction (ordinary), the exit code (quit), the rounds left (repeat), or the value (push int). */
  readonly n: number
  /** The saved c0. Only ordinary continuations and envelopes can save registers. */
  readonly c0: Continuation | null
  readonly control: Control | null
  /** Body of a loop; the next continuation of a push or an envelope. */
  readonly body: Continuation | null
  readonly after: Continuation | null
  readonly condition: Continuation | null

  constructor(
    kind: number,
    block: Block | null,
    n: number,
    c0: Continuation | null,
    control: Control | null,
    body: Continuation | null = null,
    after: Continuation | null = null,
    condition: Continuation | null = null,
  ) {
    this.kind = kind
    this.block = block
    this.n = n
    this.c0 = c0
    this.control = control
    this.body = body
    this.after = after
    this.condition = condition
  }

  get saves(): boolean {
    return this.kind === ORDINARY || this.kind === ENVELOPE
  }

  /** A continuation that cannot save registers is put into an envelope. */
  with(c0: Continuation | null, control: Control | null): Continuation {
    return this.saves
      ? new Continuation(this.kind, this.block, this.n, c0, control, this.body)
      : new Continuation(ENVELOPE, null, 0, c0, control, this)
  }
}

export const QUIT_0: Continuation = new Continuation(QUIT, null, 0, null, null)
export const QUIT_1: Continuation = new Continuation(QUIT, null, 1, null, null)
export const QUIT_11: Continuation = new Continuation(QUIT, null, 11, null, null)
export const EXCEPTION_QUIT: Continuation = new Continuation(QUIT_EXCEPTION, null, 0, null, null)

export const ordinary = (block: Block): Continuation => new Continuation(ORDINARY, block, 0, null, null)
