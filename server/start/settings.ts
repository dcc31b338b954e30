import { ConfigError, loadConfig } from '../cli/load-config.ts'
import type { Config } from '../config/settings.ts'
import type { TonwayOptions } from './types.ts'

/** The defaults of `startTonway` where they differ from those of the command. */
const DEFAULTS = {
  port: 0,
  liteserverPort: 'off',
  index: false,
  metadata: false,
  blockTime: 0,
  // Nobody but the program itself waits for its blocks, and a thread takes a tenth of a second to start.
  chainThread: false,
  anonymousRps: 'unlimited',
  log: 'silent',
  // The process belongs to its caller, who may compute for as long as he likes.
  stallSeconds: 0,
}

/** Settings that a host can be started with, in this thread or in another one. */
export interface HostSettings {
  /** Text of a settings file. */
  readonly file: string
  /** Whether a port is opened. */
  readonly listens: boolean
  /** Whether sends of the program resolve when their messages are in a block. */
  readonly waitsForBlock: boolean
}

/** Checked settings. Throws ConfigError with everything that is wrong with them. */
export const configOf = ({ file }: HostSettings): Config => {
  // Before what several processes need is looked for.
  if ('workers' in (JSON.parse(file) as object))
    throw new ConfigError(['startTonway: workers is for the command, because this tonway runs in one process'])
  const { config } = loadConfig({ argv: [], env: {}, file, from: 'startTonway' })
  if (config.stallSeconds > 0)
    throw new ConfigError(['startTonway: stallSeconds is for the command, because this tonway never ends the process that it runs in'])
  return config
}

/** The settings that options of `startTonway` mean. Nothing is checked here. */
export const settingsOf = ({ port, thread: _, waitForBlock = true, ...options }: TonwayOptions): HostSettings => {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const fileSettings = { ...DEFAULTS, ...given, ...(port !== undefined && port !== 'off' && { port }) }
  return {
    file: JSON.stringify(fileSettings, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
    listens: port !== 'off',
    waitsForBlock: waitForBlock,
  }
}
