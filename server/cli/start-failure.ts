import type { Config } from '../config/settings.ts'

export const startFailure = (error: unknown, { host, port: main, metrics, workers }: Config): string => {
  // Only errors of a listener have a port.
  const { code, message, port } = error as NodeJS.ErrnoException & { readonly port?: number }
  const isMetrics = typeof metrics === 'number' && port !== undefined && port >= metrics && port < metrics + workers
  const flag = port === main ? '--port' : isMetrics ? '--metrics' : '--liteserver-port'
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use by another process; choose another one with ${flag}`
  if (code === 'EACCES' && port !== undefined) return `this user may not open port ${port}; choose another one with ${flag}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is not an address of this machine; choose another one with --host`
  return `cannot start: ${message}`
}
