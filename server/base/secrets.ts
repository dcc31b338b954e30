/** An API key: in a query, in a header line, or as a member of JSON inside a JSON string. */
const KEY = /\b(api_key|x-api-key)(=|:\s*|\\":\\")[^&\s"'\\#,;]+/gi
/** The password in a URL. It ends at the last @ of the word. */
const PASSWORD = /([a-z][a-z0-9+.-]*:\/\/[^\s:/?#"'@\\]*):[^\s"'\\]*@/gi

export const withoutSecrets = (text: string): string => {
  // Almost no line contains a secret. Searching for plain strings first is cheaper than two regular expressions.
  let safe = text
  if (safe.includes('://')) safe = safe.replace(PASSWORD, '$1:[hidden]@')
  if (/api[_-]key/i.test(safe)) safe = safe.replace(KEY, '$1$2[hidden]')
  return safe
}
