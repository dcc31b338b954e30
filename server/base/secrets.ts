/* What must never be read by people who read logs and printed settings. */

/** A key in a query, in a header's line, or as a JSON member that is itself text; the password of a URL up to the last @ of its word. */
const KEY = /\b(api_key|x-api-key)(=|:\s*|\\":\\")[^&\s"'\\#,;]+/gi
const PASSWORD = /([a-z][a-z0-9+.-]*:\/\/[^\s:/?#"'@\\]*):[^\s"'\\]*@/gi

/** The text with API keys and passwords of URLs hidden. */
export const withoutSecrets = (text: string): string => {
  // Nearly no line has any; looking for a character or two is cheaper than two expressions.
  let safe = text
  if (safe.includes('://')) safe = safe.replace(PASSWORD, '$1:[hidden]@')
  if (/api[_-]key/i.test(safe)) safe = safe.replace(KEY, '$1$2[hidden]')
  return safe
}
