/** Builds JSON text. The caller must add values, commas and brackets in the right order; nothing is checked. */
export class JsonText {
  #text = ''

  get length(): number {
    return this.#text.length
  }

  /** `text` must be JSON already. */
  add(text: string): void {
    this.#text += text
  }

  value(value: unknown): void {
    this.#text += JSON.stringify(value)
  }

  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}
