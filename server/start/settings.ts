import { UserError } from '../base/user-error.ts'
import { loadConfig } from '../cli/load-config.ts'
import type { Config } from '../config/settings.ts'
import type { TonwayOptions } from './types.ts'

const DEFAULTS = {
  port: 0,
  liteserverPort: 'off',
  index: false,
  metadata: false,
  blockTime: 0,
  anonymousRps: 'unlimited',
  log: 'silent',
  // The process belongs to the user's program, which may block the event loop for any time.
  stallSeconds: 0,
}

export type HostSettings = ReturnType<typeof settingsOf>

/** Validates the settings. Throws UserError with all problems. */
export const configOf = ({ file }: HostSettings): Config => {
  // `workers` is checked first, because otherwise errors about the needs of several processes would be reported.
  if ('workers' in (JSON.parse(file) as object))
    throw new UserError('startTonway: workers is for the command, because this tonway runs in one process')
  const { config } = loadConfig({ argv: [], env: {}, file, from: 'startTonway' })
  if (config.stallSeconds > 0)
    throw new UserError('startTonway: stallSeconds is for the command, because this tonway never ends the process that it runs in')
  return config
}

/** Converts the options of `startTonway` to settings, without validating them. */
export const settingsOf = ({ port, thread: _, waitForBlock = true, ...options }: TonwayOptions) => {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const fileSettings = { ...DEFAULTS, ...given, ...(port !== undefined && port !== 'off' && { port }) }
  return {
    file: JSON.stringify(fileSettings, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
    listens: port !== 'off',
    waitsForBlock: waitForBlock,
  }
}
