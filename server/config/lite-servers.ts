import * as z from 'zod'

/* Lite-servers in the one-line form [group@]host:port/key. The key is base64 or 64 hexadecimal digits. */

const WRONG_GROUP = 'a group name must be 1 to 32 lower-case letters, digits, - and _'

export const groupName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, WRONG_GROUP)

export interface ServerPeer {
  readonly host: string
  readonly port: number
  /** Ed25519 public key, 32 bytes. */
  readonly key: Uint8Array
  readonly group?: string | undefined
}

const LINE = /^(?:([^@\s]+)@)?(\[[0-9a-fA-F:]+\]|[^\s:/@[\]]+):(\d{1,5})\/(\S+)$/

/** Parses a line. Returns an error text if the line is invalid. */
export const readServer = (line: string): ServerPeer | string => {
  const match = LINE.exec(line)
  if (match === null) return `${line} is not a lite-server: it must be [group@]host:port/key`
  const [, group, host, portText, keyText] = match as unknown as [string, string | undefined, string, string, string]
  const port = Number(portText)
  const key = Buffer.from(keyText, /^[0-9a-f]{64}$/i.test(keyText) ? 'hex' : 'base64')
  if (port < 1 || port > 65_535) return `${line}: ${portText} is not a port`
  if (key.length !== 32) return `${line}: the key must be 32 bytes, in base64 or as 64 hexadecimal digits`
  if (group !== undefined && !groupName.safeParse(group).success) return `${line}: ${WRONG_GROUP}`
  return { host: host.replace(/^\[|\]$/g, ''), port, key: new Uint8Array(key), ...(group && { group }) }
}

export const readServers = (lines: readonly string[]): readonly ServerPeer[] =>
  lines.map((line) => {
    const read = readServer(line)
    if (typeof read === 'string') throw new Error(read)
    return read
  })
