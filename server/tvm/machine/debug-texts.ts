import { Slice } from '../../cell/slice.ts'
import { printValues } from './print.ts'
import type { Value } from './value.ts'

/** Maximum number of texts of a run, of characters of one text, and of characters of all texts. */
const MAX_TEXTS = 100
const MAX_CHARACTERS = 2_000
const MAX_ALL_CHARACTERS = 16_000
const MAX_VALUES = 255

/** Escapes control and format characters. They would change how a terminal shows other text, and the text of a contract is untrusted. */
const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => (char === '\n' ? '\\n' : `\\u{${char.codePointAt(0)!.toString(16)}}`))

/**
 * The output of debug instructions, in lines as TON's node writes them (crypto/vm/debugops.cpp), but without its `#DEBUG#: `. The output is limited: further
 * lines are dropped, and the last line says so.
 */
export class DebugTexts {
  readonly texts: string[] = []
  #characters = 0

  get #isFull(): boolean {
    return this.texts.length >= MAX_TEXTS || this.#characters >= MAX_ALL_CHARACTERS
  }

  #add(text: string): void {
    this.texts.push(text)
    this.#characters += text.length
    if (this.#isFull) this.texts.push('... what was printed after this is left out')
  }

  stack(stack: readonly Value[]): void {
    if (this.#isFull) return
    const before = stack.length > MAX_VALUES ? '... ' : ''
    this.#add(`stack(${stack.length} values) : ${before}${printValues(stack.slice(-MAX_VALUES), MAX_CHARACTERS)}`)
  }

  value(stack: readonly Value[], n: number): void {
    if (this.#isFull) return
    const value = stack[stack.length - 1 - n]
    this.#add(value === undefined ? `s${n} is absent` : `s${n} = ${printValues([value], MAX_CHARACTERS)}`)
  }

  string(stack: readonly Value[]): void {
    if (this.#isFull) return
    const top = stack.at(-1)
    if (top === undefined) this.#add('s0 is absent')
    else if (!(top instanceof Slice)) this.#add('is not a slice')
    else if (top.remainingBits % 8 !== 0) this.#add('slice contains not valid bits count')
    else this.#add(escaped(Buffer.from(top.preloadBits(top.remainingBits)).toString('utf8')))
  }
}
