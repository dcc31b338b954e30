const LONG = /\d{16}/
/** Matches a quote, or an integer that may exceed 2^53. Does not match whole strings, because a long string would exhaust the stack of the regex engine. */
const tokens = (): RegExp => /"|-?\d{16,}/g

/** Index after the string that starts at `start`; the end of the text if the string is not closed. */
const skipString = (text: string, start: number): number => {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let escapes = at
    while (text[escapes - 1] === '\\') escapes--
    if ((at - escapes) % 2 === 0) return at + 1
  }
}

/** True if the digits are a JSON integer beyond 2^53: not a part of a fraction, an exponent or a name, and without a leading zero. */
const isLong = (digits: string, before: string | undefined, after: string): boolean =>
  !/[.eE+-]/.test(before ?? '') && !/^\s*[.eE:]/.test(after) && !/^-?0/.test(digits) && !Number.isSafeInteger(Number(digits))

/** JSON.parse that returns integers beyond 2^53 as bigints. Runs in linear time. Throws SyntaxError. */
export const parseExact = (text: string): unknown => {
  if (!LONG.test(text)) return JSON.parse(text)
  // Marks long integers, to find them after JSON.parse. Random, so that no server can forge the mark.
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
