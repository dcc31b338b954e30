import { readFileSync } from 'node:fs'
import { VERSION } from '../base/version.ts'
import { CONFIG_FILE } from '../config/sources.ts'
import { ConfigError, type Loaded, loadConfig } from './load-config.ts'
import { describeConfig } from './print-config.ts'
import { usage, usageOf } from './usage.ts'

export interface Cli {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
}

const configFile = (): string | undefined => {
  try {
    return readFileSync(CONFIG_FILE, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigError([`${CONFIG_FILE}: ${(error as Error).message}`])
  }
}

/** Reads the command and the settings. Returns them if a command has to run. Otherwise prints the help, the version or errors, and returns the exit code. */
export const readCommand = (cli: Cli): { readonly run: Loaded } | { readonly exit: number } => {
  try {
    const loaded = loadConfig({ argv: cli.argv, env: cli.env, file: configFile() })
    const { ask, command, action, config, origins } = loaded
    if (ask === 'help') cli.print(cli.argv.some((word) => word === command) ? usageOf(command, action) : usage())
    else if (ask === 'version') cli.print(VERSION)
    else if (ask === 'print-config' || command === 'config') cli.print(describeConfig(config, origins))
    else return { run: loaded }
    return { exit: 0 }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) cli.printError(`tonway: ${problem}`)
    cli.printError('tonway: --help lists every command and setting')
    return { exit: 2 }
  }
}
