/** Builds JSON text. The caller must add values, commas and brackets in the right order; nothing is checked. */
export class JsonText {
  #text = ''

  /** Number of characters of the text. */
  get length(): number {
    return this.#text.length
  }

  /** Adds JSON text. */
  add(text: string): void {
    this.#text += text
  }

  /** Adds a value as JSON. */
  value(value: unknown): void {
    this.#text += JSON.stringify(value)
  }

  /** Returns the text and clears it. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}
