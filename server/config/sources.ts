import { suggest } from '../base/suggest.ts'
import { SETTINGS, type SettingName, settingNames } from './settings.ts'

export type SettingTexts = Partial<Record<SettingName, unknown>>

export const CONFIG_FILE = 'tonway.config.json'
const PREFIX = 'TONWAY_'
/** Variables of tests. They are not settings. */
const OTHERS = new Set(['TONWAY_TEST_DATA', 'TONWAY_TEST_CITUS_URL', 'TONWAY_SEED'])

/** Reads the settings in the environment. Adds an unknown variable with the prefix TONWAY_ to `problems`. */
export const readEnvironment = (env: Readonly<Record<string, string | undefined>>, problems: string[]): SettingTexts => {
  const byEnv = new Map<string, SettingName>(settingNames.map((name) => [SETTINGS[name].env, name]))
  const settings: SettingTexts = {}
  for (const [key, value] of Object.entries(env)) {
    const name = byEnv.get(key)
    if ((!name && !key.startsWith(PREFIX)) || OTHERS.has(key) || value === undefined || value === '') continue
    if (name) settings[name] = value
    else problems.push(suggest('setting', key, [...byEnv.keys()]))
  }
  return settings
}

const parseFile = (text: string): object => {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error('an object is expected')
  return parsed
}

/** Reads the settings in the text of the file, including those of single networks. `from`: name of the file in error texts. */
export const readFileSettings = (
  text: string | undefined,
  problems: string[],
  from: string,
): { readonly settings: SettingTexts; readonly networks: unknown } => {
  if (text === undefined) return { settings: {}, networks: undefined }
  try {
    const { networks, ...rest } = parseFile(text) as { networks?: unknown }
    const settings: SettingTexts = {}
    for (const [key, value] of Object.entries(rest)) {
      if (Object.hasOwn(SETTINGS, key)) settings[key as SettingName] = value
      else problems.push(`${from}: ${suggest('setting', key, [...settingNames, 'networks'])}`)
    }
    return { settings, networks }
  } catch (error) {
    problems.push(`${from}: ${(error as Error).message}`)
    return { settings: {}, networks: undefined }
  }
}
