/* Hides what readers of logs and printed settings must not see. */

/** A key in a query, in a header's line, or as a JSON member that is itself text; the password of a URL up to the last @ of its word. */
const KEY = /\b(api_key|x-api-key)(=|:\s*|\\":\\")[^&\s"'\\#,;]+/gi
const PASSWORD = /([a-z][a-z0-9+.-]*:\/\/[^\s:/?#"'@\\]*):[^\s"'\\]*@/gi

/** The text with API keys and passwords of URLs hidden. */
export const withoutSecrets = (text: string): string => {
  // Almost no line has a secret; looking for single characters first is cheaper than two regular expressions.
  let safe = text
  if (safe.includes('://')) safe = safe.replace(PASSWORD, '$1:[hidden]@')
  if (/api[_-]key/i.test(safe)) safe = safe.replace(KEY, '$1$2[hidden]')
  return safe
}
