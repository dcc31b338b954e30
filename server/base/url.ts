/** URL of a service on this machine that listens on `host`. The loopback address replaces the wildcard address. */
export const urlAt = (scheme: 'http' | 'ws', host: string, port: number): string => {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `${scheme}://${shown.includes(':') ? `[${shown}]` : shown}:${port}`
}
