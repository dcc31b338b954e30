/**
 * Placeholder host for `postgres://me:password@/database?host=/run/postgresql`. PostgreSQL accepts this form for a socket, but it is not a valid URL because it
 * has no host.
 */
export const NO_HOST = '___socket___'

const withHost = (text: string): string => text.replace('@/', `@${NO_HOST}/`)

/** Parses a URL that `databaseUrlFault` accepts. */
export const parseDatabaseUrl = (text: string): URL => new URL(withHost(text))

/** Why a text is no URL of a service such as `postgres://` or `redis://`. undefined: it is one. `scheme`: without the ://. */
export const databaseUrlFault = (scheme: RegExp, shown: string, text: string): string | undefined => {
  if (!scheme.test(text)) return `must begin with ${shown}`
  // Usually a sign of the password, such as # or /, ends the host too early, or the port is no number.
  if (!URL.canParse(withHost(text)))
    return `is no URL: check the host and the port; in a password write / as %2F, # as %23, ? as %3F and % as %25`
  return undefined
}
