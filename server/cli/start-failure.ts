import { resolve, sep } from 'node:path'
import type { Config } from '../config/settings.ts'

export const startFailure = (error: unknown, { host, port: main, metrics, workers, dataDir }: Config): string => {
  // Only errors of a listener have a port, and only errors of a file have a path.
  const { code, message, port, path } = error as NodeJS.ErrnoException & { readonly port?: number }
  const isMetrics = typeof metrics === 'number' && port !== undefined && port >= metrics && port < metrics + workers
  const flag = port === main ? '--port' : isMetrics ? '--metrics' : '--liteserver-port'
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is in use by another process; choose another one with ${flag}`
  if (code === 'EACCES' && port !== undefined) return `this user may not open port ${port}; choose another one with ${flag}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is not an address of this machine; choose another one with --host`
  if (path !== undefined && dataDir && `${resolve(path)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`))
    return `cannot use the data directory ${dataDir} of --data-dir: ${message}`
  return `cannot start: ${message}`
}
