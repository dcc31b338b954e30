const LONG = /\d{16}/
/** A quote, or an integer that may be beyond 2^53. No pattern for whole strings: a long one would exhaust the engine's stack. */
const tokens = (): RegExp => /"|-?\d{16,}/g

/** Index after the string that opens at `start`; the text's end if it never closes. */
const skipString = (text: string, start: number): number => {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let escapes = at
    while (text[escapes - 1] === '\\') escapes--
    if ((at - escapes) % 2 === 0) return at + 1
  }
}

/** Whether the digits are an integer of JSON by themselves: no fraction, exponent or name, no leading zero, and beyond 2^53. */
const isLong = (digits: string, before: string | undefined, after: string): boolean =>
  !/[.eE+-]/.test(before ?? '') && !/^\s*[.eE:]/.test(after) && !/^-?0/.test(digits) && !Number.isSafeInteger(Number(digits))

/** JSON.parse that makes bigints of integers beyond 2^53. Linear in the text; throws SyntaxError. */
export const parseExact = (text: string): unknown => {
  if (!LONG.test(text)) return JSON.parse(text)
  // A text that no server can guess marks the digits on their way through JSON.parse.
  const mark = `${Math.random()}n`
  let marked = ''
  let copied = 0
  const next = tokens()
  for (let match = next.exec(text); match; match = next.exec(text)) {
    const [token] = match
    const { index } = match
    const end = index + token.length
    if (token === '"') next.lastIndex = skipString(text, index)
    else if (isLong(token, text[index - 1], text.slice(end, end + 20))) {
      marked += `${text.slice(copied, index)}"${mark}${token}"`
      copied = end
    }
  }
  return JSON.parse(marked + text.slice(copied), (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}
