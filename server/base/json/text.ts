/** Gathers the text of JSON. Nothing is checked: the caller adds values and what stands between them in their order. */
export class JsonText {
  #text = ''

  /** Characters that are there. */
  get length(): number {
    return this.#text.length
  }

  /** Adds text that is JSON. */
  add(text: string): void {
    this.#text += text
  }

  /** Adds a value. */
  value(value: unknown): void {
    this.#text += JSON.stringify(value)
  }

  /** Gives the text away. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}
