/** An API key: in a query, in a header line, or as a member of JSON inside a JSON string. */
const KEY = /\b(api_key|x-api-key)(=|:\s*|\\":\\")[^&\s"'\\#,;]+/gi
/** A key of this service wherever it stands, such as in a path (access/key-text.ts). Its id may be shown. */
const OWN_KEY = /\b(tw_[0-9A-Za-z]{12}_)[0-9A-Za-z]{40}/g
/** The password in a URL. It ends at the last @ of the word. */
const PASSWORD = /([a-z][a-z0-9+.-]*:\/\/[^\s:/?#"'@\\]*):[^\s"'\\]*@/gi

export const withoutSecrets = (text: string): string => {
  // Almost no line contains a secret. Searching for plain strings first is cheaper than the regular expressions.
  let safe = text
  if (safe.includes('://')) safe = safe.replace(PASSWORD, '$1:[hidden]@')
  if (/api[_-]key/i.test(safe)) safe = safe.replace(KEY, '$1$2[hidden]')
  if (safe.includes('tw_')) safe = safe.replace(OWN_KEY, '$1[hidden]')
  return safe
}

/**
 * A setting that is a URL, or several separated by commas, without its passwords. Here the text ends where the setting ends, so that a password with a space or
 * a quote is hidden too. Any other value stays as it is.
 */
export const urlsWithoutPasswords = (given: unknown): unknown => {
  if (Array.isArray(given)) return given.map(urlsWithoutPasswords)
  if (typeof given !== 'string') return given
  return given
    .split(/,(?=[a-z]+:\/\/)/i)
    .map((url) => url.replace(/^(.*?:\/\/[^:/?#@]*):.*@/s, '$1:[hidden]@').replace(/([?&]password=)[^&#]*/gi, '$1[hidden]'))
    .join(',')
}
