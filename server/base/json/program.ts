import type { JsonBytes } from './bytes.ts'

/*
 * Programs that write JSON. A function that writes the members of any object calls other functions at each of its places all the time, and V8 can compile none of
 * these calls well. So each kind of object gets a function of its own, made from text, with a place for each member.
 */

/** A part of a program: statements that write the value of `source`, which is the name of a variable, to the variable `out`. */
export type WriterCode = (program: Program, source: string) => string

/** The text of one function with what it refers to. */
export class Program {
  readonly #values: unknown[] = []
  #names = 0

  /** A name that refers to a value. */
  constant(value: unknown): string {
    return `c${this.#values.push(value) - 1}`
  }

  /** The name of a new variable. */
  variable(): string {
    return `v${this.#names++}`
  }

  /** Makes the function. `body`: statements with the variables `out` and `source`. */
  writer<S>(body: string): (out: JsonBytes, source: S) => void {
    const make = new Function(...this.#values.map((_, i) => `c${i}`), `return (out, source) => {\n${body}\n}`)
    return make(...this.#values)
  }
}
