/* Hides what readers of logs and printed settings must not see. */

/** An API key: in a query, in a header line, or as a member of JSON that is itself text. */
const KEY = /\b(api_key|x-api-key)(=|:\s*|\\":\\")[^&\s"'\\#,;]+/gi
/** The password in a URL, up to the last @ of the word. */
const PASSWORD = /([a-z][a-z0-9+.-]*:\/\/[^\s:/?#"'@\\]*):[^\s"'\\]*@/gi

/** The text with API keys and passwords of URLs hidden. */
export const withoutSecrets = (text: string): string => {
  // Almost no line has a secret; looking for single characters first is cheaper than two regular expressions.
  let safe = text
  if (safe.includes('://')) safe = safe.replace(PASSWORD, '$1:[hidden]@')
  if (/api[_-]key/i.test(safe)) safe = safe.replace(KEY, '$1$2[hidden]')
  return safe
}
